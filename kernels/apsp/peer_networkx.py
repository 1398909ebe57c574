"""NetworkX's Dijkstra from every vertex: plain Python, and what most people try first."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="networkx")
def peer_networkx(device, graph, launch):
    """NetworkX: all_pairs_dijkstra_path_length."""
    from networkx import all_pairs_dijkstra_path_length

    from warpath.algorithms.peers import answers, graphs

    converted = graphs.networkx(graph)

    def solve(sources=None):
        reached = dict(all_pairs_dijkstra_path_length(converted))
        return Solution(lambda: answers.from_dicts(reached, graph.vertices), iterations=1)

    return solve
