"""SciPy's all-pairs shortest paths, which chooses between Dijkstra from everywhere and Floyd-Warshall by density."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="scipy")
def peer_scipy(device, graph, launch):
    """SciPy: shortest_path of scipy.sparse.csgraph."""
    from scipy.sparse.csgraph import shortest_path

    from warpath.peers import answers, graphs

    matrix = graphs.scipy(graph)

    def solve(sources=None):
        found = shortest_path(matrix)
        return Solution(lambda: answers.distances(found), iterations=1)

    return solve
