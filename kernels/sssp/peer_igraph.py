"""igraph's Dijkstra, a C library called from Python. Each call converts the weights, which is timed."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="igraph")
def peer_igraph(device, graph, launch):
    """igraph: distances by Dijkstra."""
    from warpath.algorithms.peers import answers, graphs

    converted = graphs.igraph(graph)

    def solve(source):
        (distances,) = converted.distances(source, weights="weight", algorithm="dijkstra")
        return Solution(lambda: answers.distances(distances), iterations=1)

    return solve
