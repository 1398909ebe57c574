"""This project's own BFS: one launch a search, by the faster of its two kernels on the graph."""

from functools import partial

from warpath.algorithms import Solution, algorithm, sweep

BLOCK = 1024
# Stretches
STRETCH = 48  # levels that blocks go on by themselves
STEADY = 3  # levels of about the same size before a stretch
HOPS = 2 * STRETCH  # of a block in a round, at most
HOP_ARCS = 16  # of a vertex that a block goes on from, at most
LOCAL_ARCS = 512  # of a frontier for each block: with fewer, blocks go on by themselves
LOCAL_VERTEX_BYTES = 32  # as in hops.cuh, where a block has two lists of BLOCK / 4 vertices
# Walks
WALKED_ARCS = 2048  # of a frontier for each block: with fewer, blocks go on from what they have found themselves
QUEUED_ARCS = 4096  # of a block, at most
QUEUED_DEGREE = 1024  # arcs of a vertex that is queued, at most
ROOM = 1024  # arcs beyond which a block gives others away, unless all have many
GROWTH = 4  # times the groups of arcs of the level before, beyond which it does so too,
SMALL_SHARE = 32  # unless it has fewer groups than this
LEAST_SHARE = 8  # groups that it keeps then, at least


def memory(device, graph, lists, words):
    """Return what both kernels need: distances, two bitmaps, and progress with a view of its count of levels."""
    empty = device.xp.empty
    bits = -(-graph.vertices // 32)
    progress = device.xp.zeros(words, "uint64")
    levels = progress.view("uint32")[1:2].reshape(())  # on the device until it is converted to int
    vertices = empty(graph.vertices, "uint32"), empty(bits, "uint32"), empty(bits, "uint32")
    return vertices, empty((lists * graph.vertices, 2), "int32"), progress, levels


def stretching(device, graph, launch):
    """Push, pull, or stretches of levels that blocks do by themselves, as a level demands; no readback a level."""
    hops = {"stretch": STRETCH, "steady": STEADY, "hops": HOPS, "hop_arcs": HOP_ARCS, "local_arcs": LOCAL_ARCS}
    hops |= {"block": BLOCK, "local_vertex_bytes": LOCAL_VERTEX_BYTES}
    (search,) = device.kernels(__file__, "search", walks=0, **hops)
    lists_bytes = 2 * BLOCK // 4 * LOCAL_VERTEX_BYTES
    search = search.cooperative[search.resident_blocks(BLOCK, lists_bytes), BLOCK, lists_bytes]
    (distance, *visited), frontier, progress, levels = memory(device, graph, 1, 8)
    deferred = device.xp.empty((2 * graph.vertices, 2), "int32")
    deferred_bits = device.xp.empty(2 * len(visited[0]), "uint32")
    arcs = graph.vertices, graph.arcs, graph.offsets, graph.targets

    def solve(source):
        query = source, not graph.directed, launch.alpha, launch.beta
        search(*arcs, *query, distance, *visited, frontier, deferred, deferred_bits, progress)
        return Solution(distance, iterations=levels)

    return solve


def walking(device, graph, launch, group):
    """Push, pull or walk; `group` lanes share arcs of a vertex in a walk."""
    queue = {"group": group, "queue": QUEUED_ARCS // group, "queue_degree": QUEUED_DEGREE, "room": ROOM // group}
    queue |= {"growth": GROWTH, "small_share": SMALL_SHARE, "least_share": LEAST_SHARE}
    (search,) = device.kernels(__file__, "search", walks=1, block=BLOCK, local_arcs=WALKED_ARCS, **queue)
    queues_bytes = 2 * queue["queue"] * 8
    blocks = min(search.resident_blocks(BLOCK, queues_bytes), 255)  # as in tally.cuh
    search = search.cooperative[blocks, BLOCK, queues_bytes]
    (distance, *visited), lists, progress, levels = memory(device, graph, 2, 7)
    given = device.xp.empty((2 * queue["queue"] * blocks, 2), "int32")
    arcs = graph.vertices, graph.arcs, graph.offsets, graph.targets

    def solve(source):
        query = source, not graph.directed, launch.alpha, launch.beta
        search(*arcs, *query, distance, *visited, lists, given, progress)
        return Solution(distance, iterations=levels)

    return solve


WAYS = {"stretching": stretching, "walking": partial(walking, group=4), "walking in pairs": partial(walking, group=2)}
TRIED = tuple(WAYS)


def milliseconds(device, solve, source):
    """Return the time of a second search."""
    timer = device.timer()
    solve(source)
    timer.start()
    solve(source)
    timer.stop()
    return timer.milliseconds()


@algorithm(launches=sweep(alpha=[16, 4], beta=[64]))
def persistent(device, graph, launch):
    """Push, pull, and stretches or walks where levels are small: what is fastest from the vertex with the most arcs."""
    if device.kind != "cuda" or len(TRIED) == 1:
        return WAYS[TRIED[0]](device, graph, launch)
    offsets = device.get(graph.offsets)
    source = int((offsets[1:] - offsets[:-1]).argmax())
    fastest = min(TRIED, key=lambda way: milliseconds(device, WAYS[way](device, graph, launch), source))
    return WAYS[fastest](device, graph, launch)
