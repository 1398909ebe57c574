"""The edges that a reader or a generator produces, in blocks and before any cleaning."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from warpath.base import processor

LARGEST = 2**31 - 1  # id of a vertex, and number of vertices
EDGES_PER_BLOCK = 1 << 18  # a multiple of gap.BLOCK; NumPy's temporary arrays of so many fit the cache


class Block(NamedTuple):
    tails: np.ndarray  # uint32
    targets: np.ndarray  # uint32
    weights: np.ndarray | None = None  # int32, or float32 if any weight of the graph is fractional

    @property
    def weight_bits(self):
        """The bits of the largest weight, all 32 where weights are floats; 0 without weights."""
        if self.weights is None:
            return 0
        is_integer = self.weights.dtype == np.int32
        return int(self.weights.view(np.uint32).max(initial=0)).bit_length() if is_integer else 32


@dataclass
class EdgeList:
    blocks: list
    ids: int  # all ids are below it
    all_ids: bool = False  # every id is a vertex, even without edges
    seen: np.ndarray | None = None  # bitmap of the ids that occur, unless all_ids
    first: int = 0  # the label of id 0
    symmetric: bool = False  # the file states that every edge has both directions
    listed_twice: bool = False  # the file lists both of them
    header: dict = field(default_factory=dict)  # the vertices and edges that the file's header states
    names: np.ndarray | None = None  # of vertices whose ids are text
    format: str = "generated"
    labels: np.ndarray | None = None  # int64, the label of each id, if not `first` + id
    directed: bool | None = None  # what the file says; None: nothing
    rounded: int = 0  # weights that are stored as other numbers than in the file
    notes: list = field(default_factory=list)  # lines for the user: what was taken for what

    @property
    def edges(self):
        """The number of edges as the publisher counts them."""
        return self.listed // (1 + self.listed_twice)

    @property
    def listed(self):
        return sum(len(block.tails) for block in self.blocks)

    @property
    def weighted(self):
        return any(block.weights is not None for block in self.blocks)

    @property
    def vertices(self):
        return self.ids if self.all_ids else int(np.bitwise_count(self.seen).sum())

    def drop_weights(self):
        self.blocks = [block._replace(weights=None) for block in self.blocks]


def cut(tails, targets, weights=None):
    """Cut arrays of edges into blocks, each with memory of its own."""
    blocks = []
    for begin in range(0, max(len(tails), 1), EDGES_PER_BLOCK):
        part = slice(begin, begin + EDGES_PER_BLOCK)
        ends = (np.array(ids[part], np.uint32) for ids in (tails, targets))
        blocks.append(Block(*ends, None if weights is None else np.array(weights[part])))
    return blocks


def of_arrays(vertices, tails, targets, weights=None):
    weights = None if weights is None else weights.astype(np.int32)
    return EdgeList(cut(tails, targets, weights), vertices, all_ids=True)


def drawn(vertices, edges, draw):
    """Draw edges by `draw(begin, end)`, which returns both ends, in threads."""

    def block(begin):
        ends = draw(begin, min(begin + EDGES_PER_BLOCK, edges))
        return Block(*(np.ascontiguousarray(ids, np.uint32) for ids in ends))

    with ThreadPoolExecutor(processor.cores()) as pool:
        return EdgeList(list(pool.map(block, range(0, max(edges, 1), EDGES_PER_BLOCK))), vertices, all_ids=True)


def joined(parts):
    return EdgeList([block for part in parts for block in part.blocks], parts[0].ids, all_ids=True)
