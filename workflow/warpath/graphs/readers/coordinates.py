"""DIMACS coordinates: `p aux sp co vertices`, then `v id x y` for every vertex."""

import numpy as np

from warpath.base import processor
from warpath.base.errors import UserError
from warpath.graphs import library
from warpath.graphs.readers.dimacs import skip_comments
from warpath.graphs.readers.text import Dialect, call_parser, parse_blocks


def read(text, edges):
    skip_comments(text)
    (vertices,) = text.header(b"p aux sp co", "vertices")
    if vertices != edges.ids:
        raise text.error(f"coordinates of {vertices:,} vertices for a graph of {edges.ids:,}")
    processor.require_memory(17 * vertices, f"{text.path}: coordinates of {vertices:,} vertices")
    x, y, seen = np.empty(vertices), np.empty(vertices), library.bitmap(vertices)
    dialect = Dialect(b"c", b"v", strict=True, negative="keep", first=1, last=vertices)
    parser = library.load("parse_others").parse_coordinates

    def parse(lines):
        return None, call_parser(parser, lines, dialect, *map(library.pointer, (x, y, seen)))

    for _ in parse_blocks(text, parse):
        pass
    count = int(np.bitwise_count(seen).sum())
    if count != vertices:
        raise UserError(f"{text.path}: the header says {vertices:,} vertices, but {count:,} have coordinates")
    return {"x": x, "y": y}
