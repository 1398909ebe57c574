"""This project's own SSSP: near and far sets, one launch a search; blocks go on by themselves where few are near."""

from warpath.algorithms import UNREACHABLE, Solution, algorithm, sweep

BLOCK = 1024
HOPS = 64  # that a block makes by itself in a round, at most
KEPT_BYTES = 48  # of a vertex from which a block goes on; two lists of BLOCK / 4 of them, as in hops.cuh
HOP_ARCS = 16  # of a vertex from which it makes one, at most
LOCAL_ARCS = 512  # of the near set for each block, from which on it makes none
MEAN_ARCS = 4  # of a near vertex, above which it makes none


def unit_of_delta(graph):
    """The mean weight over the mean degree: 32 of them are what the arcs of a warp's worth of vertices reach."""
    return float(graph.weights.mean()) * graph.vertices / graph.arcs if graph.arcs else 1


# Roads and grids are fastest with 64 and more, which gives blocks many hops in a round; graphs of high degree with 8,
# where little is relaxed in vain. 32 comes first because it is never far from the best.
@algorithm(launches=sweep(delta=[32, 64, 8, 16, 128, 512]))
def near_far(device, graph, launch):
    """A near and a far set, and many hops a round where the near set is small; no readback a round."""
    hops = {"hops": HOPS, "hop_arcs": HOP_ARCS, "local_arcs": LOCAL_ARCS, "mean_arcs": MEAN_ARCS}
    (search,) = device.kernels(__file__, "search", block=BLOCK, kept_bytes=KEPT_BYTES, **hops)
    vertices, empty = graph.vertices, device.xp.empty
    words = -(-vertices // 32)
    delta = int(min(max(1, launch.delta * unit_of_delta(graph)), UNREACHABLE))
    distance, far, queued = empty(vertices, "uint32"), empty(words, "uint32"), empty(2 * words, "uint32")
    frontier = empty((2 * vertices, 2), "int32")
    state = device.xp.zeros(6, "uint64")
    rounds = state.view("uint32")[1:2].reshape(())  # read by whoever asks, after the search
    kept = 2 * BLOCK // 4 * KEPT_BYTES
    search = search.cooperative[search.resident_blocks(BLOCK, kept), BLOCK, kept]
    of_graph = vertices, graph.offsets, graph.targets, graph.weights

    def solve(source):
        search(*of_graph, source, delta, distance, far, queued, frontier, state)
        return Solution(distance, iterations=rounds)

    return solve
