"""Harish and Narayanan 2007, algorithm 7, and Pathak 2021, algorithm 13: all pairs by SSSP from every vertex."""

from warpath.algorithms import BLOCK_SIZES, Solution, algorithm, answer_matrix, blocks_for, reset, sweep


@algorithm(paper="harish2007", launches=sweep(block=BLOCK_SIZES))
def repeated_sssp(device, graph, launch):
    """The two-kernel SSSP from each vertex in turn: O(V) memory on the device, one row at a time copied to the host."""
    n = graph.vertices
    shape = blocks_for(n, launch.block), launch.block
    relax, commit = device.kernels(__file__, "relax", "commit")
    arcs = graph.offsets, graph.targets, graph.weights
    cost, updating = (device.xp.empty(n, "uint32") for _ in range(2))
    mask = device.xp.empty(n, "bool")
    changed = device.flag()
    matrix = answer_matrix(n)

    two_kernels = (
        relax.bound(shape, n, *arcs, mask, cost, updating),
        commit.bound(shape, n, mask, cost, updating, changed.array),
    )
    rounds_of_a_row = device.loop(changed, *two_kernels, of_a_round=2, clocked=False)

    def row_of(source):
        reset(cost, source)
        reset(updating, source)
        reset(mask, source, there=True, elsewhere=False)
        return rounds_of_a_row()

    def solve(sources=None):
        rounds = 0
        for source in range(n):
            rounds += row_of(source)
            matrix[source] = device.get(cost)
        return Solution(matrix, iterations=rounds)

    return solve
