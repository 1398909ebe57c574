"""Agarwal and Dutta 2015, algorithm 1, one edge after the other: Bellman-Ford with always V rounds."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="cpu")
def cpu_all_rounds(device, graph, launch):
    """Bellman-Ford on one CPU core; every edge is relaxed V times, with no early exit."""
    (search,) = device.kernels(__file__, "search")
    edges = graph.arc_tails, graph.targets, graph.weights
    node_weight = device.xp.empty(graph.vertices, "uint32")

    def solve(source):
        search(graph.vertices, graph.arcs, *edges, source, node_weight)
        return Solution(node_weight, iterations=graph.vertices)

    return solve
