"""Breadth-first search as linear algebra: the frontier times the matrix, masked by the unvisited vertices."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="graphblas")
def peer_graphblas(device, graph, launch):
    """SuiteSparse:GraphBLAS: a masked any_pair product a level."""
    from graphblas import Vector, semiring

    from warpath.algorithms.peers import answers, graphs

    matrix = graphs.graphblas(graph, weighted=False)

    def solve(source):
        levels, level = Vector("int32", graph.vertices), 0
        frontier = Vector(bool, graph.vertices)
        frontier[source] = True
        while frontier.nvals:
            levels(frontier.S) << level
            frontier(~levels.S, replace=True) << semiring.any_pair(frontier @ matrix)
            level += 1
        levels.wait()
        return Solution(lambda: answers.placed(*levels.to_coo(), graph.vertices), iterations=level)

    return solve
