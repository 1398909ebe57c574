"""This project's own BFS: one launch a search; push and pull, and many levels at a time where they are small."""

from warpath.algorithms import Solution, algorithm, sweep

BLOCK = 1024
STRETCH = 48  # levels that blocks go on by themselves
STEADY = 3  # levels of about the same size before they do
HOPS = 2 * STRETCH  # enough for that
KEPT_BYTES = 32  # of a vertex from which a block goes on; two lists of BLOCK / 4 of them, as in hops.cuh
HOP_ARCS = 16  # of a vertex from which a block goes on, at most
LOCAL_ARCS = 512  # of a frontier for each block, from which on it does not


@algorithm(launches=sweep(alpha=[16, 4], beta=[64]))
def persistent(device, graph, launch):
    """Push, pull, or stretches of levels that blocks do by themselves, as a level demands; no readback a level."""
    hops = {"stretch": STRETCH, "steady": STEADY, "hops": HOPS, "hop_arcs": HOP_ARCS, "local_arcs": LOCAL_ARCS}
    (search,) = device.kernels(__file__, "search", block=BLOCK, kept_bytes=KEPT_BYTES, **hops)
    vertices, empty = graph.vertices, device.xp.empty
    words = -(-vertices // 32)
    distance = empty(vertices, "uint32")
    visited, other_visited, left_bits = empty(words, "uint32"), empty(words, "uint32"), empty(2 * words, "uint32")
    frontier, left = empty((vertices, 2), "int32"), empty((2 * vertices, 2), "int32")
    state = device.xp.zeros(8, "uint64")
    levels = state.view("uint32")[1:2].reshape(())  # read by whoever asks, after the search
    kept = 2 * BLOCK // 4 * KEPT_BYTES
    search = search.cooperative[search.resident_blocks(BLOCK, kept), BLOCK, kept]
    of_graph = vertices, graph.arcs, graph.offsets, graph.targets
    sets = visited, other_visited, frontier, left, left_bits, state

    def solve(source):
        search(*of_graph, source, not graph.directed, launch.alpha, launch.beta, distance, *sets)
        return Solution(distance, iterations=levels)

    return solve
