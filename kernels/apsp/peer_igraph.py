"""igraph's Dijkstra from every vertex, a C library called from Python."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="igraph")
def peer_igraph(device, graph, launch):
    """igraph: distances between all vertices, by Dijkstra."""
    from warpath.peers import answers, graphs

    made = graphs.igraph(graph)

    def solve(sources=None):
        found = made.distances(weights="weight", algorithm="dijkstra")
        return Solution(lambda: answers.distances(found), iterations=1)

    return solve
