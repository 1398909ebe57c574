"""Division of a graph into regions, one for each block, and their layout in memory."""

import importlib.util
from typing import Any, NamedTuple


def has_metis():
    return importlib.util.find_spec("pymetis") is not None


def parts(offsets, targets, blocks):
    """Return each vertex's region, by METIS: all have about as many vertices and arcs together."""
    import numpy as np
    import pymetis

    tails = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    proper = tails != targets
    begins = np.append(0, np.cumsum(np.bincount(tails[proper], minlength=len(offsets) - 1)))
    sizes = np.diff(offsets).astype(np.int32) + 1
    adjacency = pymetis.CSRAdjacency(begins.astype(np.int32), targets[proper].astype(np.int32))
    # It complains in the log of vertices with so many arcs that some region stays empty, which does no harm.
    return np.asarray(pymetis.part_graph(blocks, adjacency, vweights=sizes).vertex_part, np.int64)


class Layout(NamedTuple):
    """What kernels read; kernels/include/region_memory.cuh says what a row has."""

    rows: Any
    data: Any
    arcs: Any
    places: Any  # of vertices, by region
    order: Any  # the vertex at each place
    slots: int
    shared_bytes: int


def group_size(in_shared, lanes=1):
    """Return how many arcs of a vertex are read together, by so many lanes: at least 16 bytes."""
    return max(4 if in_shared else 8, lanes)


def lay_out(arcs, part, blocks, in_shared, queue, group):
    """Return the layout of these regions, or None if one has more than its numbers can count.

    `arcs` are offsets, targets and, if they have lengths, weights: these stand above the targets, in as many bits (16
    where arcs are in shared memory). `queue` is the words for queues; arcs of a vertex are read in groups of `group`.
    """
    import numpy as np

    offsets, targets, *weights = arcs
    vertices, degrees = len(offsets) - 1, np.diff(offsets)
    tails = np.repeat(np.arange(vertices), degrees)
    on_border = np.zeros(vertices, bool)
    on_border[targets[part[tails] != part[targets]]] = True
    order = np.lexsort((~on_border, part))
    places = np.argsort(order)
    starts = np.searchsorted(part[order], np.arange(blocks + 1))
    borders = np.bincount(part[on_border], minlength=blocks)
    slots = np.append(0, np.cumsum(borders))

    dtype, outside_from = (np.uint16, 1 << 15) if in_shared else (np.uint32, 1 << 31)
    degrees = degrees[order]
    first_groups = np.append(0, np.cumsum(-(-degrees // group)))
    within = np.arange(len(targets)) - np.repeat(np.cumsum(degrees) - degrees, degrees)
    arc = np.repeat(offsets[:-1][order], degrees) + within
    heads = targets[arc]
    regions = np.repeat(part[order], degrees)
    numbers = places[heads] - starts[part[heads]]
    leaves = part[heads] != regions
    outside = slots[part[heads[leaves]]] + numbers[leaves]
    if in_shared:
        outside, numbers[leaves], outside_starts = tables(regions[leaves], outside, blocks)
        numbers[leaves] += outside_from
    else:
        numbers[leaves] = outside + outside_from
        outside, outside_starts = outside[:0], np.zeros(blocks + 1, np.int64)
    if weights:
        numbers |= weights[0][arc].astype(np.int64) << 8 * dtype().nbytes
        dtype = {np.uint16: np.uint32, np.uint32: np.uint64}[dtype]
    packed = np.full(group * first_groups[-1], np.iinfo(dtype).max, dtype)
    packed[np.repeat(group * first_groups[:-1], degrees) + within] = numbers

    groups, tables_of = first_groups[starts], np.diff(outside_starts)
    sizes = np.diff(starts), np.diff(groups), tables_of
    if any(size.max() >= most for size, most in zip(sizes, (outside_from, 1 << 16, 1 << 15), strict=True)):
        return None
    pieces, begins = [], [0]
    for region in range(blocks):
        own = slice(starts[region], starts[region + 1] + 1)
        firsts = (first_groups[own] - groups[region]).astype(np.uint16)
        firsts = np.resize(firsts, -(-len(firsts) // 2) * 2).view(np.int32)
        own_arcs = packed[group * groups[region] : group * groups[region + 1]].view(np.int32)
        table = outside[outside_starts[region] : outside_starts[region + 1]].astype(np.int32)
        piece = np.concatenate([own_arcs, table, firsts] if in_shared else [firsts])
        pieces.append(np.append(piece, np.zeros(-len(piece) % 4, np.int32)))
        begins.append(begins[-1] + len(pieces[-1]))
    columns = starts[:-1], sizes[0], borders, slots[:-1], sizes[1], tables_of, begins[:-1], groups[:-1]
    shared_bytes = 4 * int((np.diff(begins) + sizes[0]).max() + 32 + queue)
    rows = np.stack(columns, axis=1).astype(np.int32)
    numbered = places.astype(np.int32), order.astype(np.int32)
    return Layout(
        rows, np.concatenate(pieces), packed[:1] if in_shared else packed, *numbered, int(slots[-1]), shared_bytes
    )


def tables(regions, slots, blocks):
    """Return each region's slots without repetitions, every arc's place among its region's, and where these begin."""
    import numpy as np

    width = slots.max(initial=0) + 1
    keys, places = np.unique(regions * width + slots, return_inverse=True)
    begins = np.searchsorted(keys, np.arange(blocks + 1) * width)
    return keys % width, places - begins[regions], begins
