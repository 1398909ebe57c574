"""Pathak 2021, section 3.3, algorithms 5 to 9: BFS whose next queue is laid out by a prefix scan, without atomics."""

from warpath.algorithms import BLOCK_SIZES, NOBODY, Solution, algorithm, blocks_for, reset, sweep


@algorithm(paper="pathak2021", parents=True, launches=sweep(block=BLOCK_SIZES))
def scan(device, graph, launch):
    """Four kernels a level: discover, count what each queued vertex discovered, scan the counts, fill the queue."""
    xp, n = device.xp, graph.vertices
    kernels = "next_layer", "count_degrees", "scan_degrees", "populate_next_queue"
    next_layer, count_degrees, scan_degrees, populate_next_queue = device.kernels(__file__, *kernels, **graph.arc_width)
    arcs = graph.offsets, graph.targets
    distance = xp.empty(n, "uint32")
    parent, current, following, degrees = (xp.empty(n, "int32") for _ in range(4))
    discovered_by = xp.empty(n, graph.arc_type)
    block_degrees = device.words(blocks_for(n, launch.block) + 1)  # the first is 0

    def solve(source):
        nonlocal current, following
        reset(distance, source)
        discovered_by.fill(NOBODY)
        parent.fill(NOBODY)
        current[0] = source
        level, size = 0, 1
        while size > 0:
            shape = blocks_for(size, launch.block), launch.block
            next_layer[shape](level, *arcs, size, current, discovered_by, distance)
            count_degrees[shape](*arcs, size, current, discovered_by, degrees)
            scan_degrees[shape](size, degrees, block_degrees.array)
            starts = block_degrees.read(shape[0] + 1)
            starts.cumsum(dtype="int32", out=starts)
            block_degrees.write(shape[0] + 1)
            populate_next_queue[shape](
                *arcs, size, current, discovered_by, degrees, block_degrees.array, following, parent
            )
            current, following = following, current
            level, size = level + 1, int(starts[-1])
        return Solution(distance, iterations=level, parents=parent)

    return solve
