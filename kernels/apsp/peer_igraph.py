"""igraph's Dijkstra from every vertex, a C library called from Python."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="igraph")
def peer_igraph(device, graph, launch):
    """igraph: distances between all vertices, by Dijkstra."""
    from warpath.algorithms.peers import answers, graphs

    converted = graphs.igraph(graph)

    def solve(sources=None):
        distances = converted.distances(weights="weight", algorithm="dijkstra")
        return Solution(lambda: answers.distances(distances), iterations=1)

    return solve
