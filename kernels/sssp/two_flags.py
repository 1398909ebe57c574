"""Agarwal and Dutta 2015, algorithms 4 to 7: Bellman-Ford over the edges whose start node changed a round ago."""

from warpath.algorithms import BLOCK_SIZES, Solution, algorithm, blocks_for, sweep


@algorithm(paper="agarwal2015", launches=sweep(block=BLOCK_SIZES))
def two_flags(device, graph, launch):
    """One thread an edge, V rounds, but only edges whose start node is flagged relax; a kernel copies the flags."""
    kernels = "init_node_weight", "relax", "copy_flag"
    init_node_weight, relax, copy_flag = device.kernels(__file__, *kernels, **graph.arc_width)
    node_shape = blocks_for(graph.vertices, launch.block), launch.block
    init_node_weight = init_node_weight[node_shape]
    edges = graph.arc_tails, graph.targets, graph.weights
    node_weight = device.xp.empty(graph.vertices, "uint32")
    flag_1, flag_2 = (device.xp.empty(graph.vertices, "int32") for _ in range(2))
    edge_shape = blocks_for(graph.arcs, launch.block), launch.block
    rounds = device.repeat(
        relax.bound(edge_shape, graph.arcs, *edges, node_weight, flag_1, flag_2),
        copy_flag.bound(node_shape, graph.vertices, flag_1, flag_2),
    )

    def solve(source):
        init_node_weight(graph.vertices, source, node_weight, flag_1, flag_2)
        rounds(graph.vertices)
        return Solution(node_weight, iterations=graph.vertices)

    return solve
