"""Harish and Narayanan 2007, algorithm 6, and Pathak 2021, algorithm 14: naive Floyd-Warshall on V x V threads."""

from warpath.algorithms import BLOCK_SIZES, UNREACHABLE, Solution, algorithm, blocks_for, sweep, triples

ROWS = 32768  # rows along the grid's second dimension, which has at most 65,535; further rows go along its third


@algorithm(paper="pathak2021", launches=sweep(block=BLOCK_SIZES), bound=triples)
def fw_pair(device, graph, launch):
    """One launch for each k, one thread for each pair of vertices."""
    set_arcs, through = device.kernels(__file__, "set_arcs", "through")
    n, arcs = graph.vertices, (graph.offsets, graph.targets, graph.weights)
    set_arcs = set_arcs[blocks_for(n, launch.block), launch.block]
    through = through[(blocks_for(n, launch.block), min(n, ROWS), blocks_for(n, ROWS)), launch.block]
    matrix = device.xp.empty((n, n), "uint32")

    def solve(sources=None):
        matrix.fill(UNREACHABLE)
        set_arcs(n, n, *arcs, matrix)
        for k in range(n):
            through(n, k, matrix)
        return Solution(matrix, iterations=n)

    return solve
