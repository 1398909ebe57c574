"""This project's own SSSP: near and far sets, one launch a search; blocks go on by themselves where few are near."""

from warpath.algorithms import UNREACHABLE, Solution, algorithm, sweep

BLOCK = 1024
HOPS = 64  # of a block in a round, at most
HOP_ARCS = 16  # of a vertex that a block goes on from, at most
LOCAL_ARCS = 512  # of the near set for each block: with fewer, blocks go on by themselves,
MEAN_ARCS = 4  # unless near vertices have more arcs than this on average
LOCAL_VERTEX_BYTES = 48  # as in hops.cuh, where a block has two lists of BLOCK / 4 vertices


def unit_of_delta(graph):
    """Return the mean weight over the mean degree; delta is 32 of them, a warp's width, in the paper."""
    return float(graph.weights.mean()) * graph.vertices / graph.arcs if graph.arcs else 1


# Roads and grids are fastest with 64 and more, which gives blocks many hops in a round; graphs of high degree with 8,
# where few arcs are relaxed in vain. 32 is first because it is never far from the best.
@algorithm(launches=sweep(delta=[32, 64, 8, 16, 128, 512]))
def near_far(device, graph, launch):
    """A near and a far set, and many hops a round where the near set is small; no readback a round."""
    hops = {"hops": HOPS, "hop_arcs": HOP_ARCS, "local_arcs": LOCAL_ARCS, "mean_arcs": MEAN_ARCS}
    (search,) = device.kernels(__file__, "search", block=BLOCK, local_vertex_bytes=LOCAL_VERTEX_BYTES, **hops)
    lists_bytes = 2 * BLOCK // 4 * LOCAL_VERTEX_BYTES
    search = search.cooperative[search.resident_blocks(BLOCK, lists_bytes), BLOCK, lists_bytes]
    vertices, empty = graph.vertices, device.xp.empty
    words = -(-vertices // 32)
    delta = int(min(max(1, launch.delta * unit_of_delta(graph)), UNREACHABLE))
    distance, far, queued = empty(vertices, "uint32"), empty(words, "uint32"), empty(2 * words, "uint32")
    near = empty((2 * vertices, 2), "int32")
    progress = device.xp.zeros(6, "uint64")
    rounds = progress.view("uint32")[1:2].reshape(())  # on the device until it is converted to int
    arcs = vertices, graph.offsets, graph.targets, graph.weights

    def solve(source):
        search(*arcs, source, delta, distance, far, queued, near, progress)
        return Solution(distance, iterations=rounds)

    return solve
