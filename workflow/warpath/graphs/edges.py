"""The edges that a reader or a generator produces, in blocks and before any cleaning."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

LARGEST = 2**31 - 1  # id of a vertex, and number of vertices


class Block(NamedTuple):
    tails: np.ndarray  # uint32
    targets: np.ndarray  # uint32
    weights: np.ndarray | None = None  # int32, or float32 if any weight of the graph is fractional


class Drawn(NamedTuple):
    """A block that is drawn each time it is needed, where memory does not hold all blocks."""

    edges: int
    draw: Callable[[], Block]
    weight_bits: int = 0


def content(block):
    return block.draw() if isinstance(block, Drawn) else block


def size(block):
    """The number of edges."""
    return block.edges if isinstance(block, Drawn) else len(block.tails)


def has_weights(block):
    return block.weight_bits > 0 if isinstance(block, Drawn) else block.weights is not None


def weight_bits(block):
    """The bits of the largest weight, all 32 where weights are floats; 0 without weights."""
    if isinstance(block, Drawn) or block.weights is None:
        return block.weight_bits if isinstance(block, Drawn) else 0
    return int(block.weights.view(np.uint32).max(initial=0)).bit_length() if block.weights.dtype == np.int32 else 32


@dataclass
class EdgeList:
    blocks: list  # of Block or Drawn
    ids: int  # all ids are below it
    all_ids: bool = False  # every id is a vertex, even without edges
    seen: np.ndarray | None = None  # bitmap of the ids that occur, unless all_ids
    first: int = 0  # the label of id 0
    symmetric: bool = False  # the file states that every edge has both directions
    listed_twice: bool = False  # the file lists both of them
    header: dict = field(default_factory=dict)  # the vertices and edges that the file's header states
    columns: dict = field(default_factory=dict)  # of vertices: x, y
    format: str = "generated"
    labels: np.ndarray | None = None  # int64, the label of each id, if not `first` + id
    directed: bool | None = None  # what the file says; None: nothing
    notes: list = field(default_factory=list)  # lines for the user: what was taken for what

    @property
    def edges(self):
        """The number of edges as the publisher counts them."""
        return self.listed // (1 + self.listed_twice)

    @property
    def listed(self):
        """The number of edges in the blocks."""
        return sum(map(size, self.blocks))

    @property
    def weighted(self):
        return any(map(has_weights, self.blocks))


def without_weights(blocks):
    return [block if isinstance(block, Drawn) else block._replace(weights=None) for block in blocks]
