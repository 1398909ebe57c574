"""Pathak 2021, section 3.2, algorithms 3 and 4: BFS with a queue of the current level and one of the next."""

from warpath.algorithms import BLOCK_SIZES, NOBODY, Solution, algorithm, blocks_for, reset, sweep


@algorithm(paper="pathak2021", parents=True, launches=sweep(block=BLOCK_SIZES))
def queue(device, graph, launch):
    """One thread a queued vertex: atomicMin claims a neighbour, atomicAdd finds its place in the next queue."""
    (expand,) = device.kernels(__file__, "expand", **graph.arc_width)
    arcs = graph.offsets, graph.targets
    distance = device.xp.empty(graph.vertices, "uint32")
    parent, current, following = (device.xp.empty(graph.vertices, "int32") for _ in range(3))
    following_size = device.flag()

    def solve(source):
        nonlocal current, following
        reset(distance, source)
        parent.fill(NOBODY)
        current[0] = source
        level, size = 0, 1
        while size > 0:
            following_size.clear()
            shape = blocks_for(size, launch.block), launch.block
            expand[shape](level, *arcs, distance, parent, size, current, following, following_size.array)
            current, following = following, current
            size = following_size.read()
            level += 1
        return Solution(distance, iterations=level, parents=parent)

    return solve
