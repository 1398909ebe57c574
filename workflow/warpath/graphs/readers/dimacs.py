"""DIMACS shortest path graphs: `p sp vertices arcs`, then `a from to weight`, `c` for comments. Ids count from 1."""

from warpath.graphs.edges import EdgeList
from warpath.graphs.readers.text import Dialect, edge_blocks


def read(text, negative):
    skip_comments(text)
    vertices, arcs = text.header(b"p sp", "vertices arcs")
    dialect = Dialect(b"c", b"a", strict=True, weighted=True, negative=negative or "keep", first=1, last=vertices)
    blocks, _ = edge_blocks(text, dialect)
    if negative is None:
        blocks = [block._replace(weights=None) for block in blocks]
    return EdgeList(blocks, vertices, all_ids=True, first=1, stated={"vertices": vertices, "edges": arcs})


def skip_comments(text):
    text.skip_while(lambda line: not line or line.startswith(b"c"))
