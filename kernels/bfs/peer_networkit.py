"""NetworKit's breadth-first search: C++, told not to store paths."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="networkit")
def peer_networkit(device, graph, launch):
    """NetworKit: BFS."""
    from networkit.distance import BFS

    from warpath.algorithms.peers import answers, graphs

    converted = graphs.networkit(graph, weighted=False)

    def solve(source):
        search = BFS(converted, source, storePaths=False)
        search.run()
        return Solution(lambda: answers.distances(search.getDistances(asarray=True)), iterations=1)

    return solve
