"""SciPy's all-pairs shortest paths, which chooses Dijkstra from every vertex or Floyd-Warshall by density."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="scipy")
def peer_scipy(device, graph, launch):
    """SciPy: shortest_path of scipy.sparse.csgraph."""
    from scipy.sparse.csgraph import shortest_path

    from warpath.algorithms.peers import answers, graphs

    matrix = graphs.scipy(graph)

    def solve(sources=None):
        distances = shortest_path(matrix)
        return Solution(lambda: answers.distances(distances), iterations=1)

    return solve
