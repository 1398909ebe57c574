"""igraph's breadth-first search, a C library called from Python."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="igraph")
def peer_igraph(device, graph, launch):
    """igraph: distances without weights."""
    from warpath.peers import answers, graphs

    made = graphs.igraph(graph, weighted=False)

    def solve(source):
        (found,) = made.distances(source)
        return Solution(lambda: answers.distances(found), iterations=1)

    return solve
