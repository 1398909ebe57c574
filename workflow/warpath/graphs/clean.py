"""Clean edges and build compressed sparse rows (CSR).

The steps, in this order: relabel the vertices, drop loops, add the reverse of every edge, sort, merge parallel arcs,
keep the largest component, set the weights. Of parallel arcs the lightest stays, always: kernels and checks rely on at
most one arc from a vertex to another.

native/build.cpp does the work on the reader's blocks, in threads. A block is freed once its arcs are copied. Rows take
the place of arcs, or of memory that arcs gave back if these have weights: at the peak 8 bytes an arc, 12 if weights
have too many bits to fit beside its ends.
"""

import ctypes
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from warpath.base import processor
from warpath.base.errors import UserError
from warpath.graphs import gap, library, weights
from warpath.graphs.csr import Graph

ARCS_PER_BUCKET = 1 << 15
MOST_BUCKETS = 2048
SMALL_BUCKET = 16 << 20  # bytes; huge pages would take the memory of all buckets when the first arcs are copied
LARGEST_BUCKET = 2**32 - 1  # arcs; native/build.cpp counts them in 32 bits

_build = partial(library.call, "build")


class Layout(ctypes.Structure):
    """How arcs are packed before they become rows; native/build.cpp explains the fields."""

    _fields_ = tuple((name, ctypes.c_int32) for name in ("weighted", "wide", "tail_bits", "target_bits", "weight_bits"))

    @property
    def words(self):
        """32-bit words of an arc."""
        return 3 if self.wide else 2


def clean(edges, steps, directed, policy, name):
    """Return the clean graph; its metadata say how many edges or vertices each step concerned, and its weights policy.

    `steps` is the catalogue's key `clean`; `edges` is consumed.
    """
    policy = weights.resolve(policy, edges.weighted)
    if weights.from_file(policy) and not edges.weighted:
        raise UserError(f"{name}: the file has no weights, but the catalogue says weights: {policy}")
    if not weights.from_file(policy):
        edges.drop_weights()
    report = {}
    if edges.weighted and edges.rounded:
        kind = "whole numbers" if weights.of_file(policy).scale else "single precision"
        report[f"weights rounded to {kind}"] = edges.rounded
    vertices = edges.vertices if steps["relabel"] else edges.ids
    arcs = edges.listed * (1 + (not directed or edges.symmetric))
    needed = vertices * (36 if steps["largest_component"] else 16) + arcs * (12 if edges.weighted else 8)
    needed += 4 * edges.listed * (policy == weights.GAP)
    processor.require_memory(needed, f"{name}: {vertices:,} vertices, up to {arcs:,} arcs")
    with ThreadPoolExecutor(processor.cores()) as pool:
        if policy == weights.GAP:
            edges.blocks = gap.weighted(pool, edges.blocks)
        weighted, names = edges.weighted, edges.names
        labels = _relabel(pool, edges, steps["relabel"])
        rules = steps["self_loops"] == "drop", not directed or edges.symmetric
        rows = _rows(pool, edges, rules, len(labels), report, name)
        if steps["largest_component"]:
            kept, rows = _largest_component(pool, rows, weighted, report)
            labels = labels[kept]
            names = None if names is None else names[kept]
        offsets, targets, arc_weights = rows
        if policy == "unit":
            arc_weights[:] = 1
        elif not weighted:
            drawn = *weights.drawn(policy), arc_weights
            library.in_slices(pool, lambda *part: _build("hash_weights", offsets, targets, *part, *drawn), len(labels))
            if policy.startswith(weights.QUANTILES):  # which are in the middle of equal parts, joined by lines
                quantiles = np.array(policy.split()[1:], int)
                middles = (np.arange(len(quantiles)) + 0.5) * 2**31 / len(quantiles)
                arc_weights[:] = np.interp(arc_weights, middles, quantiles).round()
    report[f"weights: {policy}"] = len(targets)
    metadata = {"weights": policy, "cleaning": [{"step": step, "count": count} for step, count in report.items()]}
    return Graph(name, offsets, targets.view(np.int32), arc_weights, labels, directed, metadata, names)


def _relabel(pool, edges, compact):
    """Number the vertices that occur from 0, in ascending order of their ids, and return those ids.

    Without `compact`, every id up to the largest is a vertex.
    """
    if edges.labels is not None:
        return edges.labels
    if edges.all_ids or not compact:
        return np.arange(edges.first, edges.first + edges.ids, dtype=np.int64)
    seen = edges.seen
    ranks = np.empty(len(seen), np.uint32)
    labels = np.empty(_build("rank", seen, len(seen), ranks), np.int64)
    _build("list_ids", seen, len(seen), labels)
    if len(labels) < edges.ids:
        ends = [ids for block in edges.blocks for ids in block[:2]]
        list(pool.map(lambda ids: _build("relabel", ids, len(ids), seen, ranks), ends))
    return labels + edges.first


