"""The graphs, weights and sources of the GAP Benchmark Suite, the same as its reference code makes (native/gap.cpp)."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from warpath.foundation import processor
from warpath.graphs import library
from warpath.graphs.edges import Block, EdgeList
from warpath.graphs.library import int64, pointer, uint32

EDGES_PER_BLOCK = 1 << 20  # a multiple of the suite's own blocks


def gap_kron(scale, edge_factor=16):
    """Draw the suite's Kronecker graph."""
    permutation = np.empty(1 << scale, np.uint32)
    library.load("gap").gap_permutation(uint32(scale), pointer(permutation))
    return _drawn("gap_kron", scale, edge_factor, permutation)


def gap_urand(scale, edge_factor=16):
    """Draw the suite's uniform graph."""
    return _drawn("gap_urand", scale, edge_factor, None)


def _drawn(family, scale, edge_factor, permutation):
    """Draw edges; as in the suite, the largest id that occurs is the last vertex."""
    draw, edges = getattr(library.load("gap"), family), edge_factor << scale

    def fill(begin):
        count = min(EDGES_PER_BLOCK, edges - begin)
        block = Block(np.empty(count, np.uint32), np.empty(count, np.uint32))
        ends = map(pointer, block[:2])
        draw(int64(begin), int64(count), uint32(scale), pointer(permutation), *ends)
        return block, max(block.tails.max(), block.targets.max())

    with ThreadPoolExecutor(processor.cores()) as pool:
        blocks, largest = zip(*pool.map(fill, range(0, edges, EDGES_PER_BLOCK)), strict=True)
    return EdgeList(list(blocks), int(max(largest)) + 1, all_ids=True)


def weighted(pool, blocks):
    """Return blocks with weights by the place of each edge in the list."""
    begins = np.cumsum([0, *(len(block.tails) for block in blocks)]).tolist()
    return list(pool.map(_with_weights, blocks, begins[:-1]))


def _with_weights(block, begin):
    """Draw from the begin of the suite's block of 2^18 edges in which this block begins."""
    before = begin % (1 << 18)
    weights = np.empty(before + len(block.tails), np.int32)
    library.load("gap").gap_weights(int64(begin - before), int64(len(weights)), pointer(weights))
    return block._replace(weights=weights[before:])


def sources(graph, count):
    """Return the vertices from which the suite searches, each once."""
    drawn = np.empty(count if graph.arcs else 0, np.int64)
    library.load("gap").gap_sources(pointer(graph.offsets), int64(graph.vertices), int64(len(drawn)), pointer(drawn))
    return list(dict.fromkeys(drawn.tolist()))
