"""This project's own SSSP: near and far sets in one launch a search; delta 0 chooses how, from the graph."""

from itertools import chain, islice

from warpath.algorithms import UNREACHABLE, Solution, algorithm, sweep

BLOCK = 1024
HOPS = 64  # of a block in a round, at most
HOP_ARCS = 16  # of a vertex that a block goes on from, at most
LOCAL_ARCS = 512  # of the near set for each block: with fewer, blocks go on by themselves,
MEAN_ARCS = 4  # unless near vertices have more arcs than this on average
LOCAL_VERTEX_BYTES = 48  # as in hops.cuh, where a block has two lists of BLOCK / 4 vertices

# Of a sliding window (window.cuh and lockstep.cuh).
SLOTS = 64
REACH = 48  # slots from the least distance to the threshold, at most
ENOUGH_ARCS = 300_000  # in a round: with more, the window shrinks
LARGE_ARCS = 200_000  # in a round: with more, vertices whose distance has fallen are dropped before their arcs are read
FOUND = 2 * BLOCK  # vertices that a block keeps
ENTRY_BYTES, SLOT_BYTES, OTHER_BYTES = 16, 12, 192  # of shared memory: for each vertex and slot, and beside
LOCK_SHARE = 2  # near vertices for each group of lanes, on average: with more, blocks do not go on in lockstep
ROOM = 1024  # of a list, and a share of the vertices
NEAR_SHARE, SLOT_SHARE = 2, 16

# Of buckets (near_far/buckets.cuh)
PULL = 2  # a search pulls when pushing would relax more than 1 / PULL of the arcs of all vertices beyond
LIST_ARCS = 2**32 - 2**20  # of a list, at most
SORTED = 1 << 26  # arcs that are sorted at a time

# A mesh has far fewer than BALL vertices within STEPS arcs of another; random and social graphs have more.
BALL, STEPS = 4096, 8


