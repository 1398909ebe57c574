"""BFS of Singh 2017 with a queue in place of a frontier, which section 7 compares with and does not measure."""

import itertools

from warpath.algorithms import Solution, algorithm, blocks_for, reset

MOST_THREADS = 512  # in a block, by section 4.4


@algorithm()
def queue_struct(device, graph, launch):
    """A queue of the current level and one of the next, over one struct a vertex; the launch of frontier_struct."""
    xp, n = device.xp, graph.vertices
    (expand,) = device.kernels(__file__, "expand", **graph.arc_width)
    block = min(n, MOST_THREADS)
    vertices = xp.stack([graph.offsets[:-1], graph.offsets[1:] - graph.offsets[:-1]], axis=1)
    queues = [xp.empty(n, "int32") for _ in range(2)]
    sizes, cost = xp.empty(3, "int32"), xp.empty(n, "uint32")
    update = device.flag()
    shape, arrays = (blocks_for(n, block), block), (vertices, graph.targets)
    turns = itertools.islice(zip(itertools.cycle((queues, queues[::-1])), itertools.cycle(range(3))), 6)
    calls = device.loop(
        update,
        *(expand.bound(shape, *arrays, *pair, sizes, turn, cost, update.array) for pair, turn in turns),
    )

    def solve(source):
        queues[0][0] = source
        reset(sizes, 0, there=1, elsewhere=0)
        reset(cost, source)
        return Solution(cost, iterations=calls())

    return solve
