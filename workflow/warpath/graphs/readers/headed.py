"""Formats whose header states the number of vertices; ids start at 1."""

import re

import numpy as np

from warpath.base.errors import UserError
from warpath.graphs.blocks import EdgeList
from warpath.graphs.readers.text import Dialect, edge_blocks, escaped

SHORTEST_NEIGHBOUR = 2  # bytes: "1 "
MOST_CONSTRAINTS = 1000
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
    blocks, _, rounded = edge_blocks(text, Dialect(use, first=1, last=vertices, strict=True, **syntax))
    header = {"vertices": vertices, "edges": edges}
    return EdgeList(blocks, vertices, all_ids=True, first=1, header=header, directed=directed, rounded=rounded)


def metis(text, use, given=None):
    """METIS graphs: `vertices edges [format [constraints]]`, then one line per vertex with its neighbours.

    A blank line is a vertex without neighbours. The three digits of the format say whether there are vertex sizes,
    vertex weights and edge weights; `constraints` is the number of weights per vertex.
    """
    text.skip_while(lambda line: line.startswith(b"%"))
    vertices, edges, *more = text.header(b"", "vertices edges [format] [constraints]")
    layout, constraints = more + [0, 1][len(more) :]
    if not re.fullmatch("[01]{1,3}", str(layout)) or constraints > MOST_CONSTRAINTS:
        allowed = "its digits, up to three, are 0 or 1 (sizes, weights, weights of edges)"
        found = f"the format is {layout}, with {constraints:,} constraints"
        raise text.error(f"{found}; {allowed}, and it has at most {MOST_CONSTRAINTS:,} constraints")
    sizes, weights, weighted = (digit == "1" for digit in f"{layout:03}"[-3:])
    dialect = Dialect(use, b"%", first=1, last=vertices, weighted=weighted)
    skip, parser = sizes + weights * constraints, ("parse_others", "parse_adjacency")
    blocks, outcomes, rounded = edge_blocks(text, dialect, skip, parser, shortest=SHORTEST_NEIGHBOUR)
    lines = 0
    for block, outcome in zip(blocks, outcomes, strict=True):
        block.tails[:] += np.uint32(lines)  # they count from 0 in each block
        lines += outcome.column
    header = {"vertices": vertices, "edges": edges}
    read = EdgeList(blocks, vertices, all_ids=True, first=1, header=header, directed=False, rounded=rounded // 2)
    read.symmetric = read.listed_twice = True
    if not use.used:
        read.drop_weights()
    if lines < vertices or any(block.tails.max(initial=0) >= vertices for block in blocks):  # blank lines may follow
        raise text.error(f"the header says {vertices:,} vertices, but there are lines for {lines:,}")
    entries = sum(len(block.tails) for block in read.blocks)
    both = sum(map(_direction_hash, read.blocks)) % 2**64 == 0
    if entries != 2 * edges:
        causes = {edges: "the header counts every edge twice" if both else "every edge seems to be listed once only"}
        cause = f": {causes[entries]}" if entries in causes else ""
        stated = f"the header says {edges:,} edges, each on two lines"
        raise text.error(f"{stated}, but there are {entries:,} neighbours{cause}")
    if not both:
        reason = "an edge is on the line of one of its vertices only, or has one weight there and another on the other"
        raise UserError(f"{text.path}: {reason}; this format lists each on both lines")
    return read


def _direction_hash(block):
    """Sum up hashes of the edges, positive in one direction and negative in the other: 0 if each has both."""
    low, high = np.minimum(*block[:2]).astype(np.uint64), np.maximum(*block[:2]).astype(np.uint64)
    mixed = (low * np.uint64(0x9E3779B97F4A7C15)) ^ (high * np.uint64(0xC2B2AE3D27D4EB4F))
    if block.weights is not None:
        mixed ^= block.weights.view(np.uint32) * np.uint64(0x165667B19E3779F9)
    mixed = (mixed ^ (mixed >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
    return int(mixed[block.tails < block.targets].sum()) - int(mixed[block.tails > block.targets].sum())


def _header(text, prefix, names):
    text.skip_while(lambda line: not line or line.startswith(b"c"))
    return text.header(prefix, names)
