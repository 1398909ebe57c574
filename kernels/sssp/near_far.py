"""This project's own SSSP: one launch a search, by the way that suits the kind of graph."""

from warpath.algorithms import UNREACHABLE, Solution, algorithm, kinds, sweep

BLOCK = 1024
HOPS = 64  # of a block in a round, at most
HOP_ARCS = 64  # of a vertex that a block goes on from, at most
LOCAL_ARCS = 512  # of the near set for each block: with fewer, blocks go on by themselves,
MEAN_ARCS = 4  # unless near vertices have more arcs than this on average
HOP_LANES = 4  # share the arcs of a vertex
LOCAL_VERTEX_BYTES = 48  # of a block's two lists of BLOCK / HOP_LANES vertices

# Of a sliding window (window.cuh and lockstep.cuh).
SLOTS = 64
REACH = 48  # slots from the least distance to the threshold, at most
ENOUGH_ARCS = 300_000  # in a round: with more, the window shrinks
FOUND = 2 * BLOCK  # vertices that a block keeps
ENTRY_BYTES, SLOT_BYTES, OTHER_BYTES = 16, 12, 192  # of shared memory: for each vertex and slot, and beside
LOCK_LANES = 16  # share the arcs of a vertex in lockstep, two each at a time
ROOM = 1024  # of a list, and a share of the vertices
NEAR_SHARE, SLOT_SHARE = 2, 16

# Of buckets (near_far/buckets.cuh)
PULL = 2  # a search pulls when pushing would relax more than 1 / PULL of the arcs of all vertices beyond
FEW_IN_ROUND, PATIENCE = 4096, 32  # arcs; and after so many rounds with fewer, one after another, two sets go on
MEMBERS = 128  # vertices that a warp keeps before they are listed
ITEM_BITS = 28  # of a number of items of a list
DIVIDED_ALONE = 1024  # arcs of a vertex that one warp divides by class, at most
LIST_ARCS, WIDE_LIST_ARCS = 2**32 - 2**20, 2**35  # of a list, at most

MESH_DELTA = 512  # of two sets where few vertices are near: blocks that go on by themselves make many hops
WEIGHED = 1 << 16  # arcs, of which the mean weight is taken, as CuPy adds up all of them by a single block
SMALL_ARCS, FEW_ARCS, MANY_ARCS = 500_000, 2_000_000, 40_000_000
FEW_READ_DELTA = 2  # of buckets with hubs or over the link, where reading few arcs counts more than few rounds


