"""From raw edges to clean compressed sparse rows; every step says what it changed.

The order: relabel, drop loops, store both directions, sort and merge duplicates, keep the largest component, weigh.
Of parallel edges the lightest stays, always: kernels and checker rely on one arc from a vertex to another.
The work is done by native/build.cpp over the blocks that the reader left, in threads; a block is freed once its arcs
have been copied, and the result takes the place of the copies: 24 bytes an edge at the peak, 36 with weights.
"""

import ctypes
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from warpath.foundation import processor
from warpath.foundation.errors import UserError
from warpath.graphs import library, weights
from warpath.graphs.library import pointer

ARCS_A_BUCKET = 1 << 15
MOST_BUCKETS = 2048
LARGEST = 2**31 - 1


class Rows(NamedTuple):
    offsets: np.ndarray
    targets: np.ndarray
    weights: np.ndarray  # room for them, where the file has none


class Clean(NamedTuple):
    offsets: np.ndarray
    targets: np.ndarray
    weights: np.ndarray
    labels: np.ndarray
    columns: dict
    policy: str  # of the weights, resolved
    steps: list  # of (what was done, how many it concerned)


def clean(edges, steps, directed, policy, name):
    """`edges` is used up. `steps` are the cleaning keys of a catalogue entry."""
    policy = weights.resolve(policy, edges.weighted)
    if policy in ("file", "absolute") and not edges.weighted:
        raise UserError(f"{name}: weights are to be the file's own ({policy}), but the file has none")
    if policy not in ("file", "absolute"):
        edges.blocks = [block._replace(weights=None) for block in edges.blocks]
    report = []
    with ThreadPoolExecutor(processor.cores()) as pool:
        weighted, columns = edges.weighted, edges.columns
        labels = _relabel(pool, edges, steps["relabel"])
        rows = _rows(pool, edges, steps, len(labels), directed, report, name)
        if steps["largest_component"]:
            kept, rows = _largest_component(pool, rows, weighted, report)
            labels = labels[kept]
            columns = {key: column[kept] for key, column in columns.items()}
        if not weighted:
            _weigh(pool, policy, rows)
    report.append((f"weights: {policy}", len(rows.weights)))
    return Clean(rows.offsets, rows.targets.view(np.int32), rows.weights, labels, columns, policy, report)


def _relabel(pool, edges, wanted):
    """Number the vertices that occur from 0, in the order of their ids; returns the ids."""
    if edges.all_ids or not wanted:
        return np.arange(edges.first, edges.first + edges.ids, dtype=np.int64)
    ranks = np.empty(len(edges.seen), np.uint32)
    native = library.load("build")
    native.rank.restype = ctypes.c_int64
    vertices = native.rank(pointer(edges.seen), _long(len(edges.seen)), pointer(ranks))
    labels = np.empty(vertices, np.int64)
    native.list_ids(pointer(edges.seen), _long(len(edges.seen)), pointer(labels))
    if vertices < edges.ids:

        def relabel(ids):
            native.relabel(pointer(ids), _long(len(ids)), pointer(edges.seen), pointer(ranks))

        list(pool.map(relabel, [ids for block in edges.blocks for ids in block[:2]]))
    return labels + edges.first


def _rows(pool, edges, steps, vertices, directed, report, name):
    """The arcs in the order of their sources and targets."""
    drop = steps["self_loops"] == "drop"
    read, both = sum(len(block.sources) for block in edges.blocks), not directed or edges.both_ways
    how = drop, both, _bucket_shift(vertices, read * (1 + both))
    counts, loops = _count(pool, edges, vertices, how)
    report.append(("self-loops dropped" if drop else "self-loops kept", loops))
    arcs = int(counts.sum())
    if arcs > LARGEST:
        raise UserError(f"{name}: {arcs:,} arcs; a graph here has at most 2^31 - 1")
    rows, merged_loops = _sorted(pool, edges, counts, vertices, how)
    fewer = arcs - len(rows.targets)
    duplicates = (fewer - merged_loops) // 2 + merged_loops if both else fewer
    report.append(("duplicates merged", duplicates))
    if both:
        report.append(("edges stored in both directions", read - (loops if drop else 0) - duplicates))
    return rows


