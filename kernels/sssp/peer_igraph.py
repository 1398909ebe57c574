"""igraph's Dijkstra, a C library called from Python: the weights are converted in every call, and that is timed."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="igraph")
def peer_igraph(device, graph, launch):
    """igraph: distances by Dijkstra."""
    from warpath.peers import answers, graphs

    made = graphs.igraph(graph)

    def solve(source):
        (found,) = made.distances(source, weights="weight", algorithm="dijkstra")
        return Solution(lambda: answers.distances(found), iterations=1)

    return solve
