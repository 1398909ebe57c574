"""Harish and Narayanan 2007, algorithm 7 with their SSSP as published: all pairs, some of them wrong."""

from warpath.algorithms import BLOCK_SIZES, Solution, algorithm, answer_matrix, blocks_for, reset, sweep


@algorithm(paper="harish2007", exact=False, launches=sweep(block=BLOCK_SIZES))
def repeated_racy(device, graph, launch):
    """As repeated_sssp, but without atomics: of two updates at once the larger may stay. Wrong by design."""
    n = graph.vertices
    shape = blocks_for(n, launch.block), launch.block
    relax, commit = device.kernels(__file__, "relax", "commit")
    cost, updating = (device.xp.empty(n, "uint32") for _ in range(2))
    mask, changed, matrix = device.xp.empty(n, "bool"), device.flag(), answer_matrix(n)
    rounds_of_a_row = device.loop(
        changed,
        relax.bound(shape, n, graph.offsets, graph.targets, graph.weights, mask, cost, updating),
        commit.bound(shape, n, mask, cost, updating, changed.array),
        of_a_round=2,
        clocked=False,
    )

    def solve(sources=None):
        rounds = 0
        for source in range(n):
            reset(cost, source)
            reset(updating, source)
            reset(mask, source, there=True, elsewhere=False)
            rounds += rounds_of_a_row()
            matrix[source] = device.get(cost)
        return Solution(matrix, iterations=rounds)

    return solve
