"""Pathak 2021, section 3.1, algorithms 1 and 2: level-synchronous BFS with a distance array and one flag."""

from warpath.algorithms import Solution, algorithm, blocks_for, reset, sweep


@algorithm(paper="pathak2021", launches=sweep(block=[64, 128, 256, 512, 1024]))
def level(device, graph, launch):
    """One thread a vertex: those whose distance is the level being processed reach their unvisited neighbours."""
    (expand,) = device.kernels(__file__, "expand")
    expand = expand[blocks_for(graph.vertices, launch.block), launch.block]
    arcs = graph.offsets, graph.targets
    distance = device.xp.empty(graph.vertices, "uint32")
    changed = device.flag()

    def solve(source):
        reset(distance, source)
        level, growing = 0, True
        while growing:
            changed.clear()
            expand(level, graph.vertices, *arcs, distance, changed.array)
            growing = changed.read()
            level += 1
        return Solution(distance, iterations=level)

    return solve
