"""This project's own BFS: one launch a search, in the way that suits the graph."""

from warpath.algorithms import Solution, algorithm, blocks_for, kinds, sweep

BLOCK = 1024
FEW_ARCS = 4  # a vertex, of roads and grids, at most: there are many small levels
# Stretches
STRETCH = 48  # levels that blocks go on by themselves
HOPS = 2 * STRETCH  # of a block in a round, at most
HOP_LANES = 4  # share the arcs of a vertex; with no more arcs a vertex, their targets stand side by side
HOP_ARCS = 64  # of a vertex that a block goes on from, at most
LOCAL_ARCS = 2048  # of a frontier for each block: with fewer, blocks go on by themselves, here and in walks
LOCAL_VERTEX_BYTES = 32  # of a block's two lists of BLOCK / HOP_LANES vertices
WIDE_VERTEX_BYTES = 48  # the same where arcs are numbered in 64 bits
# Walks
GROUP = 4  # lanes share the arcs of a vertex
MOST_BLOCKS = 255  # that a tally counts
QUEUED_ARCS = 4096  # of a block, at most
QUEUED_DEGREE = 1024  # arcs of a vertex that is queued, at most
ROOM = 1024  # arcs beyond which a block gives others away, unless all have many
# Pulling
PIECE = 512  # arcs of a vertex that a warp looks at alone
# Exchanging
ARCS_OF_A_WORD = 64  # that take as long as 32 vertices without arcs
TARGET_BITS = 20  # of an arc in 32 bits; the others are its tail in a block's range
OWN_WORDS = (1 << 32 - TARGET_BITS) // 32  # of the vertices of a block, at most
EXCHANGING_BYTES = 2048  # of shared memory that is not for arcs and bits


def progress_of(device, words):
    """Return the words by which blocks meet, with a view of the count of levels, which is on the device."""
    progress = device.xp.zeros(words, "uint64")
    return progress, progress.view("uint32")[1:2].reshape(())


