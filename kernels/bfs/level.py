"""Pathak 2021, section 3.1, algorithms 1 and 2: level-synchronous BFS with a distance array and one flag."""

from warpath.algorithms import BLOCK_SIZES, Solution, algorithm, blocks_for, reset, rounds_until_unchanged, sweep


@algorithm(paper="pathak2021", launches=sweep(block=BLOCK_SIZES))
def level(device, graph, launch):
    """One thread a vertex: those whose distance is the level being processed reach their unvisited neighbours."""
    (expand,) = device.kernels(__file__, "expand", **graph.arc_width)
    expand = expand[blocks_for(graph.vertices, launch.block), launch.block]
    arcs = graph.offsets, graph.targets
    distance = device.xp.empty(graph.vertices, "uint32")
    changed = device.flag()

    def one_level(level):
        expand(level, graph.vertices, *arcs, distance, changed.array)

    def solve(source):
        reset(distance, source)
        return Solution(distance, iterations=rounds_until_unchanged(changed, one_level))

    return solve
