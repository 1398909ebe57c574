"""The edges that a reader or a generator produces, in blocks and before any cleaning."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

LARGEST = 2**31 - 1  # id of a vertex, and number of vertices


class Block(NamedTuple):
    tails: np.ndarray  # uint32
    targets: np.ndarray  # uint32
    weights: np.ndarray | None = None  # int32, or float32 if any weight of the graph is fractional


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
    columns: dict = field(default_factory=dict)  # of vertices: x, y
    format: str = "generated"
    labels: np.ndarray | None = None  # int64, the label of each id, if not `first` + id
    directed: bool | None = None  # what the file says; None: nothing
    notes: list = field(default_factory=list)  # lines for the user: what was taken for what

    @property
    def edges(self):
        """The number of edges as the publisher counts them."""
        return sum(len(block.tails) for block in self.blocks) // (1 + self.listed_twice)

    @property
    def weighted(self):
        return any(block.weights is not None for block in self.blocks)


def without_weights(blocks):
    return [block._replace(weights=None) for block in blocks]
