"""Agarwal and Dutta 2015, algorithms 1 to 3: Bellman-Ford with a thread an edge and always V rounds."""

from warpath.algorithms import BLOCK_SIZES, Solution, algorithm, blocks_for, sweep


@algorithm(paper="agarwal2015", launches=sweep(block=BLOCK_SIZES))
def bellman_ford(device, graph, launch):
    """One thread an edge; every edge is relaxed V times, with no early exit."""
    init_node_weight, relax = device.kernels(__file__, "init_node_weight", "relax", **graph.arc_width)
    init_node_weight = init_node_weight[blocks_for(graph.vertices, launch.block), launch.block]
    edges = graph.arc_tails, graph.targets, graph.weights
    node_weight = device.xp.empty(graph.vertices, "uint32")
    shape = blocks_for(graph.arcs, launch.block), launch.block
    rounds = device.repeat(relax.bound(shape, graph.arcs, *edges, node_weight))

    def solve(source):
        init_node_weight(graph.vertices, source, node_weight)
        rounds(graph.vertices)
        return Solution(node_weight, iterations=graph.vertices)

    return solve
