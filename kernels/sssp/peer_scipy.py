"""SciPy's Dijkstra, with a Fibonacci heap."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="scipy")
def peer_scipy(device, graph, launch):
    """SciPy: dijkstra of scipy.sparse.csgraph."""
    from scipy.sparse.csgraph import dijkstra

    from warpath.algorithms.peers import answers, graphs

    matrix = graphs.scipy(graph)

    def solve(source):
        distances = dijkstra(matrix, indices=source)
        return Solution(lambda: answers.distances(distances), iterations=1)

    return solve
