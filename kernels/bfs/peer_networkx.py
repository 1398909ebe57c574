"""NetworkX's breadth-first search: plain Python, and what most people try first."""

from warpath.algorithms import Solution, algorithm


@algorithm(device="peer", library="networkx")
def peer_networkx(device, graph, launch):
    """NetworkX: single_source_shortest_path_length."""
    from networkx import single_source_shortest_path_length

    from warpath.algorithms.peers import answers, graphs

    converted = graphs.networkx(graph, weighted=False)

    def solve(source):
        reached = single_source_shortest_path_length(converted, source)
        return Solution(lambda: answers.from_dict(reached, graph.vertices), iterations=1)

    return solve
