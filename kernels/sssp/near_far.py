"""This project's own SSSP: one launch a search, by the fastest of its ways on the graph."""

import math
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
OUTBOX, MEMBER_BYTES = 128, 24  # vertices that a warp keeps before they are listed
LIST_ARCS = 2**32 - 2**20  # of a list, at most

# A mesh has far fewer than BALL vertices within STEPS arcs of another; random and social graphs have more.
BALL, STEPS = 4096, 8

# Of the search for the fastest way: where it begins, and how much slower a way may be there to be looked at further.
TRIED = (("window", 0), ("two sets", 64), ("buckets", 8))
HOPELESS = 3
MOST_DELTA = 1024
ROUND_US = 2  # of a search in buckets, at least


@algorithm(launches=sweep(delta=[0, 32, 64, 8, 16, 128, 512]) + sweep(delta=[4, 8, 16, 32, 64], way=["buckets"]))
def near_far(device, graph, launch):
    """Delta stepping in one launch, by whichever way is fastest: two sets, a sliding window or buckets; no readback."""
    if "way" in launch.parameters:
        return way(device, graph, launch.way, launch.delta)
    if launch.delta:
        return way(device, graph, "two sets", launch.delta)
    return way(device, graph, *(fastest(device, graph) if device.kind == "cuda" else likely(graph.on_host)))


def way(device, graph, name, delta, **options):
    solve = WAYS[name](device, graph, delta, **options)
    solve.chosen = {"way": name} | ({"delta": delta} if delta else {})
    return solve


def fastest(device, graph):
    """Return the way and the delta with which a search from the vertex with the most arcs is fastest."""
    offsets = graph.on_host.offsets
    source, times = int((offsets[1:] - offsets[:-1]).argmax()), {}

    def tried(name, delta):
        if (name, delta) not in times:
            times[name, delta] = trial(device, graph, name, delta, source, min(times.values(), default=math.inf))
        return times[name, delta]

    for start in TRIED:
        tried(*start)
    for name, delta in TRIED:
        if not delta or tried(name, delta) > HOPELESS * min(times.values()):
            continue
        for step in (lambda delta: 2 * delta, lambda delta: delta // 2):
            best = delta
            while 1 <= step(best) <= MOST_DELTA and tried(name, step(best)) < tried(name, best):
                best = step(best)
    return min(times, key=times.get)


def trial(device, graph, name, delta, source, fastest):
    """Return the time of a second search; infinity if it needs more memory than there is."""
    from warpath.devices.errors import OutOfMemory

    limit = {"most_rounds": HOPELESS * fastest * 1000 / ROUND_US} if name == "buckets" else {}
    try:
        return milliseconds(device, way(device, graph, name, delta, **limit), source)
    except OutOfMemory:
        return math.inf


def milliseconds(device, solve, source):
    """Return the time of a second search."""
    timer = device.timer()
    solve(source)
    timer.start()
    solve(source)
    timer.stop()
    return timer.milliseconds()


def unit_of_delta(graph):
    """Return the mean weight over the mean degree; delta is 32 of them, a warp's width, in the paper."""
    return float(graph.weights.mean()) * graph.vertices / graph.arcs if graph.arcs else 1


def likely(graph):
    """Return a way and a delta that suit the kind of graph."""
    if is_mesh(graph):
        if graph.arcs > 4.5 * graph.vertices:
            return "window", 0
        return "two sets", 512 if graph.vertices < 1_500_000 else 64  # blocks that go on by themselves make many hops
    return "two sets", 128 if graph.arcs < 2_000_000 else 32 if graph.arcs < 40_000_000 else 8


def is_mesh(graph):
    """Whether few vertices are near each other: a search goes on for STEPS levels and has not reached BALL vertices."""
    starts = [int(graph.targets[len(graph.targets) * part // 4]) for part in (1, 2, 3) if len(graph.targets)]
    return any(_goes_on(graph, start) for start in starts)


def _goes_on(graph, start):
    reached, frontier = {start}, {start}
    for _ in range(STEPS):
        inside = list(frontier)
        first, end = (graph.offsets[[vertex + more for vertex in inside]].tolist() for more in (0, 1))
        arcs = list(islice(chain.from_iterable(map(range, first, end)), 8 * BALL))
        frontier = set(graph.targets[arcs].tolist()) - reached
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
    return device.kernels(__file__, "search", "slide", "settle", block=BLOCK, **hops, **lists, **locks)


def lanes_of(graph):
    """Return how many lanes share the arcs of a vertex in lockstep, two each at a time."""
    return 8 if graph.arcs <= 8 * graph.vertices else 16


def shared_bytes(graph):
    return ENTRY_BYTES * (FOUND + 8 * BLOCK // lanes_of(graph)) + SLOT_BYTES * SLOTS + OTHER_BYTES


def distance_and_far(device, graph):
    return device.xp.empty(graph.vertices, "uint32"), device.xp.empty(-(-graph.vertices // 32), "uint32")


def two_sets(device, graph, delta):
    """Return a search whose threshold rises by delta when no vertex is near."""
    distance, far = distance_and_far(device, graph)
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


def window(device, graph, _):
    """Return a search whose threshold slides on with the least distance."""
    distance, far = distance_and_far(device, graph)
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


def in_buckets(device, graph, delta, most_rounds=math.inf):
    """Return a search by buckets, whose arcs are sorted by weight; it gives up after so many rounds."""
    distance = device.xp.empty(graph.vertices, "uint32")
    *_, settle = kernels(device, graph)
    shared = BLOCK // 32 * OUTBOX * MEMBER_BYTES
    settle = settle.cooperative[settle.resident_blocks(BLOCK, shared), BLOCK, shared]
    vertices, empty = graph.vertices, device.xp.empty
    lists, beyond = empty((2 * vertices, 4), "int32"), empty(2 * vertices, "int32")
    progress = device.xp.zeros(2 + 16, "uint64")
    rounds = progress.view("uint32")[1:2].reshape(())
    width = int(min(max(1, round(delta * unit_of_delta(graph))), UNREACHABLE))
    arcs = vertices, graph.arcs, graph.offsets, graph.by_weight
    most_rounds = int(min(most_rounds, 2**31))
    pull = 0 if graph.directed else PULL  # arcs lead both ways

    def solve(source):
        settle(*arcs, source, width, pull, most_rounds, distance, lists, vertices, LIST_ARCS, beyond, progress)
        return Solution(distance, iterations=rounds)

    return solve


WAYS = {"two sets": two_sets, "window": window, "buckets": in_buckets}