@algorithm(
    launches=[
        *sweep(delta=[0]),
        *sweep(delta=[0], tree=["tree"]),
        *sweep(delta=[2, 8, 32], way=["buckets"]),
        *sweep(delta=[32, 64, 8, 16, 128, 512]),
    ]
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


def unit_of_delta(graph):
    """Return the mean weight of a sample over the mean degree; delta is 32 of them, a warp's width, in the paper."""
    if not graph.arcs:
        return 1
    return float(graph.weights[:: graph.arcs // WEIGHED + 1].mean()) * graph.vertices / graph.arcs


def is_wide(graph):
    return graph.arc_type == "int64"


def likely(graph):
    """Return a way and a delta that suit the kind of graph."""
    if not is_wide(graph) and kinds.is_mesh(graph.on_host):
        if graph.arcs > 4.5 * graph.vertices:
            return "window", 0
        return "two sets", MESH_DELTA if graph.vertices < 1_500_000 else 64
    has_hubs = kinds.has_hubs(graph.on_host)
    buckets = "buckets", FEW_READ_DELTA if has_hubs or graph.over_link else 8
    if is_wide(graph):
        return buckets
    if graph.over_link or (not graph.directed and graph.arcs >= (FEW_ARCS if has_hubs else MANY_ARCS)):
        return buckets
    if graph.arcs < SMALL_ARCS:
        return "window", 0
    return "two sets", 128 if graph.arcs < FEW_ARCS else 32


def arcs_of(graph):
    leaf = 0 if graph.directed else 1  # arcs: the only one leads back to where such a vertex was reached from
    return graph.vertices, graph.offsets, graph.targets, graph.weights, leaf


def kernels(device, graph, name):
    hops = {"hops": HOPS, "hop_arcs": HOP_ARCS, "hop_lanes": HOP_LANES, "local_arcs": LOCAL_ARCS}
    hops |= {"mean_arcs": MEAN_ARCS, "local_vertex_bytes": LOCAL_VERTEX_BYTES}
    lists = {"window_slots": SLOTS, "found": FOUND, "shared_bytes": shared_bytes()}
    lists |= {"members": MEMBERS, "item_bits": ITEM_BITS, "divided_alone": DIVIDED_ALONE}
    lists |= {"lock_lanes": LOCK_LANES}
    wide = {**graph.arc_width, "vertex_bits": ITEM_BITS} if is_wide(graph) else {}
    return device.kernels(__file__, name, block=BLOCK, **hops, **lists, **wide)


def shared_bytes():
    return ENTRY_BYTES * (FOUND + 8 * BLOCK // LOCK_LANES) + SLOT_BYTES * SLOTS + OTHER_BYTES


def two_sets(device, graph, delta, memory=None):
    """Return a search whose threshold rises by delta when no vertex is near; `memory` is that of one to go on from."""
    (search,) = kernels(device, graph, "search")
    lists_bytes = 2 * BLOCK // HOP_LANES * LOCAL_VERTEX_BYTES
    search = search.cooperative[search.resident_blocks(BLOCK, lists_bytes), BLOCK, lists_bytes]
    vertices, empty = graph.vertices, device.xp.empty
    if memory is None:
        memory = empty(vertices, "uint32"), empty((2 * vertices, 2), "int32"), device.xp.zeros(7, "uint64")
    distance, near, progress = memory
    width = int(min(max(1, delta * unit_of_delta(graph)), UNREACHABLE))
    far, queued = (empty(-(-vertices // 32) * each, "uint32") for each in (1, 2))
    rounds = progress.view("uint32")[1:2].reshape(())  # on the device until it is converted to int
    arcs = arcs_of(graph)

    def solve(source):
        search(*arcs, source, width, distance, far, queued, near, progress)
        return Solution(distance, iterations=rounds)

    return solve


def window(device, graph, _):
    """Return a search whose threshold slides on with the least distance."""
    (slide,) = kernels(device, graph, "slide")
    shared = shared_bytes()
    blocks = slide.resident_blocks(BLOCK, shared)
    slide = slide.cooperative[blocks, BLOCK, shared]
    vertices, empty = graph.vertices, device.xp.empty
    distance, far = empty(vertices, "uint32"), empty(-(-vertices // 32), "uint32")
    near_room, slot_room = vertices // NEAR_SHARE + ROOM, vertices // SLOT_SHARE + ROOM
    near, slots = empty((2 * near_room, 4), "int32"), empty((SLOTS * slot_room, 4), "int32")
    said, progress = device.xp.zeros(2 * blocks, "uint64"), device.xp.zeros(7 + SLOTS, "uint64")
    rounds = progress.view("uint32")[1:2].reshape(())
    arcs, pace = arcs_of(graph), (width_of(graph, 1), 1, REACH, ENOUGH_ARCS)

    def solve(source):
        slide(*arcs, source, *pace, distance, far, near, near_room, slots, slot_room, said, progress)
        return Solution(distance, iterations=rounds)

    return solve


def in_buckets(device, graph, delta):
    """Return a search by buckets, which reads arcs by classes of weight."""
    if graph.vertices >= 1 << ITEM_BITS:
        from warpath.devices.errors import UnsupportedLaunch

        raise UnsupportedLaunch(f"{graph.vertices:,} vertices; buckets number them in {ITEM_BITS} bits")
    (settle,) = kernels(device, graph, "settle")
    number = 8 if is_wide(graph) else 4
    shared = BLOCK // 32 * MEMBERS * (8 + 2 * number)
    settle = settle.cooperative[settle.resident_blocks(BLOCK, shared), BLOCK, shared]
    vertices, empty = graph.vertices, device.xp.empty
    distance = empty(vertices, "uint32")
    lists, beyond = empty((2 * vertices, 8 + 2 * number), "uint8"), empty((2 * vertices, 2), "int32")
    progress = device.xp.zeros(2 + 3 * 4, "uint64")
    rounds = progress.view("uint32")[1:2].reshape(())
    width = width_of(graph, delta)
    arcs = vertices, graph.arcs, graph.offsets, by_class(device, graph)
    pace = width, 0 if graph.directed else PULL, FEW_IN_ROUND, UNREACHABLE if is_wide(graph) else PATIENCE
    room = vertices, WIDE_LIST_ARCS if is_wide(graph) else LIST_ARCS
    go_on = None if is_wide(graph) else two_sets(device, graph, MESH_DELTA, (distance, lists, progress))

    def solve(source):
        settle(*arcs, source, *pace, distance, lists, *room, beyond, progress)
        return go_on(source) if go_on else Solution(distance, iterations=rounds)

    return solve


def width_of(graph, delta):
    return int(min(max(1, round(delta * unit_of_delta(graph))), UNREACHABLE))


def by_class(device, graph):
    """Return target and weight of every arc; those of a vertex ascend by class of weight (near_far/classes.cuh)."""

    def divide(arcs):
        (divide,) = kernels(device, graph, "divide")
        divide = divide.cooperative[divide.resident_blocks(BLOCK), BLOCK]
        many, state = device.xp.empty(graph.arcs // DIVIDED_ALONE + 1, "int32"), device.xp.zeros(2, "uint32")
        divide(graph.vertices, graph.offsets, graph.targets, graph.weights, arcs, many, state)

    return graph.derive("by class of weight", (graph.arcs, 2), divide)


def with_parents(device, graph, solve):
    """Return `solve` with parents, which are found from the distances."""
    (grow,) = kernels(device, graph, "grow_tree")
    grow = grow.cooperative[grow.resident_blocks(BLOCK), BLOCK]
    parents, state = device.xp.empty(graph.vertices, "int32"), device.xp.zeros(4, "uint32")
    arcs = graph.vertices, graph.offsets, by_class(device, graph), int(graph.directed)

    def solve_with_parents(source):
        solution = solve(source)
        grow(*arcs, source, solution.distance, parents, state)
        return solution._replace(parents=parents)

    solve_with_parents.chosen = solve.chosen
    return solve_with_parents


WAYS = {"two sets": two_sets, "window": window, "buckets": in_buckets}
