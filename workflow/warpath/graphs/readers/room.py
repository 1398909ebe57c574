"""Memory for the edges of a file, cut from large pieces: fresh memory in small ones costs as much as parsing does."""

import threading

import numpy as np

from warpath.graphs.edges import Block

PIECE = 1 << 24  # edges; what is not touched takes no memory


class Room(threading.local):
    """Each thread cuts from a piece of its own."""

    def __init__(self, weighted):
        self._dtypes = (np.uint32, np.uint32, np.int32 if weighted else None)
        self._used = self._size = 0

    def block(self, capacity, fill):
        """The block of edges that `fill(block)` puts into one of this capacity, and what `fill` returns."""
        if self._size - self._used < capacity:
            self._used, self._size = 0, max(capacity, PIECE)
            self._columns = [dtype and np.empty(self._size, dtype) for dtype in self._dtypes]
        outcome = fill(self._cut(capacity))
        block = self._cut(outcome.edges)
        self._used += outcome.edges
        if outcome.fractional:
            block = block._replace(weights=block.weights.view(np.float32))
        return block, outcome

    def _cut(self, count):
        part = slice(self._used, self._used + count)
        return Block(*(None if column is None else column[part] for column in self._columns))
