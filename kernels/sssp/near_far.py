"""This project's own SSSP: one launch a search, by the way that suits the kind of graph."""

from warpath.algorithms import UNREACHABLE, Solution, algorithm, kinds, sweep

BLOCK = 1024
HOPS = 64  # of a block in a round, at most
HOP_ARCS = HOPS  # of a vertex that a block goes on from, at most
HOP_LANES = 4  # share the arcs of a vertex
LOCAL_ARCS = 512  # of the near set for each block: with fewer, blocks go on by themselves,
MEAN_ARCS = HOP_LANES  # unless near vertices have more arcs than this on average

# Of a sliding window (window.cuh and lockstep.cuh)
SLOTS = 64
REACH = 3 * SLOTS // 4  # slots from the least distance to the threshold, at most
ENOUGH_ARCS = 4 * LOCAL_ARCS  # for each block in a round: with more, the window shrinks
FOUND = 2 * BLOCK  # vertices that a block keeps
LOCK_LANES = 16  # share the arcs of a vertex in lockstep, two each at a time
ROOM = BLOCK  # of a list, and a share of the vertices
SLOT_SHARE = 16
NEAR_ROOM = SLOT_SHARE // 2  # times that of a slot

# Of buckets (near_far/buckets.cuh)
PULL = 2  # a search pulls when pushing would relax more than 1 / PULL of the arcs of all vertices beyond
FEW_IN_ROUND, PATIENCE = 4 * BLOCK, 32  # arcs; and after so many rounds with fewer, one after another, two sets go on
ITEM_BITS = 28  # of a number of items of a list
LIST_ARCS, WIDE_LIST_ARCS = 2**32 - 2**20, 2**35  # of a list, at most

# Of the choice
WEIGHED = 4 * BLOCK  # arcs, of which the mean weight is taken
SMALL_ARCS, FEW_ARCS, MANY_ARCS = 500_000, 2_000_000, 40_000_000
LARGE_MESH = 1_500_000  # vertices
MESH_DELTA, LARGE_MESH_DELTA = 512, 64  # of two sets on few arcs a vertex: blocks that go on by themselves hop often
FEW_DELTA, DELTA = 128, 32  # of two sets with few arcs, and with more
BUCKET_DELTA, FEW_READ_DELTA = 8, 2  # the latter where reading few arcs counts more than few rounds


@algorithm(
    launches=sweep(delta=[0])
    + sweep(delta=[0], tree=["tree"])
    + sweep(delta=[2, 8, 32], way=["buckets"])
    + sweep(delta=[32, 64, 8, 16, 128, 512])
)
def near_far(device, graph, launch):
    """Delta stepping in one launch, by two sets, a sliding window or buckets; no readback."""
    name, delta = launch.parameters.get("way", "two sets"), launch.delta
    if not delta:
        name, delta = likely(graph)
    if name != "buckets" and is_wide(graph):
        graph.require_counted()
    solve = WAYS[name](device, graph, delta)
    solve.chosen = f"{name}, delta {delta}" if delta else name
    return with_parents(device, graph, solve) if "tree" in launch.parameters else solve


def is_wide(graph):
    return graph.arc_type == "int64"


def likely(graph):
    """Return a way and a delta that suit the kind of graph."""
    kind = kinds.look(graph.on_host)
    if kind.is_mesh and not is_wide(graph):
        if graph.arcs > HOP_LANES * graph.vertices:
            return "window", 0
        tight = graph.vertices >= LARGE_MESH or mean_weight(graph) < 1  # the latter where many weights are 0
        return "two sets", LARGE_MESH_DELTA if tight else MESH_DELTA
    if is_wide(graph) or graph.over_link or (not graph.directed and graph.arcs >= MANY_ARCS):
        return "buckets", FEW_READ_DELTA if kind.has_hubs or graph.over_link else BUCKET_DELTA
    if not graph.directed and kind.has_hubs and graph.arcs >= FEW_ARCS:
        return "buckets", 2 * FEW_READ_DELTA
    if graph.arcs < SMALL_ARCS:
        return "window", 0
    return "two sets", FEW_DELTA if graph.arcs < FEW_ARCS else DELTA


def mean_weight(graph):
    return float(kinds.sample(graph.on_host.weights, WEIGHED).mean())


def width_of(graph, delta):
    """Return delta times the mean weight of a sample over the mean degree; it is a warp's width, 32, in the paper."""
    unit = graph.arcs and mean_weight(graph) * graph.vertices / graph.arcs
    return int(min(max(1, round(delta * (unit or 1))), UNREACHABLE))


def arcs_of(graph):
    leaf = 0 if graph.directed else 1  # arcs: the only one leads back to where such a vertex was reached from
    return graph.vertices, graph.offsets, graph.targets, graph.weights, leaf