def memory(device, graph, lists, words):
    """Return what both kernels need: distances, two bitmaps, and progress with a view of its count of levels."""
    empty = device.xp.empty
    bits = -(-graph.vertices // 32)
    progress, levels = progress_of(device, words)
    vertices = empty(graph.vertices, "uint32"), empty(bits, "uint32"), empty(bits, "uint32")
    return vertices, empty((lists * graph.vertices, 2), graph.arc_type), progress, levels


def width(graph):
    """Return how kernels number arcs, and in how many bits they count vertices beside wide ones."""
    return graph.arc_width and graph.arc_width | {"vertex_bits": 28 if graph.vertices < 1 << 28 else 31}


def hubs_of(device, graph, find_hubs):
    """Return a neighbour of each vertex that has many arcs; it is used where vertices are pulled."""
    if graph.directed:
        return device.xp.empty(1, "int32")
    hubs = device.xp.empty(graph.vertices, "int32")
    find_hubs[blocks_for(graph.vertices, 256), 256](graph.vertices, graph.offsets, graph.targets, hubs)
    return hubs


def isolated_of(device, graph, find_isolated):
    """Return the vertices without arcs as bits, where vertices are pulled."""
    isolated = device.xp.zeros(-(-graph.vertices // 32), "uint32")
    if not graph.directed:
        find_isolated[blocks_for(graph.vertices, 256), 256](graph.vertices, graph.offsets, isolated)
    return isolated


def first_targets_of(device, graph, find_first_targets):
    """Return the targets of each vertex side by side, where they fit; None where most do not."""
    if graph.arcs > HOP_LANES * graph.vertices:
        return None
    first = device.xp.empty((graph.vertices, HOP_LANES), "int32")
    shape = blocks_for(graph.vertices, 256), 256
    find_first_targets[shape](graph.vertices, graph.offsets, graph.targets, first)
    return first


def pulled_arcs(device, graph, find_hubs, find_isolated):
    """Return the graph, with what kernels need where they pull."""
    arcs = graph.vertices, graph.arcs, graph.offsets, graph.targets
    return *arcs, hubs_of(device, graph, find_hubs), isolated_of(device, graph, find_isolated)


def stretching(device, graph, launch, parents):
    """Push, pull, or stretches of levels that blocks do by themselves, as a level demands; no readback a level."""
    names = "search", "find_hubs", "find_isolated", "find_first_targets"
    defines = {"stretch": STRETCH, "hops": HOPS, "hop_arcs": HOP_ARCS, "hop_lanes": HOP_LANES}
    defines |= {"local_arcs": LOCAL_ARCS, "local_vertex_bytes": local_vertex_bytes(graph), "piece": PIECE}
    defines |= {"tree": int(parents is not None), **width(graph)}
    search, *find, find_first = device.kernels(__file__, *names, way=0, block=BLOCK, **defines)
    shared_bytes = 2 * BLOCK // HOP_LANES * local_vertex_bytes(graph)
    search = search.cooperative[search.resident_blocks(BLOCK, shared_bytes), BLOCK, shared_bytes]
    (distance, *visited), frontier, progress, levels = memory(device, graph, 1, 9)
    deferred = device.xp.empty((2 * graph.vertices, 2), graph.arc_type)
    deferred_bits = device.xp.empty(2 * len(visited[0]), "uint32")
    arcs = *pulled_arcs(device, graph, *find), first_targets_of(device, graph, find_first)
    query = not graph.directed, launch.alpha, launch.beta

    def solve(source):
        search(*arcs, source, *query, distance, *visited, frontier, deferred, deferred_bits, progress, parents)
        return Solution(distance, iterations=levels)

    solve.stretched = progress.view("uint32")[2:3]  # whether there was a stretch, which tells no parents
    return solve


def local_vertex_bytes(graph):
    return WIDE_VERTEX_BYTES if graph.arc_width else LOCAL_VERTEX_BYTES


def walking(device, graph, launch, parents):
    """Push, pull or walk."""
    queue = {"group": GROUP, "queue": QUEUED_ARCS // GROUP, "queue_degree": QUEUED_DEGREE, "room": ROOM // GROUP}
    names = "search", "find_hubs", "find_isolated"
    queue |= {"piece": PIECE, "local_arcs": LOCAL_ARCS, "most_blocks": MOST_BLOCKS}
    search, *find = device.kernels(__file__, *names, way=1, block=BLOCK, tree=int(parents is not None), **queue)
    queues_bytes = 2 * queue["queue"] * 16
    blocks = min(search.resident_blocks(BLOCK, queues_bytes), MOST_BLOCKS)
    search = search.cooperative[blocks, BLOCK, queues_bytes]
    (distance, *visited), lists, progress, levels = memory(device, graph, 2, 10)
    given = device.xp.empty((2 * queue["queue"] * blocks, 4), "int32")
    arcs, query = pulled_arcs(device, graph, *find), (not graph.directed, launch.alpha, launch.beta)

    def solve(source):
        search(*arcs, source, *query, distance, *visited, lists, given, progress, parents)
        return Solution(distance, iterations=levels, parents=parents)

    return solve


def exchanging(device, graph, launch, parents):
    """Look at all arcs in each level, in shared memory; return None where they do not fit there."""
    import numpy as np

    most = device.shared_memory - EXCHANGING_BYTES
    if graph.directed or graph.vertices > 1 << TARGET_BITS:
        return None
    defines = {"tree": int(parents is not None), "target_bits": TARGET_BITS}
    search, pack = device.kernels(__file__, "search", "pack", way=2, block=BLOCK, **defines)
    words = -(-graph.vertices // 32)
    blocks = min(search.resident_blocks(BLOCK, most), words)
    if 4 * (graph.arcs / blocks + words) > most:
        return None
    first_words, first_arcs = ranges(graph.on_host.offsets, words, blocks)
    shared_bytes = 4 * (words + int(np.diff(first_arcs).max()))
    if shared_bytes > most or np.diff(first_words).max() >= OWN_WORDS:  # the last number says that there is no tail
        return None
    distance, sent = device.xp.empty(graph.vertices, "uint32"), device.xp.empty(2 * words, "uint64")
    progress, levels = progress_of(device, 1)
    search = search.cooperative[blocks, BLOCK, shared_bytes]
    first_words, packed = device.put(first_words), device.xp.empty(graph.arcs, "uint32")
    pack[blocks, BLOCK](graph.vertices, first_words, graph.offsets, graph.targets, packed)

    def solve(source):
        search(graph.vertices, first_words, graph.offsets, packed, source, distance, sent, progress, parents)
        return Solution(distance, iterations=levels, parents=parents)

    return solve


def ranges(offsets, words, blocks):
    """Divide words of 32 vertices among blocks by their arcs; return each block's first word and first arc."""
    import numpy as np

    begins = offsets[np.minimum(32 * np.arange(words + 1), len(offsets) - 1)].astype("int64")
    cost = begins + ARCS_OF_A_WORD * np.arange(words + 1)
    first_words = np.searchsorted(cost, cost[-1] * np.arange(blocks + 1) // blocks).astype("int32")
    return first_words, begins[first_words]


WAYS = {"stretching": stretching, "walking": walking, "exchanging": exchanging}


def likely(graph):
    """Return the ways that suit the kind of graph, the best first."""
    if graph.arc_width:
        return ("stretching",)
    few, hubs = graph.arcs <= FEW_ARCS * graph.vertices, kinds.has_hubs(graph.on_host)
    if kinds.is_mesh(graph.on_host):
        return ("walking",) if hubs or not few else ("stretching",)
    if few:
        return ("stretching",)
    return "exchanging", "walking" if hubs else "stretching"


def with_parents(device, graph, solve, parents):
    """Return `solve` with parents: where it stretched, they follow from the distances."""
    (tell,) = device.kernels(__file__, "tell_parents", way=3, block=BLOCK, tree=1, **width(graph))
    tell = tell[blocks_for(graph.vertices, 256), 256]

    def solve_with_parents(source):
        solution = solve(source)
        tell(graph.vertices, graph.offsets, graph.targets, solution.distance, solve.stretched, parents)
        return solution._replace(parents=parents)

    solve_with_parents.chosen = solve.chosen
    return solve_with_parents


@algorithm(
    launches=sweep(alpha=[16], beta=[64]) + sweep(alpha=[16], beta=[64], tree=["tree"]) + sweep(alpha=[4], beta=[64])
)
def persistent(device, graph, launch):
    """Push, pull, and stretches, walks or exchange where levels are small: the way that suits the graph."""
    parents = device.xp.empty(graph.vertices, "int32") if "tree" in launch.parameters else None
    for way in likely(graph):
        if solve := WAYS[way](device, graph, launch, parents):
            break
    solve.chosen = way
    if parents is None or way != "stretching":
        return solve
    return with_parents(device, graph, solve, parents)
