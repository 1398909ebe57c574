"""The sequential BFS that the papers compare with: a queue from the standard library."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="cpu")
def cpu_queue(device, graph, launch):
    """Textbook BFS on one CPU core."""
    (search,) = device.kernels(__file__, "search")
    arcs = graph.offsets, graph.targets
    distance = device.xp.empty(graph.vertices, "uint32")

    def solve(source):
        search(graph.vertices, *arcs, source, distance)
        return Solution(distance, iterations=1)

    return solve
