"""Pathak 2021, section 4.3: the two-kernel SSSP with a thread for every CF vertices."""

from warpath.algorithms import BLOCK_SIZES, Solution, algorithm, blocks_for, reset, rounds_until_unchanged, sweep


@algorithm(paper="pathak2021", launches=sweep(block=BLOCK_SIZES, coarsening=[1, 2, 4, 8, 16]))
def coarsened(device, graph, launch):
    """The corrected two-kernel SSSP where each thread does the work of several."""
    shape = blocks_for(graph.vertices, launch.block * launch.coarsening), launch.block
    relax, commit = (kernel[shape] for kernel in device.kernels(__file__, "relax", "commit", **graph.arc_width))
    arcs = graph.offsets, graph.targets, graph.weights
    cost, updating = (device.xp.empty(graph.vertices, "uint32") for _ in range(2))
    mask = device.xp.empty(graph.vertices, "bool")
    changed = device.flag()

    def one_round(_):
        relax(launch.coarsening, graph.vertices, *arcs, mask, cost, updating)
        commit(launch.coarsening, graph.vertices, mask, cost, updating, changed.array)

    def solve(source):
        reset(cost, source)
        reset(updating, source)
        reset(mask, source, there=True, elsewhere=False)
        return Solution(cost, iterations=rounds_until_unchanged(changed, one_round))

    return solve
