"""Singh 2017, figures 6 and 7 as printed: BFS over {first, count} structs with one boolean frontier."""

from warpath.algorithms import Solution, algorithm, blocks_for, reset

MOST_THREADS = 512  # in a block, by section 4.4


@algorithm(paper="singh2017", exact=False)
def one_frontier_struct(device, graph, launch):
    """One frontier, read and written in a launch of one block; wrong by design where there are more blocks."""
    xp, n = device.xp, graph.vertices
    (expand,) = device.kernels(__file__, "expand", **graph.arc_width)
    block = min(n, MOST_THREADS)
    vertices = xp.stack([graph.offsets[:-1], graph.offsets[1:] - graph.offsets[:-1]], axis=1)
    frontier, visited = (xp.empty(n, "bool") for _ in range(2))
    cost = xp.empty(n, "uint32")
    update = device.flag()
    arrays = vertices, graph.targets, frontier, visited, cost, update.array
    calls = device.loop(update, expand.bound((blocks_for(n, block), block), n, *arrays))

    def phases():
        return {"calls_ms": calls.milliseconds(), "last_call_ms": calls.last_round_milliseconds()}

    def solve(source):
        reset(frontier, source, there=True, elsewhere=False)
        visited.fill(False)
        reset(cost, source)
        return Solution(cost, iterations=calls(), phases=phases)

    return solve
