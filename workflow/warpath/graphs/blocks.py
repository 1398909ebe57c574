"""Make the blocks of a generated graph: cut arrays, or draw each block by itself in threads."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from warpath.base import processor
from warpath.graphs.edges import Block, Drawn, EdgeList

EDGES_PER_BLOCK = 1 << 18  # a multiple of gap.BLOCK; NumPy's temporary arrays of so many fit the cache


def cut(tails, targets, weights=None):
    """Cut arrays of edges into blocks, each with memory of its own."""
    blocks = []
    for begin in range(0, max(len(tails), 1), EDGES_PER_BLOCK):
        part = slice(begin, begin + EDGES_PER_BLOCK)
        ends = (np.array(ids[part], np.uint32) for ids in (tails, targets))
        blocks.append(Block(*ends, None if weights is None else np.array(weights[part])))
    return blocks


def of_arrays(vertices, tails, targets, weights=None):
    """The edges between these ends."""
    weights = None if weights is None else weights.astype(np.int32)
    return EdgeList(cut(tails, targets, weights), vertices, all_ids=True)


def drawn(vertices, edges, draw, held=True):
    """Draw edges by `draw(begin, end)`, which returns both ends: all blocks in threads, or each when it is needed."""

    def block(begin, count):
        return Block(*(np.ascontiguousarray(ids, np.uint32) for ids in draw(begin, begin + count)))

    counts = {begin: min(EDGES_PER_BLOCK, edges - begin) for begin in range(0, max(edges, 1), EDGES_PER_BLOCK)}
    listed = [Drawn(count, partial(block, begin, count)) for begin, count in counts.items()]
    if held:
        with ThreadPoolExecutor(processor.cores()) as pool:
            listed = list(pool.map(lambda each: each.draw(), listed))
    return EdgeList(listed, vertices, all_ids=True)


def joined(parts):
    """One list of the edges of several, over the same vertices."""
    return EdgeList([block for part in parts for block in part.blocks], parts[0].ids, all_ids=True)
