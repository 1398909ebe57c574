"""This project's own BFS: two launches a search, push and pull, and short levels within one cluster of blocks."""

from warpath.algorithms import Solution, algorithm, cluster_of, sweep

CAPACITY = 128  # of an inbox, at most: messages from one block of the cluster to another in a level
MOST_ARCS = 64  # of a vertex whose arcs a few threads follow
WIDE_BLOCK = 1024
NOBODY = -1


@algorithm(launches=sweep(block=[1024, 512], alpha=[16, 4], beta=[64]) + sweep(alpha=[16, 4], start=["wide"]))
def persistent(device, graph, launch):
    """Small levels in the shared memory of one cluster of blocks, others by all of them; no readback a level."""
    axes = {"block": 1024, "beta": 64, "start": "narrow"} | launch.parameters
    blocks, most_shared = cluster_of(device)
    narrow, wide = device.kernels(__file__, "search_narrow", "search_wide", cluster=blocks, wide_block=WIDE_BLOCK)
    vertices, arcs = graph.vertices, (graph.offsets, graph.targets)
    own_words = -(-vertices // (32 * blocks))
    distance = device.xp.empty(vertices, "uint32")
    visited, other_visited = (device.xp.empty(own_words * blocks, "uint32") for _ in range(2))
    frontier = device.xp.empty((vertices, 2), "int32")
    search = device.xp.zeros(6, "uint64")
    levels = search.view("uint32")[1:2].reshape(())  # read by whoever asks, after the search

    fixed = 4 * own_words + 20 * blocks + 32
    capacity = min(CAPACITY, (most_shared - fixed) // (24 * blocks)) // 2 * 2
    starts_narrow = axes["start"] == "narrow" and capacity > 0
    if starts_narrow:
        narrow = narrow.cooperative[blocks, axes["block"], fixed + 24 * blocks * capacity]
    wide = wide.cooperative[wide.resident_blocks(WIDE_BLOCK), WIDE_BLOCK]
    pulls = axes["alpha"], axes["beta"]

    def solve(source):
        if starts_narrow:
            narrow(vertices, *arcs, source, capacity, MOST_ARCS, distance, visited, frontier, search)
            source = NOBODY
        sets = visited, other_visited, frontier
        wide(vertices, graph.arcs, *arcs, source, not graph.directed, *pulls, distance, *sets, search)
        return Solution(distance, iterations=levels)

    return solve
