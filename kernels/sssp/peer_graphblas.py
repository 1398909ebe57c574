"""Bellman-Ford as linear algebra: the distances that fell in the last round, times the matrix, over min and +."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="graphblas")
def peer_graphblas(device, graph, launch):
    """SuiteSparse:GraphBLAS: a min_plus product a round, until nothing falls."""
    from graphblas import Vector

    from warpath.algorithms.peers import answers, graphblas, graphs

    matrix, vertices = graphs.graphblas(graph), graph.vertices

    def solve(source):
        distance = Vector.from_scalar(graphblas.INFINITE, vertices, "int64")
        rounds = graphblas.relax(distance, Vector.from_coo([source], [0], "int64", size=vertices), matrix)
        return Solution(lambda: answers.distances(distance.to_dense()), iterations=rounds)

    return solve
