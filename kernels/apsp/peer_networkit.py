"""NetworKit's all-pairs shortest paths: Dijkstra from every vertex, on all cores."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="networkit")
def peer_networkit(device, graph, launch):
    """NetworKit: APSP."""
    from networkit.distance import APSP

    from warpath.algorithms.peers import answers, graphs

    converted = graphs.networkit(graph)

    def solve(sources=None):
        search = APSP(converted)
        search.run()
        return Solution(lambda: answers.distances(search.getDistances(asarray=True)), iterations=1)

    return solve
