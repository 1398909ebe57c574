"""What the formats share that have an edge a line and no count that must be there."""

from warpath.graphs import library
from warpath.graphs.edges import EdgeList
from warpath.graphs.readers.text import Dialect, edge_blocks

LARGEST = 2**31 - 1


def read(text, negative, comments, separator=None, stated=None):
    """Edges `u v`, or `u v weight` if the first line has a third column and weights are wanted."""
    first = text.peek() or b""
    separator = separator or (b"," if b"," in first else b" ")
    columns = len(first.split(separator) if separator == b"," else first.split())
    dialect = Dialect(
        comments=comments,
        separator=separator,
        weighted=negative is not None and columns > 2,
        negative=negative or "keep",
        last=LARGEST,
    )
    seen = library.bitmap(LARGEST + 1)
    blocks, largest = edge_blocks(text, dialect, seen)
    return EdgeList(blocks, ids=largest + 1, seen=seen[: largest // 64 + 1], stated=stated or {})
