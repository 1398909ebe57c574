"""NetworKit's breadth-first search: C++, without the paths that it would store unasked."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="networkit")
def peer_networkit(device, graph, launch):
    """NetworKit: BFS."""
    from networkit.distance import BFS

    from warpath.peers import answers, graphs

    made = graphs.networkit(graph, weighted=False)

    def solve(source):
        search = BFS(made, source, storePaths=False)
        search.run()
        return Solution(lambda: answers.distances(search.getDistances(asarray=True)), iterations=1)

    return solve