@algorithm(launches=sweep(delta=[0, 32, 64, 8, 16, 128, 512]) + sweep(delta=[4, 8, 16, 32], way=["buckets"]))
def near_far(device, graph, launch):
    """A near and a far set, or on meshes a window that slides; many hops a round where few are near; no readback."""
    distance, far = device.xp.empty(graph.vertices, "uint32"), device.xp.empty(-(-graph.vertices // 32), "uint32")
    if launch.parameters.get("way") == "buckets":
        return in_buckets(device, graph, distance, far, launch.delta)
    delta = launch.delta or chosen_delta(graph, device.xp)
    return (two_sets if delta else window)(device, graph, distance, far, delta)


def unit_of_delta(graph):
    """Return the mean weight over the mean degree; delta is 32 of them, a warp's width, in the paper."""
    return float(graph.weights.mean()) * graph.vertices / graph.arcs if graph.arcs else 1


def chosen_delta(graph, xp):
    """Return the delta that is near the best by docs/performance.md; 0 stands for a window that slides."""
    if is_mesh(graph, xp):
        if graph.arcs > 4.5 * graph.vertices:
            return 0
        return 512 if graph.vertices < 1_500_000 else 64  # blocks that go on by themselves make many hops
    return 128 if graph.arcs < 2_000_000 else 32 if graph.arcs < 40_000_000 else 8


def is_mesh(graph, xp):
    """Whether few vertices are near each other: a search goes on for STEPS levels and has not reached BALL vertices."""
    starts = [int(graph.targets[len(graph.targets) * part // 4]) for part in (1, 2, 3) if len(graph.targets)]
    return any(_goes_on(graph, xp, start) for start in starts)


def _goes_on(graph, xp, start):
    def taken(array, places):
        return array[xp.asarray(places, "int64")].tolist()

    reached, frontier = {start}, {start}
    for _ in range(STEPS):
        inside = list(frontier)
        first, end = taken(graph.offsets, inside), taken(graph.offsets, [vertex + 1 for vertex in inside])
        arcs = list(islice(chain.from_iterable(map(range, first, end)), 8 * BALL))
        frontier = set(taken(graph.targets, arcs)) - reached
        reached |= frontier
        if not frontier or len(reached) >= BALL:
            return False
    return True


def arcs_of(graph):
    leaf = 0 if graph.directed else 1  # arcs: the only one leads back to where such a vertex was reached from
    return graph.vertices, graph.offsets, graph.targets, graph.weights, leaf


def kernels(device, graph):
    lanes = lanes_of(graph)
    hops = {"hops": HOPS, "hop_arcs": HOP_ARCS, "local_arcs": LOCAL_ARCS, "mean_arcs": MEAN_ARCS}
    lists = {"local_vertex_bytes": LOCAL_VERTEX_BYTES, "found": FOUND, "shared_bytes": shared_bytes(graph)}
    locks = {"large_arcs": LARGE_ARCS, "lock_lanes": lanes, "lock_most": LOCK_SHARE * BLOCK // lanes}
    buckets = {"list_arcs": f"{LIST_ARCS}u"}
    return device.kernels(__file__, "search", "slide", "settle", block=BLOCK, **hops, **lists, **locks, **buckets)


def lanes_of(graph):
    """Return how many lanes share the arcs of a vertex in lockstep, two each at a time."""
    return 8 if graph.arcs <= 8 * graph.vertices else 16


def shared_bytes(graph):
    return ENTRY_BYTES * (FOUND + 8 * BLOCK // lanes_of(graph)) + SLOT_BYTES * SLOTS + OTHER_BYTES


def two_sets(device, graph, distance, far, delta):
    """Return a search whose threshold rises by delta when no vertex is near."""
    search, _, _ = kernels(device, graph)
    lists_bytes = 2 * BLOCK // 4 * LOCAL_VERTEX_BYTES
    search = search.cooperative[search.resident_blocks(BLOCK, lists_bytes), BLOCK, lists_bytes]
    vertices, empty = graph.vertices, device.xp.empty
    width = int(min(max(1, delta * unit_of_delta(graph)), UNREACHABLE))
    queued, near = empty(2 * len(far), "uint32"), empty((2 * vertices, 2), "int32")
    progress = device.xp.zeros(6, "uint64")
    rounds = progress.view("uint32")[1:2].reshape(())  # on the device until it is converted to int
    arcs = arcs_of(graph)

    def solve(source):
        search(*arcs, source, width, distance, far, queued, near, progress)
        return Solution(distance, iterations=rounds)

    return solve


def window(device, graph, distance, far, _):
    """Return a search whose threshold slides on with the least distance."""
    _, slide, _ = kernels(device, graph)
    shared = shared_bytes(graph)
    blocks = slide.resident_blocks(BLOCK, shared)
    slide = slide.cooperative[blocks, BLOCK, shared]
    vertices, empty = graph.vertices, device.xp.empty
    near_room, slot_room = vertices // NEAR_SHARE + ROOM, vertices // SLOT_SHARE + ROOM
    near, slots = empty((2 * near_room, 4), "int32"), empty((SLOTS * slot_room, 4), "int32")
    said, progress = device.xp.zeros(2 * blocks, "uint64"), device.xp.zeros(7 + SLOTS, "uint64")
    rounds = progress.view("uint32")[1:2].reshape(())
    width = int(min(max(1, round(unit_of_delta(graph))), UNREACHABLE))
    arcs, pace = arcs_of(graph), (width, 1, REACH, ENOUGH_ARCS)

    def solve(source):
        slide(*arcs, source, *pace, distance, far, near, near_room, slots, slot_room, said, progress)
        return Solution(distance, iterations=rounds)

    return solve


def in_buckets(device, graph, distance, _, delta):
    """Return a search by buckets, whose arcs are sorted by weight."""
    *_, settle = kernels(device, graph)
    settle = settle.cooperative[settle.resident_blocks(BLOCK), BLOCK]
    vertices, empty = graph.vertices, device.xp.empty
    lists, beyond = empty((2 * vertices, 4), "int32"), empty(2 * vertices, "int32")
    progress = device.xp.zeros(2 + 16, "uint64")
    rounds = progress.view("uint32")[1:2].reshape(())
    width = int(min(max(1, round(delta * unit_of_delta(graph))), UNREACHABLE))
    arcs = vertices, graph.arcs, graph.offsets, sorted_by_weight(graph, device.xp)
    pull = 0 if graph.directed else PULL  # arcs lead both ways

    def solve(source):
        settle(*arcs, source, width, pull, distance, lists, vertices, beyond, progress)
        return Solution(distance, iterations=rounds)

    return solve


def sorted_by_weight(graph, xp):
    """Return targets and weights of all arcs, those of a vertex in order of weight."""
    arcs = xp.empty((graph.arcs, 2), "int32")
    at = 0
    while at < graph.vertices:
        first = int(graph.offsets[at])
        end = max(at + 1, int(xp.searchsorted(graph.offsets, first + SORTED, side="right")) - 1)
        offsets = graph.offsets[at : end + 1].astype("int64") - first
        last = first + int(offsets[-1])
        tails = xp.zeros(last - first + 1, "int64")
        xp.add.at(tails, offsets[:-1], 1)
        key = (xp.cumsum(tails[:-1]) << 31) | graph.weights[first:last].astype("int64")
        order = xp.argsort(key, kind="stable")
        arcs[first:last, 0] = graph.targets[first:last][order]
        arcs[first:last, 1] = graph.weights[first:last][order]
        at = end
    return arcs
