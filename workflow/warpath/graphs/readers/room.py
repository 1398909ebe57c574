"""Allocate blocks of edges from large pieces of memory: many small allocations would take as long as the parsing."""

import threading

import numpy as np

from warpath.graphs.edges import Block

PIECE = 1 << 24  # edges; untouched pages take no memory


class Room(threading.local):
    """Each thread has a piece of its own."""

    def __init__(self, weighted, ids=np.uint32):
        self._dtypes = (ids, ids, np.int32 if weighted else None)
        self._used = self._size = 0

    def block(self, capacity, fill):
        """Let `fill` write edges into a block of this capacity; return the block cut to its edges, and the outcome."""
        if self._size - self._used < capacity:
            self._used, self._size = 0, max(capacity, PIECE)
            self._columns = [dtype and np.empty(self._size, dtype) for dtype in self._dtypes]
        outcome = fill(self._slice(capacity))
        block = self._slice(outcome.edges)
        self._used += outcome.edges
        if outcome.fractional:
            block = block._replace(weights=block.weights.view(np.float32))
        return block, outcome

    def _slice(self, count):
        part = slice(self._used, self._used + count)
        return Block(*(None if column is None else column[part] for column in self._columns))
