"""Formats whose header states the number of vertices; ids start at 1."""

import numpy as np

from warpath.base import processor
from warpath.base.errors import UserError
from warpath.graphs import library, weights
from warpath.graphs.edges import EdgeList
from warpath.graphs.readers.text import Dialect, call_parser, edge_blocks, escaped, parse_blocks

BANNER = "%%MatrixMarket matrix coordinate pattern|real|integer general|symmetric"


def dimacs(text, use, given=None):
    """DIMACS shortest path graphs: `p sp vertices arcs`, then arcs `a from to weight`; `c` starts a comment."""
    counts = _header(text, b"p sp", "vertices arcs")
    return _edges(text, use, counts, directed=True, comments=b"c", prefix=b"a", weighted=True)


def pace(text, use, given=None):
    """PACE graphs: `p tw vertices edges`, then `u v` without weights; `c` starts a comment."""
    counts = _header(text, b"p tw", "vertices edges")
    return _edges(text, use, counts, directed=False, comments=b"c")


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
    symmetric, weighted = words[4] == "symmetric", words[3] != "pattern"
    edges = _edges(text, use, (vertices, entries), not symmetric, comments=b"%", weighted=weighted)
    edges.symmetric = symmetric
    return edges


def _edges(text, use, counts, directed, **syntax):
    vertices, edges = counts
    blocks, _ = edge_blocks(text, Dialect(use, first=1, last=vertices, strict=True, **syntax))
    header = {"vertices": vertices, "edges": edges}
    return EdgeList(blocks, vertices, all_ids=True, first=1, header=header, directed=directed)


def coordinates(text, edges):
    """DIMACS coordinates: `p aux sp co vertices`, then `v id x y` for every vertex."""
    (vertices,) = _header(text, b"p aux sp co", "vertices")
    if vertices != edges.ids:
        raise text.error(f"coordinates of {vertices:,} vertices for a graph of {edges.ids:,}")
    processor.require_memory(17 * vertices, f"{text.path}: coordinates of {vertices:,} vertices")
    x, y, seen = np.empty(vertices), np.empty(vertices), library.bitmap(vertices)
    dialect = Dialect(weights.IGNORED, b"c", prefix=b"v", first=1, last=vertices, strict=True)

    def parse(lines):
        return None, call_parser(("parse_others", "parse_coordinates"), lines, dialect, x, y, seen)

    for _ in parse_blocks(text, parse):
        pass
    count = int(np.bitwise_count(seen).sum())
    if count != vertices:
        raise UserError(f"{text.path}: the header says {vertices:,} vertices, but {count:,} have coordinates")
    return {"x": x, "y": y}


def _header(text, prefix, names):
    """Take the comments and the problem line, and return its numbers."""
    text.skip_while(lambda line: not line or line.startswith(b"c"))
    return text.header(prefix, names)
