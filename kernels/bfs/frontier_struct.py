"""Singh 2017, section 4: Harish and Narayanan's BFS over an array of {first, count} structs, kernel calls counted."""

from warpath.algorithms import BLOCK_SIZES, Solution, algorithm, blocks_for, reset, sweep

MOST_THREADS = 512  # in a block, by section 4.4


@algorithm(paper="singh2017", launches=[{}, *sweep(block=BLOCK_SIZES)])
def frontier_struct(device, graph, launch):
    """The boolean frontier with one struct a vertex; by default one block with as many threads as vertices."""
    xp, n = device.xp, graph.vertices
    (expand,) = device.kernels(__file__, "expand", **graph.arc_width)
    block = launch.parameters.get("block", min(n, MOST_THREADS))
    vertices = xp.stack([graph.offsets[:-1], graph.offsets[1:] - graph.offsets[:-1]], axis=1)
    frontiers, visited = [xp.empty(n, "bool") for _ in range(2)], xp.empty(n, "bool")
    cost = xp.empty(n, "uint32")
    update = device.flag()
    shape, structs = (blocks_for(n, block), block), (n, vertices, graph.targets)
    calls = device.loop(
        update,
        *(expand.bound(shape, *structs, *pair, visited, cost, update.array) for pair in (frontiers, frontiers[::-1])),
    )

    def phases():
        return {"calls_ms": calls.milliseconds(), "last_call_ms": calls.last_round_milliseconds()}

    def solve(source):
        reset(frontiers[0], source, there=True, elsewhere=False)
        frontiers[1].fill(False)
        visited.fill(False)
        reset(cost, source)
        return Solution(cost, iterations=calls(), phases=phases)

    return solve
