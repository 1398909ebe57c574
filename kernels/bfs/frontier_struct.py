"""Singh 2017, section 4: Harish and Narayanan's BFS over an array of {first, count} structs, kernel calls counted."""

from warpath.algorithms import Solution, algorithm, blocks_for, reset, rounds_until_unchanged, sweep


@algorithm(paper="singh2017", launches=sweep(block=[512, 64, 128, 256, 1024]))
def frontier_struct(device, graph, launch):
    """The boolean frontier with one struct a vertex and a barrier in the kernel; 512 threads a block as published."""
    xp, n = device.xp, graph.vertices
    (expand,) = device.kernels(__file__, "expand")
    expand = expand[blocks_for(n, launch.block), launch.block]
    edges = graph.targets
    vertices = xp.stack([graph.offsets[:-1], graph.offsets[1:] - graph.offsets[:-1]], axis=1)
    frontier, next_frontier, visited = (xp.empty(n, "bool") for _ in range(3))
    cost = xp.empty(n, "uint32")
    update = device.flag()

    def one_call(_):
        nonlocal frontier, next_frontier
        expand(n, vertices, edges, frontier, next_frontier, visited, cost, update.array)
        frontier, next_frontier = next_frontier, frontier

    def solve(source):
        reset(frontier, source, there=True, elsewhere=False)
        next_frontier.fill(False)
        visited.fill(False)
        reset(cost, source)
        return Solution(cost, iterations=rounds_until_unchanged(update, one_call))

    return solve
