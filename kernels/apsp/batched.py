"""All-pairs shortest paths on sparse graphs: batches of vertices whose distances lie side by side."""

import functools

from warpath.algorithms import UNREACHABLE, Solution, algorithm, blocks_for, sweep

SHARED = 227 * 1024  # bytes that a block may have
SATURATED = 2**15 - 1  # what 16 bits hold of every distance that is not below it
BITS = 512  # targets of a row of bits; as in batched.cu
CACHE = 24 << 20  # bytes of bits that are worked on at once: they should stay in the L2
SCRATCH = 8 << 30  # bytes that rows may take outside of shared memory


@algorithm(launches=sweep(block=[512, 1024], coarsening=[1, 2, 3]))
def batched(device, graph, launch):
    """Rows of distances to a batch of vertices, lowered arc by arc; rows of bits for unit weights."""
    unit = graph.max_weight == 1 and bool((graph.weights == 1).all())
    make = in_bits if unit else in_sweeps

    @functools.cache
    def everything():
        return make(device, graph, graph.vertices, launch)

    @functools.lru_cache(maxsize=1)
    def some(sources):
        """Rows of a graph are columns of its transpose."""
        return make(device, graph.transpose, len(sources), launch), device.put(sources_array(sources))

    def solve(sources=None):
        if sources is None:
            return Solution(*everything()(None))
        run, listed = some(tuple(sources))
        distance, iterations = run(listed)
        return Solution(distance.T, iterations)

    return solve


def sources_array(sources):
    import numpy as np

    return np.array(sources, "int32")


def in_sweeps(device, graph, targets, launch):
    """`launch.coarsening` vectors of 16 bytes a row."""
    n, arcs = graph.vertices, (graph.offsets, graph.targets, graph.weights)
    empty, most = device.xp.empty, (graph.vertices - 1) * graph.max_weight
    distance, packed = empty((n, targets), "uint32"), empty(max(1, graph.arcs), "uint32")
    largest, sweeps = device.xp.zeros(1, "uint32"), device.xp.zeros(1, "int32")
    packable = n <= 1 << 16

    def sweeper(width):
        row_bytes = 16 * launch.coarsening
        shared = n * row_bytes + -(-n // 16) * 16
        in_shared = shared <= SHARED
        settings = dict(width=width, vectors=launch.coarsening, lanes=lanes(graph), packed=int(packable))
        pack, sweep = device.kernels(__file__, "pack", "sweep", in_shared=int(in_shared), **settings)
        blocks = blocks_for(targets, row_bytes * 8 // width)
        dynamic = shared if in_shared else 0
        blocks = min(blocks, sweep.resident_blocks(launch.block, dynamic))
        if not in_shared:
            blocks = min(blocks, max(1, SCRATCH // shared))
        scratch = None if in_shared else empty(blocks * shared // 4, "uint32")
        pack = pack[min(blocks_for(graph.arcs, 256), 8 * device.multiprocessors), 256]
        return pack, sweep[blocks, launch.block, dynamic], scratch

    narrow = graph.max_weight < SATURATED
    widths = [16, 32] if narrow and most >= SATURATED else [16] if narrow else [32]
    made = {width: sweeper(width) for width in widths}

    def solve(listed):
        largest.fill(0)
        sweeps.fill(0)
        for width, (pack, sweep, scratch) in made.items():
            if width == 16 and packable:
                pack(graph.arcs, graph.targets, graph.weights, packed)
            bound = largest if narrow else None
            limit = SATURATED - graph.max_weight if narrow else 0
            sweep(n, targets, listed, *arcs, packed, scratch, distance, bound, limit, sweeps)
        return distance, sweeps[0]

    return solve


def lanes(graph):
    """How many lanes share a vertex's arcs: about four arcs for each."""
    share, count = graph.arcs / graph.vertices / 4, 1
    while 2 * count <= min(share, 32):
        count *= 2
    return count


def in_bits(device, graph, targets, launch):
    n, empty = graph.vertices, device.xp.empty
    (spread,) = device.kernels(__file__, "spread_bits", width=32, vectors=1, lanes=1, in_shared=0, packed=0)
    spread = spread.cooperative[spread.resident_blocks(256), 256]
    sets = min(blocks_for(targets, BITS), max(1, CACHE // (n * BITS // 8)))
    distance = empty((n, targets), "uint32")
    frontiers, seen = empty((2, sets, n, BITS // 32), "uint32"), empty((sets, n, BITS // 32), "uint32")
    stamps = empty((2, sets, n), "uint8")
    barrier, found, levels = (device.xp.zeros(size, kind) for size, kind in ((1, "uint32"), (3, "int32"), (1, "int32")))

    def solve(listed):
        distance.fill(UNREACHABLE)
        levels.fill(0)
        for first in range(0, targets, sets * BITS):
            count = min(sets * BITS, targets - first)
            spread(n, targets, first, count, listed, graph.offsets, graph.targets, frontiers, seen, stamps, distance,
                   barrier, found, levels)  # fmt: skip
        return distance, levels[0]

    return solve
