"""What a reader or a generator hands over: edges in blocks, before any cleaning."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np


class Block(NamedTuple):
    sources: np.ndarray  # uint32
    targets: np.ndarray  # uint32
    weights: np.ndarray | None = None  # int32, or float32 where some are not whole numbers


@dataclass
class EdgeList:
    blocks: list
    ids: int  # every id is below this
    all_ids: bool = False  # whether every one of them is a vertex, also one without edges
    seen: np.ndarray | None = None  # a bit for every id that occurs, where not all are vertices
    first: int = 0  # the label of id 0
    both_ways: bool = False  # the file itself says that every edge goes both ways
    twice: bool = False  # and lists it twice
    stated: dict = field(default_factory=dict)  # counts in the file's header: vertices, edges
    columns: dict = field(default_factory=dict)  # of vertices: x, y
    format: str = "generated"

    @property
    def edges(self):
        """As the source counts them: one that is listed twice counts once."""
        return sum(len(block.sources) for block in self.blocks) // (1 + self.twice)

    @property
    def weighted(self):
        return any(block.weights is not None for block in self.blocks)
