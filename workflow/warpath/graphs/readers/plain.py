"""Formats with one edge per line and no mandatory header."""

from warpath.graphs import library
from warpath.graphs.edges import LARGEST, EdgeList
from warpath.graphs.readers.text import Dialect, edge_blocks

MOST_COLUMNS = 4
COUNTED = 99  # a long line is not taken apart


def read(text, negative, comments, separator=None, header=None):
    """Read edges `u v`, or `u v weight` if the first line has a third column and weights are used."""
    first = text.peek() or b""
    separator = separator or (b"," if b"," in first else b" ")
    columns = len(first.split(separator if separator == b"," else None, COUNTED))
    if columns > MOST_COLUMNS:
        raise text.error(f"{columns} columns; expected from, to and optionally weight and time", text.line + 1)
    weighted = negative is not None and columns > 2
    dialect = Dialect(
        comments=comments,
        separator=separator,
        strict=columns == (3 if weighted else 2),
        weighted=weighted,
        negative=negative or "keep",
        last=LARGEST,
    )
    seen = library.bitmap(LARGEST + 1)
    blocks, largest = edge_blocks(text, dialect, seen)
    return EdgeList(blocks, ids=largest + 1, seen=seen[: largest // 64 + 1], header=header or {})
