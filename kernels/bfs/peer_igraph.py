"""igraph's breadth-first search, a C library called from Python."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="igraph")
def peer_igraph(device, graph, launch):
    """igraph: distances without weights."""
    from warpath.algorithms.peers import answers, graphs

    converted = graphs.igraph(graph, weighted=False)

    def solve(source):
        (distances,) = converted.distances(source)
        return Solution(lambda: answers.distances(distances), iterations=1)

    return solve
