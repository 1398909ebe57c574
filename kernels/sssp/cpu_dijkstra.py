"""The sequential SSSP that the papers compare with: Dijkstra with a binary heap from the standard library."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="cpu")
def cpu_dijkstra(device, graph, launch):
    """Dijkstra with a binary heap on one CPU core."""
    (search,) = device.kernels(__file__, "search")
    arcs = graph.offsets, graph.targets, graph.weights
    cost = device.xp.empty(graph.vertices, "uint32")

    def solve(source):
        search(graph.vertices, *arcs, source, cost)
        return Solution(cost, iterations=1)

    return solve
