"""Harish and Narayanan 2007, algorithms 3 to 5 (Pathak 2021, section 4.1): SSSP that loses updates, as published."""

from warpath.algorithms import BLOCK_SIZES, Solution, algorithm, blocks_for, reset, rounds_until_unchanged, sweep


@algorithm(paper="harish2007", exact=False, launches=sweep(block=BLOCK_SIZES))
def racy(device, graph, launch):
    """One thread a vertex relaxes without atomics: of two updates at once the larger may stay. Wrong by design."""
    shape = blocks_for(graph.vertices, launch.block), launch.block
    relax, commit = (kernel[shape] for kernel in device.kernels(__file__, "relax", "commit", **graph.arc_width))
    arcs = graph.offsets, graph.targets, graph.weights
    cost, updating = (device.xp.empty(graph.vertices, "uint32") for _ in range(2))
    mask = device.xp.empty(graph.vertices, "bool")
    changed = device.flag()

    def one_round(_):
        relax(graph.vertices, *arcs, mask, cost, updating)
        commit(graph.vertices, mask, cost, updating, changed.array)

    def solve(source):
        reset(cost, source)
        reset(updating, source)
        reset(mask, source, there=True, elsewhere=False)
        return Solution(cost, iterations=rounds_until_unchanged(changed, one_round))

    return solve
