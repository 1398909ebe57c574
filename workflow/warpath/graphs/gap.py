"""The graphs, weights and sources of the GAP Benchmark Suite, the same as its reference code makes.

It draws each block of edges, and their weights, by a Mersenne Twister with a seed of its own.
"""

import numpy as np

from warpath.graphs import blocks, library

BLOCK = 1 << 18  # edges that the suite draws with one seed
FIRST_SEED = 27491095


def gap_kron(scale, edge_factor=16):
    permutation = np.empty(1 << scale, np.uint32)
    library.call("gap", "gap_permutation", scale, permutation)

    def draw(begin, end):
        ends = np.empty((2, end - begin), np.uint32)
        library.call("gap", "gap_kron", begin, end - begin, scale, permutation, *ends)
        return ends

    return _drawn(draw, scale, edge_factor)


def gap_urand(scale, edge_factor=16):
    """Draw the suite's uniform graph: two numbers an edge, of which the first is the target."""

    def draw(begin, end):
        drawn = _in_blocks(begin, end - begin, lambda twister, edges: twister.randint(0, 2**32, 2 * edges, np.uint32))
        return (drawn & np.uint32((1 << scale) - 1)).reshape(-1, 2).T[::-1]

    return _drawn(draw, scale, edge_factor)


def _drawn(draw, scale, edge_factor):
    """Draw edges; as in the suite, the largest id that occurs is the last vertex."""
    edges = blocks.drawn(1 << scale, edge_factor << scale, draw)
    edges.ids = max(int(ids.max()) for block in edges.blocks for ids in block[:2]) + 1
    return edges


def _in_blocks(begin, count, draw):
    """Return the numbers that `draw(twister, edges)` draws for the suite's blocks of edges from `begin`, a block's."""
    drawn = []
    for place in range(0, max(count, 1), BLOCK):
        twister = np.random.RandomState(FIRST_SEED + (begin + place) // BLOCK)
        drawn.append(draw(twister, min(BLOCK, count - place)))
    return np.concatenate(drawn)


def weighted(pool, listed):
    """Return blocks with weights by the place of each edge in the list."""
    begins = np.cumsum([0, *(len(block.tails) for block in listed)]).tolist()

    def with_weights(block, begin):
        before = begin % BLOCK  # edges since the begin of the suite's block
        return block._replace(weights=_in_blocks(begin - before, before + len(block.tails), _weights)[before:])

    return list(pool.map(with_weights, listed, begins[:-1]))


def _weights(twister, count):
    """Draw weights 1 to 255 from all numbers of 32 bits but the largest."""
    drawn = np.empty(0, np.uint32)
    while len(drawn) < count:
        more = twister.randint(0, 2**32, count - len(drawn), np.uint32)
        drawn = np.append(drawn, more[more != 2**32 - 1])
    return (drawn % np.uint32(255) + np.uint32(1)).view(np.int32)


def sources(graph, count):
    """Return the vertices from which the suite searches, each once."""
    drawn = np.empty(count if graph.arcs else 0, np.int64)
    library.call("gap", "gap_sources", graph.offsets, graph.vertices, len(drawn), drawn)
    return list(dict.fromkeys(drawn.tolist()))
