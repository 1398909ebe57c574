"""Harish and Narayanan 2007, algorithms 1 and 2: BFS with boolean frontier and visited arrays."""

from warpath.algorithms import Solution, algorithm, blocks_for, reset, sweep


@algorithm(paper="harish2007", launches=sweep(block=[64, 128, 256, 512, 1024]))
def frontier(device, graph, launch):
    """One thread a vertex: those in a boolean frontier array put their unvisited neighbours in the next one."""
    (expand,) = device.kernels(__file__, "expand")
    expand = expand[blocks_for(graph.vertices, launch.block), launch.block]
    arcs = graph.offsets, graph.targets
    frontier, next_frontier, visited = (device.xp.empty(graph.vertices, "bool") for _ in range(3))
    cost = device.xp.empty(graph.vertices, "uint32")
    grown = device.flag()

    def solve(source):
        nonlocal frontier, next_frontier
        reset(frontier, source, there=True, elsewhere=False)
        next_frontier.fill(False)
        visited.fill(False)
        reset(cost, source)
        levels, growing = 0, True
        while growing:
            grown.clear()
            expand(graph.vertices, *arcs, frontier, next_frontier, visited, cost, grown.array)
            frontier, next_frontier = next_frontier, frontier
            growing = grown.read()
            levels += 1
        return Solution(cost, iterations=levels)

    return solve
