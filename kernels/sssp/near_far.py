"""This project's own SSSP: near and far sets, two launches a search, small rounds within one cluster of blocks."""

from warpath.algorithms import UNREACHABLE, Solution, algorithm, cluster_of, sweep

CAPACITY = 256  # of an inbox, at most: messages from one block of the cluster to another in a round
MOST_ARCS = 64  # of a vertex whose arcs a few threads follow
WIDE_BLOCK = 1024
NOBODY = -1


def unit_of_delta(graph):
    """The mean weight over the mean degree: 32 of them are what the arcs of a warp's worth of vertices reach."""
    return float(graph.weights.mean()) * graph.vertices / graph.arcs if graph.arcs else 1


@algorithm(launches=sweep(delta=[32, 8, 64, 128, 512]) + sweep(delta=[32, 128], start=["wide"]))
def near_far(device, graph, launch):
    """Small rounds in the shared memory of one cluster of blocks, others by all of them; no readback a round."""
    axes = {"block": 1024, "start": "narrow"} | launch.parameters
    blocks, most_shared = cluster_of(device)
    narrow, wide = device.kernels(__file__, "search_narrow", "search_wide", cluster=blocks, wide_block=WIDE_BLOCK)
    vertices, arcs = graph.vertices, (graph.offsets, graph.targets, graph.weights)
    delta = int(min(max(1, axes["delta"] * unit_of_delta(graph)), UNREACHABLE))
    own_words = -(-vertices // (32 * blocks))
    distance = device.xp.empty(vertices, "uint32")
    far = device.xp.empty(own_words * blocks, "uint32")
    queued = device.xp.empty(2 * own_words * blocks, "uint32")
    frontier = device.xp.empty((2 * vertices, 2), "int32")
    search = device.xp.zeros(7, "uint64")
    rounds = search.view("uint32")[1:2].reshape(())  # read by whoever asks, after the search

    fixed = 4 * (own_words + axes["block"]) + 20 * blocks + 32
    capacity = min(CAPACITY, (most_shared - fixed) // (40 * blocks)) // 2 * 2
    starts_narrow = axes["start"] == "narrow" and capacity > 0
    if starts_narrow:
        narrow = narrow.cooperative[blocks, axes["block"], fixed + 40 * blocks * capacity]
    wide = wide.cooperative[wide.resident_blocks(WIDE_BLOCK), WIDE_BLOCK]

    def solve(source):
        if starts_narrow:
            narrow(vertices, *arcs, source, delta, capacity, MOST_ARCS, distance, far, queued, search)
            source = NOBODY
        wide(vertices, *arcs, source, delta, distance, far, queued, frontier, search)
        return Solution(distance, iterations=rounds)

    return solve
