"""Make the blocks of a generated graph: cut arrays, or compute each block by itself in threads."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from warpath.base import processor
from warpath.graphs.edges import Block, Drawn, EdgeList

EDGES_PER_BLOCK = 1 << 20  # a multiple of gap.BLOCK
COMPUTED_AT_ONCE = 1 << 18  # edges; NumPy's temporary arrays of so many fit the cache


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


def drawn(vertices, edges, fill, held=True):
    """Draw edges by `fill(begin, tails, targets)`: all blocks at once, in threads, or each when it is needed."""

    def draw(begin, count):
        block = empty(count)
        fill(begin, *block[:2])
        return block

    counts = {begin: min(EDGES_PER_BLOCK, edges - begin) for begin in range(0, max(edges, 1), EDGES_PER_BLOCK)}
    listed = [Drawn(count, partial(draw, begin, count)) for begin, count in counts.items()]
    if held:
        with ThreadPoolExecutor(processor.cores()) as pool:
            listed = list(pool.map(lambda block: block.draw(), listed))
    return EdgeList(listed, vertices, all_ids=True)


def computed(vertices, edges, part):
    """Compute the blocks in threads: `part(begin, end)` returns the tails and targets of these edges."""

    def block(begin):
        tails, targets = part(begin, min(begin + COMPUTED_AT_ONCE, edges))
        return Block(tails.astype(np.uint32, copy=False), targets.astype(np.uint32, copy=False))

    with ThreadPoolExecutor(processor.cores()) as pool:
        return EdgeList(list(pool.map(block, range(0, max(edges, 1), COMPUTED_AT_ONCE))), vertices, all_ids=True)


def joined(parts):
    """One list of the edges of several, over the same vertices."""
    return EdgeList([block for part in parts for block in part.blocks], parts[0].ids, all_ids=True)


def empty(count):
    return Block(np.empty(count, np.uint32), np.empty(count, np.uint32))
