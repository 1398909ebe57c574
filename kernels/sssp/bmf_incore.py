"""Rejaud, section 2: Bellman-Ford (BMF) with edges split among warps and one distance array."""

from warpath.algorithms import Solution, algorithm, configurations, reset, rounds_until_unchanged


@algorithm(paper="rejaud", launches=configurations(order=["source", "target"]))
def bmf_incore(device, graph, launch):
    """Every edge in every round, a contiguous load a warp; one distance array, updated inside the kernel."""
    (edge_process,) = device.kernels(__file__, "edge_process", **graph.arc_width)
    edge_process = edge_process[launch.grid, launch.block]
    edges = graph.edge_list(launch.order)
    distance = device.xp.empty(graph.vertices, "uint32")
    changed = device.flag()

    def one_round(_):
        edge_process(graph.arcs, edges, distance, changed.array)

    def solve(source):
        reset(distance, source)
        return Solution(distance, iterations=rounds_until_unchanged(changed, one_round, most=graph.vertices - 1))

    return solve
