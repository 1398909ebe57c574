"""This project's own BFS: one launch a search; push, pull, or walk where levels are small."""

from warpath.algorithms import Solution, algorithm, sweep

BLOCK = 1024
LOCAL_ARCS = 1024  # of a frontier for each block: with fewer, blocks go on from what they have found themselves
GROUP = 4  # arcs of a vertex that are queued together
QUEUE = 1024  # groups of a block's queue, at most
QUEUE_DEGREE = 1024  # arcs of a vertex that is queued, at most
STRETCH = 49  # levels that blocks go on by themselves; one more than a multiple of 6, as lists take turns
TRIAL = 13  # of the first stretch, likewise
ALLOWANCE = 16000  # clock cycles that a stretch may take beyond what walking takes
STEADY = 16  # levels of about the same size before a stretch
PATIENCE = 1000  # levels without a stretch after one that was slower than walking
STRETCH_ARCS = 512  # of a frontier for each block: with fewer, a stretch is tried
HOPS = 2 * STRETCH  # of a block in a round, at most
HOP_ARCS = 32  # of a vertex that a block goes on from in a stretch, at most
LOCAL_VERTEX_BYTES = 32  # as in hops.cuh, where a block has two lists of BLOCK / 4 vertices
PUSHED = 4  # arcs that a lane pushes along at a time
PULLED = 2  # ... and that it pulls along
LEAST_SHARE = 8  # groups that a block keeps when it gives others away, at least
ROOM = 256  # groups beyond which a block gives others away, unless all have many
SMALL_SHARE = 32  # groups that a block has before it gives others away, at least
GROWTH = 4  # times the groups of the level before, likewise


@algorithm(launches=sweep(alpha=[16, 4], beta=[64]))
def persistent(device, graph, launch):
    """Push, pull or walk, as a level demands; no readback a level."""
    queue = {
        "group": GROUP,
        "queue": QUEUE,
        "queue_degree": QUEUE_DEGREE,
        "least_share": LEAST_SHARE,
        "small_share": SMALL_SHARE,
        "room": ROOM,
        "growth": GROWTH,
    }
    bounds = {"block": BLOCK, "local_arcs": LOCAL_ARCS, "pushed": PUSHED, "pulled": PULLED}
    hops = {
        "stretch": STRETCH,
        "steady": STEADY,
        "trial": TRIAL,
        "patience": PATIENCE,
        "allowance": ALLOWANCE,
        "hops": HOPS,
        "hop_arcs": HOP_ARCS,
        "stretch_arcs": STRETCH_ARCS,
    }
    hops["local_vertex_bytes"] = LOCAL_VERTEX_BYTES
    (search,) = device.kernels(__file__, "search", **bounds, **queue, **hops)
    queues_bytes = 2 * QUEUE * 8 + 2 * BLOCK // 4 * LOCAL_VERTEX_BYTES
    blocks = min(search.resident_blocks(BLOCK, queues_bytes), 255)  # as in tally.cuh
    search = search.cooperative[blocks, BLOCK, queues_bytes]
    vertices, empty = graph.vertices, device.xp.empty
    words = -(-vertices // 32)
    distance, visited, visited_before = empty(vertices, "uint32"), empty(words, "uint32"), empty(words, "uint32")
    lists, given = empty((2 * vertices, 2), "int32"), empty((2 * QUEUE * blocks, 2), "int32")
    deferred, deferred_bits = empty((2 * vertices, 2), "int32"), empty(2 * words, "uint32")
    progress = device.xp.zeros(11, "uint64")
    levels = progress.view("uint32")[1:2].reshape(())  # on the device until it is converted to int
    arcs = vertices, graph.arcs, graph.offsets, graph.targets
    memory = distance, visited, visited_before, lists, given, deferred, deferred_bits, progress

    def solve(source):
        search(*arcs, source, not graph.directed, launch.alpha, launch.beta, *memory)
        return Solution(distance, iterations=levels)

    return solve
