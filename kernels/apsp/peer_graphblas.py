"""Bellman-Ford from every vertex at once, as linear algebra: a matrix of distances times the matrix of the graph."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="graphblas")
def peer_graphblas(device, graph, launch):
    """SuiteSparse:GraphBLAS: a min_plus product of matrices a round, until nothing falls."""
    from graphblas import Matrix, Vector

    from warpath.algorithms.peers import answers, graphblas, graphs

    matrix, vertices = graphs.graphblas(graph), graph.vertices

    def solve(sources=None):
        distance = Matrix.from_scalar(graphblas.INFINITE, vertices, vertices, "int64")
        rounds = graphblas.relax(distance, Vector.from_scalar(0, vertices, "int64").diag(), matrix)
        return Solution(lambda: answers.distances(distance.to_dense()), iterations=rounds)

    return solve
