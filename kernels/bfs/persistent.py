"""This project's own BFS: one launch a search, in the way that suits the graph."""

from warpath.algorithms import Solution, algorithm, blocks_for, kinds, sweep

BLOCK = 1024
LOCAL_ARCS = 2048  # of a frontier for each block: with fewer, blocks go on by themselves
PIECE = 64  # arcs of a vertex that a warp looks at alone where it pulls
PROGRESS_WORDS = 13  # by which blocks meet
# Stretches
STRETCH = 48  # levels that blocks go on by themselves
HOPS = 2 * STRETCH  # of a block in a round, at most
HOP_LANES = 4  # share the arcs of a vertex; with no more arcs a vertex, their targets stand side by side
HOP_ARCS = 64  # of a vertex that a block goes on from, at most
LOCAL_VERTEX_BYTES, WIDE_VERTEX_BYTES = 32, 48  # of a block's two lists; the latter where arcs have 64 bits
# Walks
GROUP = HOP_LANES  # lanes share the arcs of a vertex
MOST_BLOCKS = 255  # that a tally counts
QUEUED_ARCS = 2 * LOCAL_ARCS  # of a block, at most
QUEUED_DEGREE = BLOCK  # arcs of a vertex that is queued, at most
ROOM = BLOCK  # arcs beyond which a block gives others away, unless all have many
# Exchanging
ARCS_OF_A_WORD = 64  # that take as long as 32 vertices without arcs
TARGET_BITS = 20  # of an arc in 32 bits; the others are its tail in a block's range
MOST_WORDS = (1 << 32 - TARGET_BITS) // 32  # of the vertices of a block; it has fewer, as one number says "no tail"
EXCHANGING_BYTES = 2048  # of shared memory that is not for arcs and bits


