"""DIMACS shortest path graphs: `p sp vertices arcs`, then `a from to weight`; `c` starts a comment. Ids start at 1."""

from warpath.graphs.edges import EdgeList, without_weights
from warpath.graphs.readers.text import Dialect, edge_blocks


def read(text, negative):
    skip_comments(text)
    vertices, arcs = text.header(b"p sp", "vertices arcs")
    dialect = Dialect(b"c", b"a", strict=True, weighted=True, negative=negative or "keep", first=1, last=vertices)
    blocks, _ = edge_blocks(text, dialect)
    blocks = blocks if negative else without_weights(blocks)
    return EdgeList(blocks, vertices, all_ids=True, first=1, header={"vertices": vertices, "edges": arcs})


def skip_comments(text):
    text.skip_while(lambda line: not line or line.startswith(b"c"))