def kernel(device, graph, name, shared=0):
    """Return a kernel with as many blocks as there is room for at once, and their number."""
    defines = {"block": BLOCK, "hops": HOPS, "hop_arcs": HOP_ARCS, "hop_lanes": HOP_LANES, "local_arcs": LOCAL_ARCS}
    defines |= {"mean_arcs": MEAN_ARCS, "slots": SLOTS, "found": FOUND, "lock_lanes": LOCK_LANES}
    wide = graph.arc_width and graph.arc_width | {"vertex_bits": ITEM_BITS}
    (found,) = device.kernels(__file__, name, **defines, item_bits=ITEM_BITS, **wide)
    blocks = found.resident_blocks(BLOCK, shared)
    return found.cooperative[blocks, BLOCK, shared], blocks


def progress_of(device, words):
    """Return what blocks tell each other, with the number of rounds, on the device until it is converted to int."""
    progress = device.xp.zeros(words, "uint64")
    return progress, progress.view("uint32")[1:2].reshape(())


def two_sets(device, graph, delta, memory=None):
    """Return a search whose threshold rises by delta when no vertex is near; `memory` is that of one to go on from."""
    search, _ = kernel(device, graph, "search")
    vertices, empty = graph.vertices, device.xp.empty
    if memory is None:
        memory = empty(vertices, "uint32"), empty((2 * vertices, 2), "int32"), *progress_of(device, 7)
    distance, near, progress, rounds = memory
    far = empty(-(-vertices // 32), "uint32")
    queued = device.xp.zeros(2 * len(far), "uint32")
    arcs, width = arcs_of(graph), width_of(graph, delta)

    def solve(source):
        search(*arcs, source, width, distance, far, queued, near, progress)
        return Solution(distance, iterations=rounds)

    return solve


def window(device, graph, _):
    """Return a search whose threshold slides on with the least distance."""
    slide, blocks = kernel(device, graph, "slide", 16 * FOUND + 1024)
    vertices, empty = graph.vertices, device.xp.empty
    distance, far = empty(vertices, "uint32"), empty(-(-vertices // 32), "uint32")
    slot_room = vertices // SLOT_SHARE + ROOM
    near_room = NEAR_ROOM * slot_room
    near, slots = empty((2 * near_room, 4), "int32"), empty((SLOTS * slot_room, 4), "int32")
    said, (progress, rounds) = device.xp.zeros(2 * blocks, "uint64"), progress_of(device, 7 + SLOTS)
    arcs, pace = arcs_of(graph), (width_of(graph, 1), REACH, ENOUGH_ARCS * blocks)

    def solve(source):
        slide(*arcs, source, *pace, distance, far, near, near_room, slots, slot_room, said, progress)
        return Solution(distance, iterations=rounds)

    return solve


def in_buckets(device, graph, delta):
    """Return a search by buckets, which reads arcs by classes of weight."""
    if graph.vertices >= 1 << ITEM_BITS:
        from warpath.devices.errors import UnsupportedLaunch

        raise UnsupportedLaunch(f"{graph.vertices:,} vertices; buckets number them in {ITEM_BITS} bits")
    wide = is_wide(graph)
    item_bytes = 24 if wide else 16
    settle, _ = kernel(device, graph, "settle", 4 * BLOCK * item_bytes)
    classed = by_class(device, graph)  # which takes longest, and what follows is done meanwhile
    vertices, empty = graph.vertices, device.xp.empty
    distance = empty(vertices, "uint32")
    lists, beyond = empty((2 * vertices, item_bytes), "uint8"), empty((2 * vertices, 2), "int32")
    progress, rounds = progress_of(device, 2 + 3 * 3)
    arcs = vertices, graph.arcs, graph.offsets, classed
    pace = width_of(graph, delta), 0 if graph.directed else PULL, FEW_IN_ROUND, UNREACHABLE if wide else PATIENCE
    room = vertices, WIDE_LIST_ARCS if wide else LIST_ARCS
    go_on = None if wide else two_sets(device, graph, MESH_DELTA, (distance, lists, progress, rounds))

    def solve(source):
        settle(*arcs, source, *pace, distance, lists, *room, beyond, progress)
        return go_on(source) if go_on else Solution(distance, iterations=rounds)

    return solve


def by_class(device, graph):
    """Return target and weight of every arc; those of a vertex ascend by class of weight (near_far/classes.cuh)."""

    def fill(arcs):
        divide, _ = kernel(device, graph, "divide")
        many, state = device.xp.empty(graph.arcs // BLOCK + 1, "int32"), device.xp.zeros(2, "uint32")
        divide(graph.vertices, graph.offsets, graph.targets, graph.weights, arcs, many, state)

    return graph.derive("by class of weight", (graph.arcs, 2), fill)


def with_parents(device, graph, solve):
    """Return `solve` with parents, which are found from the distances."""
    grow, _ = kernel(device, graph, "grow_tree")
    parents, state = device.xp.empty(graph.vertices, "int32"), device.xp.zeros(2, "uint32")
    arcs = graph.vertices, graph.offsets, by_class(device, graph), int(graph.directed)

    def solve_with_parents(source):
        solution = solve(source)
        grow(*arcs, source, solution.distance, parents, state)
        return solution._replace(parents=parents)

    solve_with_parents.chosen = solve.chosen
    return solve_with_parents


WAYS = {"two sets": two_sets, "window": window, "buckets": in_buckets}
