"""Rejaud, section 2: Bellman-Ford (BMF) with edges split among warps, distances copied outside the kernel."""

from warpath.algorithms import Solution, algorithm, configurations, reset, rounds_until_unchanged


@algorithm(paper="rejaud", launches=configurations(order=["source", "target"]))
def bmf_outcore(device, graph, launch):
    """Every edge in every round, a contiguous load a warp; one distance array is read and another written."""
    (edge_process,) = device.kernels(__file__, "edge_process", **graph.arc_width)
    edge_process = edge_process[launch.grid, launch.block]
    edges = graph.edge_list(launch.order)
    previous, current = (device.xp.empty(graph.vertices, "uint32") for _ in range(2))
    changed = device.flag()

    def one_round(number):
        if number > 0:
            device.xp.copyto(previous, current)
        edge_process(graph.arcs, edges, previous, current, changed.array)

    def solve(source):
        reset(previous, source)
        reset(current, source)
        return Solution(current, iterations=rounds_until_unchanged(changed, one_round, most=graph.vertices - 1))

    return solve