def _rows(pool, edges, rules, vertices, report, name):
    """Return the arcs as rows, and report what became of the edges.

    `rules` are whether loops are dropped, and whether an edge is stored in both directions.
    """
    count, (drop_loops, both) = edges.listed, rules
    buckets = min(MOST_BUCKETS, max(1, count * (1 + both) // ARCS_PER_BUCKET))
    shift = 0  # a bucket has the vertices that are equal when shifted so far
    while vertices >> shift > buckets:
        shift += 1
    counts = np.zeros((len(edges.blocks), ((vertices - 1) >> shift) + 1), np.int64)

    def count_block(block, row):
        tails, targets, _ = block
        return _build("count_arcs", tails, targets, len(tails), *rules, shift, row)

    loops = sum(pool.map(count_block, edges.blocks, counts))
    report["self-loops dropped" if drop_loops else "self-loops kept"] = loops
    arcs = int(counts.sum())
    if (largest := int(counts.sum(0).max())) > LARGEST_BUCKET:
        few = f"{1 << shift:,} vertices"
        raise UserError(f"{name}: {largest:,} of {arcs:,} arcs leave {few}; at most {LARGEST_BUCKET:,} may")
    rows, merged_loops = _sorted(pool, edges, counts, vertices, rules, shift)
    merged = arcs - len(rows[1])
    duplicates = (merged - merged_loops) // 2 + merged_loops if both else merged
    stated_twice = (count - loops) // 2 if both and edges.listed_twice else 0
    report["duplicates merged"] = duplicates - stated_twice
    if both:
        report["edges stored in both directions"] = count - (loops if drop_loops else 0) - duplicates
    return rows


def _sorted(pool, edges, counts, vertices, rules, shift):
    """Return the rows, and how many of the arcs that were merged away were loops.

    Weights are packed beside the ends of arcs if they have few enough bits.
    """
    target_bits, bits = (vertices - 1).bit_length(), max(pool.map(lambda block: block.weight_bits, edges.blocks))
    wide = bits > 64 - shift - target_bits
    layout = Layout(edges.weighted, wide, shift, target_bits, 0 if wide else bits)
    dtype = edges.blocks[0].weights.dtype if layout.weighted else None
    starts = np.concatenate([[0], np.cumsum(counts.sum(0))])
    arcs = np.empty(starts[-1] * layout.words, np.uint32)
    if arcs.nbytes < SMALL_BUCKET * (len(starts) - 1):
        _build("use_small_pages", arcs, arcs.nbytes)
    positions = starts[:-1] + np.cumsum(counts, axis=0) - counts

    def scatter(index):
        """Copy the arcs of a block to their buckets, and free the block."""
        block, edges.blocks[index] = edges.blocks[index], None
        _build("scatter_arcs", *block, len(block.tails), *rules, ctypes.byref(layout), positions[index], arcs)

    list(pool.map(scatter, range(len(edges.blocks))))
    edges.blocks = []
    degrees, (kept, loops) = np.zeros(vertices + 1, np.int64), np.zeros((2, len(starts) - 1), np.int64)
    buckets, results = (starts, ctypes.byref(layout)), (degrees[1:], kept, loops)
    library.in_slices(pool, lambda begin, end: _build("sort_arcs", arcs, begin, end, *buckets, *results), len(kept))
    targets, arc_weights = _gather(pool, arcs, dtype, starts, kept, layout)
    return (np.cumsum(degrees, out=degrees), targets, arc_weights), int(loops.sum())


def _gather(pool, arcs, dtype, starts, kept, layout):
    """Return the targets of the sorted arcs, and their weights or memory for them."""
    firsts = np.concatenate([[0], np.cumsum(kept)])
    count = firsts[-1]

    def gather_into(targets, arc_weights):
        bounds = starts, firsts, ctypes.byref(layout)
        return lambda begin, end: _build("gather_arcs", arcs, begin, end, *bounds, targets, arc_weights)

    if dtype is None:  # into the memory of the arcs: buckets move together to where only earlier ones were
        begin = 0
        while begin < len(kept):
            end = max(begin + 1, int(np.searchsorted(firsts, layout.words * starts[begin], "right")) - 1)
            library.in_slices(pool, gather_into(arcs, None), end, begin)
            begin = end
        return arcs[:count], arcs[count : 2 * count].view(np.int32)
    targets, arc_weights = np.empty(count, np.uint32), np.empty(count, dtype)
    library.in_slices(pool, gather_into(targets, arc_weights), len(kept))
    return targets, arc_weights


def _largest_component(pool, rows, weighted, report):
    """Return the vertices and rows of the largest component; of equally large ones, that with the smallest vertex."""
    offsets, targets, arc_weights = rows
    vertices = len(offsets) - 1
    parents = np.arange(vertices, dtype=np.uint32)  # which become the smallest vertex of each vertex's component
    native = partial(library.call, "components")
    library.in_slices(pool, lambda begin, end: native("join_rows", offsets, targets, begin, end, parents), vertices)
    native("flatten", parents, vertices)
    root = np.bincount(parents).argmax()
    kept = np.flatnonzero(parents == root)
    numbers = np.zeros(vertices, np.uint32)
    numbers[kept] = np.arange(len(kept), dtype=np.uint32)
    arrays = numbers, offsets, targets, arc_weights if weighted else None
    arcs = native("keep_component", parents, root, vertices, *arrays)
    report["vertices outside the largest component dropped"] = vertices - len(kept)
    return kept, (offsets[: len(kept) + 1], targets[:arcs], arc_weights[:arcs])
