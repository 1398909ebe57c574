"""SciPy's breadth-first search, which returns an order and parents; levels are computed from these, untimed."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="scipy")
def peer_scipy(device, graph, launch):
    """SciPy: breadth_first_order of scipy.sparse.csgraph."""
    from scipy.sparse.csgraph import breadth_first_order

    from warpath.algorithms.peers import answers, graphs

    matrix = graphs.scipy(graph, weighted=False)

    def solve(source):
        _, parents = breadth_first_order(matrix, source)
        return Solution(lambda: answers.levels(source, parents), iterations=1)

    return solve
