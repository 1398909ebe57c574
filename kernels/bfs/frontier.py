"""Harish and Narayanan 2007, algorithms 1 and 2: BFS with boolean frontier and visited arrays."""

from warpath.algorithms import BLOCK_SIZES, Solution, algorithm, blocks_for, reset, rounds_until_unchanged, sweep


@algorithm(paper="harish2007", launches=sweep(block=BLOCK_SIZES))
def frontier(device, graph, launch):
    """One thread a vertex: those in a boolean frontier array put their unvisited neighbours in the next one."""
    (expand,) = device.kernels(__file__, "expand", **graph.arc_width)
    expand = expand[blocks_for(graph.vertices, launch.block), launch.block]
    arcs = graph.offsets, graph.targets
    frontier, next_frontier, visited = (device.xp.empty(graph.vertices, "bool") for _ in range(3))
    cost = device.xp.empty(graph.vertices, "uint32")
    grown = device.flag()

    def one_level(_):
        nonlocal frontier, next_frontier
        expand(graph.vertices, *arcs, frontier, next_frontier, visited, cost, grown.array)
        frontier, next_frontier = next_frontier, frontier

    def solve(source):
        reset(frontier, source, there=True, elsewhere=False)
        next_frontier.fill(False)
        visited.fill(False)
        reset(cost, source)
        return Solution(cost, iterations=rounds_until_unchanged(grown, one_level))

    return solve
