"""The sequential all-pairs baseline for sparse graphs: Dijkstra from every vertex."""

from warpath.algorithms import Solution, algorithm, answer_matrix


@algorithm(device="cpu")
def cpu_repeated_dijkstra(device, graph, launch):
    """Dijkstra with a binary heap from each vertex in turn on one CPU core."""
    (search_all,) = device.kernels(__file__, "search_all")
    arcs = graph.offsets, graph.targets, graph.weights
    matrix = answer_matrix(graph.vertices)

    def solve(sources=None):
        search_all(graph.vertices, *arcs, matrix)
        return Solution(matrix, iterations=graph.vertices)

    return solve
