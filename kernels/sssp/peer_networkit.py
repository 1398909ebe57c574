"""NetworKit's Dijkstra: C++, told not to store paths."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="networkit")
def peer_networkit(device, graph, launch):
    """NetworKit: Dijkstra."""
    from networkit.distance import Dijkstra

    from warpath.algorithms.peers import answers, graphs

    converted = graphs.networkit(graph)

    def solve(source):
        search = Dijkstra(converted, source, storePaths=False)
        search.run()
        return Solution(lambda: answers.distances(search.getDistances(asarray=True)), iterations=1)

    return solve
