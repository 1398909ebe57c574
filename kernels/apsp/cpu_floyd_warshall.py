"""The sequential all-pairs baseline of the papers: Floyd-Warshall in three nested loops."""

from warpath.algorithms import Solution, algorithm, answer_matrix


@algorithm(device="cpu")
def cpu_floyd_warshall(device, graph, launch):
    """Floyd-Warshall on one CPU core."""
    (search,) = device.kernels(__file__, "search")
    arcs = graph.offsets, graph.targets, graph.weights
    matrix = answer_matrix(graph.vertices)

    def solve(sources=None):
        search(graph.vertices, *arcs, matrix)
        return Solution(matrix, iterations=graph.vertices)

    return solve
