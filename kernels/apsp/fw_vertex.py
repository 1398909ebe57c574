"""Harish and Narayanan 2007, section 3.4: Floyd-Warshall on V threads, each looping over V vertices."""

from warpath.algorithms import BLOCK_SIZES, UNREACHABLE, Solution, algorithm, blocks_for, sweep, triples


@algorithm(paper="harish2007", launches=sweep(block=BLOCK_SIZES), bound=triples)
def fw_vertex(device, graph, launch):
    """One launch for each k, one thread for each vertex, which goes through its row of the matrix."""
    n, arcs = graph.vertices, (graph.offsets, graph.targets, graph.weights)
    shape = blocks_for(n, launch.block), launch.block
    set_arcs, through = (kernel[shape] for kernel in device.kernels(__file__, "set_arcs", "through"))
    matrix = device.xp.empty((n, n), "uint32")

    def solve(sources=None):
        matrix.fill(UNREACHABLE)
        set_arcs(n, n, *arcs, matrix)
        for k in range(n):
            through(n, k, matrix)
        return Solution(matrix, iterations=n)

    return solve
