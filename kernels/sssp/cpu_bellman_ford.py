"""The sequential counterpart of the Bellman-Ford papers: rounds over the arcs until nothing changes."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="cpu")
def cpu_bellman_ford(device, graph, launch):
    """Bellman-Ford with an early exit on one CPU core."""
    (search,) = device.kernels(__file__, "search")
    arcs = graph.offsets, graph.targets, graph.weights
    cost, rounds = device.xp.empty(graph.vertices, "uint32"), device.xp.zeros(1, "int64")

    def solve(source):
        search(graph.vertices, *arcs, source, cost, rounds)
        return Solution(cost, iterations=int(rounds[0]))

    return solve
