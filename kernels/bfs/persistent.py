"""This project's own BFS: one launch a search; push, pull, or many levels at a time where levels are small."""

from warpath.algorithms import Solution, algorithm, sweep

BLOCK = 1024
STRETCH = 48  # levels that blocks go on by themselves
STEADY = 3  # levels of about the same size before a stretch
HOPS = 2 * STRETCH  # of a block in a round, at most
HOP_ARCS = 16  # of a vertex that a block goes on from, at most
LOCAL_ARCS = 512  # of a frontier for each block: with fewer, blocks go on by themselves
LOCAL_VERTEX_BYTES = 32  # as in hops.cuh, where a block has two lists of BLOCK / 4 vertices


@algorithm(launches=sweep(alpha=[16, 4], beta=[64]))
def persistent(device, graph, launch):
    """Push, pull, or stretches of levels that blocks do by themselves, as a level demands; no readback a level."""
    hops = {"stretch": STRETCH, "steady": STEADY, "hops": HOPS, "hop_arcs": HOP_ARCS, "local_arcs": LOCAL_ARCS}
    (search,) = device.kernels(__file__, "search", block=BLOCK, local_vertex_bytes=LOCAL_VERTEX_BYTES, **hops)
    lists_bytes = 2 * BLOCK // 4 * LOCAL_VERTEX_BYTES
    search = search.cooperative[search.resident_blocks(BLOCK, lists_bytes), BLOCK, lists_bytes]
    vertices, empty = graph.vertices, device.xp.empty
    words = -(-vertices // 32)
    distance = empty(vertices, "uint32")
    visited, visited_before, deferred_bits = empty(words, "uint32"), empty(words, "uint32"), empty(2 * words, "uint32")
    frontier, deferred = empty((vertices, 2), "int32"), empty((2 * vertices, 2), "int32")
    progress = device.xp.zeros(8, "uint64")
    levels = progress.view("uint32")[1:2].reshape(())  # on the device until it is converted to int
    arcs = vertices, graph.arcs, graph.offsets, graph.targets
    memory = distance, visited, visited_before, frontier, deferred, deferred_bits, progress

    def solve(source):
        search(*arcs, source, not graph.directed, launch.alpha, launch.beta, *memory)
        return Solution(distance, iterations=levels)

    return solve
