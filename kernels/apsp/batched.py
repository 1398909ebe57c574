"""All-pairs shortest paths on sparse graphs: distances to a batch of targets lie side by side."""

import contextlib
import functools

from warpath.algorithms import UNREACHABLE, Solution, algorithm, answer_matrix, blocks_for, sweep

SATURATED = 2**15 - 1  # a 16-bit distance of this or more
BITS, SPREADERS = 512, 256  # targets of a row of bits, and threads of a block
HUB = 1024  # arcs of a vertex that one warp follows, at most
CACHE = 24 << 20  # bytes of bits in work at once, which should stay in the L2
SLAB = 2 << 30  # bytes of rows in work at once, where the whole matrix does not fit the device
SCRATCH = 8 << 30  # bytes of rows outside of shared memory, at most
MOST_ARCS = 2**31 - 64  # sweeps count arcs in an int, which is a tenth faster than an unsigned


@algorithm(launches=sweep(block=[1024, 512], coarsening=[1, 2, 3]))
def batched(device, graph, launch):
    """Rows of distances to a batch of vertices, lowered arc by arc; rows of bits for unit weights."""
    unit = graph.max_weight == 1 and bool((graph.weights == 1).all())
    prepare = in_bits if unit else in_sweeps
    n = graph.vertices
    fits = 4 * n * n <= device.memory // 2

    @functools.cache
    def whole_matrix():
        return prepare(device, graph, graph.transpose, n, launch)

    @functools.lru_cache(maxsize=1)
    def rows(count):
        """Prepare `count` rows, which are columns of the transposed graph's matrix."""
        return prepare(device, graph.transpose, graph, count, launch)

    @functools.cache
    def answer():
        return answer_matrix(n)

    batch = min(n, max(BITS, SLAB // (4 * n) // BITS * BITS))
    if fits:
        whole_matrix()
    else:
        rows(batch)
        with contextlib.suppress(MemoryError):  # a solve for some sources needs no room for all
            answer()

    def streamed():
        """Compute batch after batch of rows; the last batch repeats the last vertex."""
        matrix, iterations = answer(), 0
        for first in range(0, n, batch):
            distance, count = rows(batch)(device.put(sources_array(range(first, first + batch)).clip(max=n - 1)))
            matrix[first : first + batch] = device.get(distance.T)[: n - first]
            iterations = max(iterations, int(count))
        return Solution(matrix, iterations)

    def solve(sources=None):
        if sources is None:
            return Solution(*whole_matrix()(None)) if fits else streamed()
        distance, iterations = rows(len(sources))(device.put(sources_array(sources)))
        return Solution(distance.T, iterations)

    return solve


def sources_array(sources):
    import numpy as np

    return np.array(sources, "int32")


def in_sweeps(device, graph, transpose, targets, launch):
    """Prepare a solve for any weights, with `launch.coarsening` vectors of 16 bytes a row."""
    from warpath.devices.errors import UnsupportedLaunch

    if graph.arcs > MOST_ARCS:
        raise UnsupportedLaunch(f"{graph.arcs:,} arcs; at most {MOST_ARCS:,} with weights")
    n, arcs = graph.vertices, (graph.offsets, graph.targets, graph.weights)
    in_arcs = transpose.offsets, transpose.targets
    empty, longest = device.xp.empty, (graph.vertices - 1) * graph.max_weight
    distance, packed = empty((n, targets), "uint32"), empty(max(1, graph.arcs), "uint32")
    largest, sweeps = device.xp.zeros(1, "uint32"), device.xp.zeros(1, "int32")
    packable = n <= 1 << 16

    def prepared(width):
        row_bytes = 16 * launch.coarsening
        due_bytes = -(-2 * n // 16) * 16
        batch_bytes = n * row_bytes + due_bytes
        rows_shared, due_shared = (size <= device.shared_memory for size in (batch_bytes, due_bytes))
        settings = {"width": width, "vectors": launch.coarsening, "lanes": lanes(graph), "packed": int(packable)}
        settings |= {"rows_shared": int(rows_shared), "due_shared": int(due_shared)}
        settings |= {"bits": BITS, "spreaders": SPREADERS}
        pack, lower = device.kernels(__file__, "pack", "lower", **settings)
        shared = batch_bytes if rows_shared else due_bytes if due_shared else 0
        blocks = min(blocks_for(targets, row_bytes * 8 // width), lower.resident_blocks(launch.block, shared))
        if not rows_shared:
            blocks = min(blocks, max(1, SCRATCH // batch_bytes))
        scratch = None if rows_shared else empty(blocks * batch_bytes // 4, "uint32")
        pack = pack[min(blocks_for(graph.arcs, 256), 8 * device.multiprocessors), 256]
        return pack, lower[blocks, launch.block, shared], scratch

    narrow = graph.max_weight < SATURATED
    widths = [16, 32] if narrow and longest >= SATURATED else [16] if narrow else [32]
    kernels = {width: prepared(width) for width in widths}

    def solve(listed):
        largest.fill(0)
        sweeps.fill(0)
        for width, (pack, lower, scratch) in kernels.items():
            if width == 16 and packable:
                pack(graph.arcs, graph.targets, graph.weights, packed)
            bound = largest if narrow else None
            limit = SATURATED - graph.max_weight if narrow else 0
            lower(n, targets, listed, *arcs, packed, *in_arcs, scratch, distance, bound, limit, sweeps)
        return distance, sweeps[0]

    return solve


def lanes(graph):
    """Return how many lanes share a vertex's arcs."""
    mean = graph.arcs / graph.vertices
    return 1 if mean < 4 else 4 if mean < 7 else 8


def in_bits(device, graph, _transpose, targets, launch):
    """Prepare a solve for unit weights."""
    n, empty = graph.vertices, device.xp.empty
    settings = {"width": 32, "vectors": 1, "lanes": 1, "packed": 0, "rows_shared": 0, "due_shared": 0}
    (spread,) = device.kernels(__file__, "spread_bits", bits=BITS, spreaders=SPREADERS, **settings)
    spread = spread.cooperative[spread.resident_blocks(SPREADERS), SPREADERS]
    sets = min(blocks_for(targets, BITS), max(1, CACHE // (n * BITS // 8)))
    hubs = hubs_of(device, graph)
    distance = empty((n, targets), "uint32")
    words = n, BITS // 32
    bits = empty((2, sets, *words), "uint32"), empty((sets, *words), "uint32"), empty((2, sets, n), "uint8")
    barrier, grown, levels = (device.xp.zeros(size, kind) for size, kind in ((1, "uint32"), (3, "int32"), (1, "int32")))

    def solve(listed):
        distance.fill(UNREACHABLE)
        levels.fill(0)
        for first in range(0, targets, sets * BITS):
            count = min(sets * BITS, targets - first)
            arcs = graph.offsets, graph.targets, HUB, len(hubs), hubs
            spread(n, targets, first, count, listed, *arcs, *bits, distance, barrier, grown, levels)
        return distance, levels[0]

    return solve


def hubs_of(device, graph):
    """Return the vertices with more than HUB arcs."""
    import numpy as np

    return device.put(np.flatnonzero(np.diff(device.get(graph.offsets)) > HUB).astype("int32"))
