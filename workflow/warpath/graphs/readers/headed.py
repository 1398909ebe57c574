"""Formats whose header states the number of vertices; ids start at 1."""

import numpy as np

from warpath.base import processor
from warpath.base.errors import UserError
from warpath.graphs import library
from warpath.graphs.edges import EdgeList
from warpath.graphs.readers.text import Dialect, call_parser, edge_blocks, escaped, parse_blocks

BANNER = "%%MatrixMarket matrix coordinate pattern|real|integer general|symmetric"


def dimacs(text, use, given=None):
    """DIMACS shortest path graphs: `p sp vertices arcs`, then arcs `a from to weight`; `c` starts a comment."""
    _skip_comments(text)
    counts = text.header(b"p sp", "vertices arcs")
    return _edges(text, Dialect(b"c", b"a", weighted=True), use, counts, directed=True)


def pace(text, use, given=None):
    """PACE graphs: `p tw vertices edges`, then `u v` without weights; `c` starts a comment."""
    _skip_comments(text)
    return _edges(text, Dialect(b"c"), use, text.header(b"p tw", "vertices edges"), directed=False)


def mtx(text, use, given=None):
    """Matrix Market: a banner, `%` comments, `rows columns entries`, then `i j` or `i j value`."""
    line = (text.take() or b"")[:200]
    words = line.decode("utf-8", "replace").lower().split()
    complete = len(words) == 5 and words[:3] == ["%%matrixmarket", "matrix", "coordinate"]
    if not complete or words[3] not in ("pattern", "real", "integer") or words[4] not in ("general", "symmetric"):
        raise text.error(f"expected '{BANNER}', found '{escaped(line, 80)}'")
    text.skip_while(lambda line: not line.strip() or line.startswith(b"%"))
    vertices, columns, entries = text.header(b"", "rows columns entries")
    if vertices != columns:
        raise text.error(f"{vertices:,} rows and {columns:,} columns; the matrix of a graph is square")
    symmetric = words[4] == "symmetric"
    edges = _edges(text, Dialect(b"%", weighted=words[3] != "pattern"), use, (vertices, entries), not symmetric)
    edges.symmetric = symmetric
    return edges


def _edges(text, dialect, use, counts, directed):
    vertices, edges = counts
    dialect = dialect._replace(strict=True, negative=use.negative, first=1, last=vertices, scale=use.scale)
    blocks, _ = edge_blocks(text, dialect)
    header = {"vertices": vertices, "edges": edges}
    edges = EdgeList(blocks, vertices, all_ids=True, first=1, header=header, directed=directed)
    if not use.used:
        edges.drop_weights()
    return edges


def coordinates(text, edges):
    """DIMACS coordinates: `p aux sp co vertices`, then `v id x y` for every vertex."""
    _skip_comments(text)
    (vertices,) = text.header(b"p aux sp co", "vertices")
    if vertices != edges.ids:
        raise text.error(f"coordinates of {vertices:,} vertices for a graph of {edges.ids:,}")
    processor.require_memory(17 * vertices, f"{text.path}: coordinates of {vertices:,} vertices")
    x, y, seen = np.empty(vertices), np.empty(vertices), library.bitmap(vertices)
    dialect = Dialect(b"c", b"v", strict=True, negative="keep", first=1, last=vertices)

    def parse(lines):
        return None, call_parser(("parse_others", "parse_coordinates"), lines, dialect, x, y, seen)

    for _ in parse_blocks(text, parse):
        pass
    count = int(np.bitwise_count(seen).sum())
    if count != vertices:
        raise UserError(f"{text.path}: the header says {vertices:,} vertices, but {count:,} have coordinates")
    return {"x": x, "y": y}


def _skip_comments(text):
    text.skip_while(lambda line: not line or line.startswith(b"c"))
