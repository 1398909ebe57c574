"""BFS of Singh 2017 over an adjacency matrix, which section 7 compares with compact lists and does not measure."""

from warpath.algorithms import Solution, algorithm, blocks_for, reset

MOST_THREADS = 512  # in a block, by section 4.4
MOST_VERTICES = 2**16  # whose matrix takes 4 GB


@algorithm()
def matrix(device, graph, launch):
    """The boolean frontier over an adjacency matrix; one block with as many threads as vertices."""
    require_small(graph)
    xp, n = device.xp, graph.vertices
    fill, expand = device.kernels(__file__, "fill", "expand", **graph.arc_width)
    block = min(n, MOST_THREADS)
    shape = blocks_for(n, block), block
    adjacent = xp.empty(n * n, "bool")
    fill[shape](n, graph.offsets, graph.targets, adjacent)
    frontiers, visited = [xp.empty(n, "bool") for _ in range(2)], xp.empty(n, "bool")
    cost = xp.empty(n, "uint32")
    update = device.flag()
    calls = device.loop(
        update,
        *(
            expand.bound(shape, n, adjacent, *pair, visited, cost, update.array)
            for pair in (frontiers, frontiers[::-1])
        ),
    )

    def solve(source):
        reset(frontiers[0], source, there=True, elsewhere=False)
        frontiers[1].fill(False)
        visited.fill(False)
        reset(cost, source)
        return Solution(cost, iterations=calls())

    return solve


def require_small(graph):
    """Refuse a graph whose matrix takes more than 4 GB, before anything is allocated."""
    from warpath.devices.errors import UnsupportedLaunch

    if graph.vertices > MOST_VERTICES:
        raise UnsupportedLaunch(
            f"graph {graph.name} has {graph.vertices:,} vertices; a matrix is made for {MOST_VERTICES:,} at most"
        )
