"""The graphs, weights and sources of the GAP Benchmark Suite, the same as its reference code makes (native/gap.cpp)."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from warpath.base import processor
from warpath.graphs import blocks, library
from warpath.graphs.edges import Drawn, content, size
from warpath.graphs.library import int64, pointer, uint32

BLOCK = 1 << 18  # edges that the suite draws with one seed
EDGES_PER_BLOCK = 4 * BLOCK
WEIGHT_BITS = 8


def gap_kron(scale, edge_factor=16, held=True):
    """Draw the suite's Kronecker graph."""
    permutation = np.empty(1 << scale, np.uint32)
    library.load("gap").gap_permutation(uint32(scale), pointer(permutation))
    return _drawn("gap_kron", scale, edge_factor, permutation, held)


def gap_urand(scale, edge_factor=16, held=True):
    """Draw the suite's uniform graph."""
    return _drawn("gap_urand", scale, edge_factor, None, held)


def _drawn(family, scale, edge_factor, permutation, held):
    """Draw edges; as in the suite, the largest id that occurs is the last vertex."""
    draw = getattr(library.load("gap"), family)

    def fill(begin, count):
        block = blocks.empty(count)
        draw(int64(begin), int64(count), uint32(scale), pointer(permutation), *map(pointer, block[:2]))
        return block

    def largest(block):
        return max(ids.max() for ids in content(block)[:2])

    edges = blocks.drawn(1 << scale, edge_factor << scale, fill, held, EDGES_PER_BLOCK)
    with ThreadPoolExecutor(processor.cores()) as pool:
        edges.ids = int(max(pool.map(largest, edges.blocks))) + 1
    return edges


def weighted(pool, listed):
    """Return blocks with weights by the place of each edge in the list."""
    begins = np.cumsum([0, *map(size, listed)]).tolist()
    return list(pool.map(_with_weights, listed, begins[:-1]))


def _with_weights(block, begin):
    """Draw from the begin of the suite's block in which this block begins."""
    if isinstance(block, Drawn):
        return block._replace(draw=lambda: _with_weights(block.draw(), begin), weight_bits=WEIGHT_BITS)
    before = begin % BLOCK
    weights = np.empty(before + len(block.tails), np.int32)
    library.load("gap").gap_weights(int64(begin - before), int64(len(weights)), pointer(weights))
    return block._replace(weights=weights[before:])


def sources(graph, count):
    """Return the vertices from which the suite searches, each once."""
    drawn = np.empty(count if graph.arcs else 0, np.int64)
    library.load("gap").gap_sources(pointer(graph.offsets), int64(graph.vertices), int64(len(drawn)), pointer(drawn))
    return list(dict.fromkeys(drawn.tolist()))