def _bucket_shift(vertices, arcs):
    buckets = min(MOST_BUCKETS, max(1, arcs // ARCS_A_BUCKET))
    shift = 0
    while vertices >> shift > buckets:
        shift += 1
    return shift


def _count(pool, edges, vertices, how):
    """The arcs of every block in every bucket, and the number of loops."""
    native = library.load("build")
    native.count_arcs.restype = ctypes.c_int64
    drop, both, shift = how
    counts = np.zeros((len(edges.blocks), ((vertices - 1) >> shift) + 1), np.int64)

    def count(block, row):
        ends, length = map(pointer, block[:2]), _long(len(block.sources))
        return native.count_arcs(*ends, length, drop, both, shift, pointer(row))

    return counts, sum(pool.map(count, edges.blocks, counts))


def _sorted(pool, edges, counts, vertices, how):
    """The rows, and how many of the arcs merged into others were loops."""
    native = library.load("build")
    weighted, shift = edges.weighted, how[-1]
    dtype = edges.blocks[0].weights.dtype if weighted else None
    starts = np.concatenate([[0], np.cumsum(counts.sum(0))])
    arcs = _scatter(pool, edges, starts, counts, how)
    degrees, (kept, loops) = np.zeros(vertices + 1, np.int64), np.zeros((2, len(starts) - 1), np.int64)

    def sort(begin, end):
        rows = pointer(starts), shift, _long(vertices)
        found = map(pointer, (degrees[1:], kept, loops))
        native.sort_arcs(pointer(arcs), weighted, _long(begin), _long(end), *rows, *found)

    _in_slices(pool, sort, len(kept))
    targets, own = _gather(arcs, dtype, starts, kept)
    return Rows(np.cumsum(degrees, out=degrees), targets, own), int(loops.sum())


def _scatter(pool, edges, starts, counts, how):
    native = library.load("build")
    scattered = np.empty(starts[-1] * (3 if edges.weighted else 2), np.uint32)
    positions = starts[:-1] + np.cumsum(counts, axis=0) - counts
    drop, both, shift = how

    def scatter(index):
        (sources, targets, own), edges.blocks[index] = edges.blocks[index], None
        native.scatter_arcs(pointer(sources), pointer(targets), pointer(own), _long(len(sources)), drop, both, shift,
                            pointer(positions[index]), pointer(scattered))  # fmt: skip

    list(pool.map(scatter, range(len(edges.blocks))))
    edges.blocks = []
    return scattered


def _gather(arcs, dtype, starts, kept):
    """What is kept, without gaps: the targets, and their weights or the room for them."""
    left = int(kept.sum())
    own = None if dtype is None else np.empty(left, dtype)
    library.load("build").gather_arcs(pointer(arcs), _long(len(kept)), pointer(starts), pointer(kept), pointer(own))
    room = arcs[starts[-1] : starts[-1] + left].view(np.int32)
    return arcs[:left], room if own is None else own


def _largest_component(pool, rows, weighted, report):
    """Of components of the same size, the one with the smallest vertex. Returns the vertices kept and their rows."""
    native = library.load("components")
    native.keep_component.restype = ctypes.c_int64
    offsets, targets, own = rows
    vertices = len(offsets) - 1
    parents = np.arange(vertices, dtype=np.uint32)

    def join(begin, end):
        native.join_rows(pointer(offsets), pointer(targets), _long(begin), _long(end), pointer(parents))

    _in_slices(pool, join, vertices)
    native.flatten(pointer(parents), _long(vertices))
    root = np.bincount(parents).argmax()
    kept = np.flatnonzero(parents == root)
    numbers = np.zeros(vertices, np.uint32)
    numbers[kept] = np.arange(len(kept), dtype=np.uint32)
    moved = map(pointer, (numbers, offsets, targets, own if weighted else None))
    arcs = native.keep_component(pointer(parents), ctypes.c_uint32(root), _long(vertices), *moved)
    report.append(("vertices outside the largest component dropped", vertices - len(kept)))
    return kept, Rows(offsets[: len(kept) + 1], targets[:arcs], own[:arcs])


def _weigh(pool, policy, rows):
    if policy == "unit":
        rows.weights[:] = 1
        return
    low, high, seed = weights.bounds(policy)
    numbers = [ctypes.c_uint64(number) for number in (low, high - low + 1, seed)]
    native = library.load("build")

    def weigh(begin, end):
        arrays = pointer(rows.offsets), pointer(rows.targets)
        native.hash_weights(*arrays, _long(begin), _long(end), *numbers, pointer(rows.weights))

    _in_slices(pool, weigh, len(rows.offsets) - 1)


def _in_slices(pool, work, count, slices=64):
    """`work(begin, end)` over [0, count) by the threads of the pool."""
    bounds = np.linspace(0, count, min(slices, count) + 1).astype(int)
    list(pool.map(work, map(int, bounds[:-1]), map(int, bounds[1:])))


_long = ctypes.c_int64