def hubs_of(device, graph, kind, find_hubs):
    """Return what is used where vertices are pulled: a neighbour of each, its hub, and those without arcs."""
    if graph.directed:
        return None, None
    hubs = device.xp.empty(graph.vertices, "int32")
    isolated = device.xp.empty(-(-graph.vertices // 32), "uint32")
    arcs, found = (graph.vertices, graph.offsets, graph.targets), (hubs, isolated)
    find_hubs[blocks_for(graph.vertices, 256), 256](*arcs, int(kind.has_hubs), *found)
    return found


def has_few_arcs(graph):
    """Whether the arcs of most vertices fit side by side, as on roads and grids."""
    return graph.arcs <= HOP_LANES * graph.vertices


def searching(device, graph, launch, parents, search, hubs, own_memory):
    """Return `solve` by a kernel of either way, with the memory that blocks need where they go on by themselves."""
    empty, bits = device.xp.empty, -(-graph.vertices // 32)
    arcs = graph.vertices, graph.arcs, graph.offsets, graph.targets, *hubs
    query = not graph.directed, launch.alpha, launch.beta
    distance, (visited, next_visited) = empty(graph.vertices, "uint32"), empty((2, bits), "uint32")
    frontiers = empty((graph.vertices, 2), graph.arc_type)
    progress = device.xp.zeros(PROGRESS_WORDS, "uint64")
    levels = progress.view("uint32")[1:2].reshape(())
    memory = distance, visited, next_visited, frontiers, progress, parents, *own_memory

    def solve(source):
        search(*arcs, source, *query, *memory)
        return Solution(distance, iterations=levels, parents=parents)

    return solve


def stretching(device, graph, kind, launch, parents):
    """Push, pull, or stretches of levels that blocks do by themselves, as a level demands; no readback a level."""
    names = "search", "find_hubs", "find_first_targets"
    defines = {"stretch": STRETCH, "hops": HOPS, "hop_arcs": HOP_ARCS, "hop_lanes": HOP_LANES}
    defines |= {"local_arcs": LOCAL_ARCS, "piece": PIECE, "tree": int(parents is not None)}
    if graph.arc_width:
        defines |= graph.arc_width | {"vertex_bits": 28 if graph.vertices < 1 << 28 else 31}
    search, find_hubs, find_first = device.kernels(__file__, *names, way=0, block=BLOCK, **defines)
    shared_bytes = 2 * BLOCK // HOP_LANES * (WIDE_VERTEX_BYTES if graph.arc_width else LOCAL_VERTEX_BYTES)
    search = search.cooperative[search.resident_blocks(BLOCK, shared_bytes), BLOCK, shared_bytes]
    deferred = device.xp.empty((2 * graph.vertices, 2), graph.arc_type)
    deferred_bits = device.xp.empty(2 * -(-graph.vertices // 32), "uint32")
    first = device.xp.empty((graph.vertices, HOP_LANES), "int32") if has_few_arcs(graph) else None
    if first is not None:
        find_first[blocks_for(graph.vertices, 256), 256](graph.vertices, graph.offsets, graph.targets, first)
    own_memory = first, deferred, deferred_bits, None, STRETCH if kind.is_mesh else 1
    hubs = hubs_of(device, graph, kind, find_hubs)
    return searching(device, graph, launch, parents, search, hubs, own_memory)


def walking(device, graph, kind, launch, parents):
    """Push, pull or walk."""
    defines = {"group": GROUP, "queue": QUEUED_ARCS // GROUP, "queue_degree": QUEUED_DEGREE, "room": ROOM // GROUP}
    defines |= {"piece": PIECE, "local_arcs": LOCAL_ARCS, "most_blocks": MOST_BLOCKS, "tree": int(parents is not None)}
    search, find_hubs = device.kernels(__file__, "search", "find_hubs", way=1, block=BLOCK, **defines)
    queues_bytes = 2 * defines["queue"] * 16
    blocks = min(search.resident_blocks(BLOCK, queues_bytes), MOST_BLOCKS)
    given = device.xp.empty((2 * defines["queue"] * blocks, 4), "int32")
    search = search.cooperative[blocks, BLOCK, queues_bytes]
    hubs = hubs_of(device, graph, kind, find_hubs)
    return searching(device, graph, launch, parents, search, hubs, (None, None, None, given, 0))


def exchanging(device, graph, kind, launch, parents):
    """Look at all arcs in each level, in shared memory; return None where they do not fit there."""
    most, words = device.shared_memory - EXCHANGING_BYTES, -(-graph.vertices // 32)
    if graph.directed or graph.vertices > 1 << TARGET_BITS:
        return None
    defines = {"tree": int(parents is not None), "target_bits": TARGET_BITS}
    search, pack = device.kernels(__file__, "search", "pack", way=2, block=BLOCK, **defines)
    blocks = min(search.resident_blocks(BLOCK, most), words)
    if 4 * (graph.arcs / blocks + words) > most:
        return None
    first_words, most_words, most_arcs = ranges(graph.on_host.offsets, words, blocks)
    shared_bytes = 4 * (-(-words // 32) * 32 + most_arcs)
    if shared_bytes > most or most_words >= MOST_WORDS:
        return None
    distance, sent = device.xp.empty(graph.vertices, "uint32"), device.xp.empty(2 * words, "uint64")
    progress = device.xp.zeros(PROGRESS_WORDS, "uint64")
    levels, first_words = progress.view("uint32")[1:2].reshape(()), device.put(first_words)
    search, packed = search.cooperative[blocks, BLOCK, shared_bytes], device.xp.empty(graph.arcs, "uint32")
    pack[blocks, BLOCK](graph.vertices, first_words, graph.offsets, graph.targets, packed)

    def solve(source):
        search(graph.vertices, first_words, graph.offsets, packed, source, distance, sent, progress, parents)
        return Solution(distance, iterations=levels, parents=parents)

    return solve


def ranges(offsets, words, blocks):
    """Divide words of 32 vertices among blocks by their arcs; return the first words, and the most words and arcs."""
    import numpy as np

    begins = np.append(offsets[:-1:32], offsets[-1])
    cost = begins + ARCS_OF_A_WORD * np.arange(words + 1)
    first_words = np.searchsorted(cost, cost[-1] * np.arange(blocks + 1) // blocks).astype("int32")
    return first_words, np.diff(first_words).max(), int(np.diff(begins[first_words]).max())


WAYS = {"stretching": stretching, "walking": walking, "exchanging": exchanging}


def likely(graph, kind):
    """Return the ways that suit the kind of graph, the best first."""
    if graph.arc_width:
        return ("stretching",)
    few = has_few_arcs(graph)
    if kind.is_mesh:
        return ("walking" if kind.has_hubs or kind.is_bushy or not few else "stretching",)
    way = "stretching" if kind.has_hubs and (few or not kind.has_giants) else "walking"
    return (way,) if few else ("exchanging", way)


@algorithm(
    launches=sweep(alpha=[16], beta=[64]) + sweep(alpha=[16], beta=[64], tree=["tree"]) + sweep(alpha=[4], beta=[64])
)
def persistent(device, graph, launch):
    """Push, pull, and stretches, walks or exchange where levels are small: the way that suits the graph."""
    parents = device.xp.empty(graph.vertices, "int32") if "tree" in launch.parameters else None
    kind = kinds.look(graph.on_host)
    for way in likely(graph, kind):
        if solve := WAYS[way](device, graph, kind, launch, parents):
            break
    solve.chosen = way
    return solve
