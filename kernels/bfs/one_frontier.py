"""Harish and Narayanan 2007, algorithms 1 and 2 as printed: BFS with one boolean frontier, read and written at once."""

from warpath.algorithms import BLOCK_SIZES, Solution, algorithm, blocks_for, reset, rounds_until_unchanged, sweep


@algorithm(paper="harish2007", exact=False, launches=sweep(block=BLOCK_SIZES))
def one_frontier(device, graph, launch):
    """One thread a vertex; a vertex may be processed in the launch that adds it to the frontier. Wrong by design."""
    (expand,) = device.kernels(__file__, "expand", **graph.arc_width)
    expand = expand[blocks_for(graph.vertices, launch.block), launch.block]
    arcs = graph.offsets, graph.targets
    frontier, visited = (device.xp.empty(graph.vertices, "bool") for _ in range(2))
    cost = device.xp.empty(graph.vertices, "uint32")
    grown = device.flag()

    def one_launch(_):
        expand(graph.vertices, *arcs, frontier, visited, cost, grown.array)

    def solve(source):
        reset(frontier, source, there=True, elsewhere=False)
        visited.fill(False)
        reset(cost, source)
        return Solution(cost, iterations=rounds_until_unchanged(grown, one_launch))

    return solve
