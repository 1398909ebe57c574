"""DIMACS shortest path graphs: `p sp vertices arcs`, then arcs `a from to weight`; `c` starts a comment.

Ids start at 1.
"""

from warpath.graphs.edges import EdgeList, without_weights
from warpath.graphs.readers.text import Dialect, edge_blocks


def read(text, use, given=None):
    skip_comments(text)
    vertices, arcs = text.header(b"p sp", "vertices arcs")
    dialect = Dialect(
        b"c", b"a", strict=True, weighted=True, negative=use.negative, first=1, last=vertices, scale=use.scale
    )
    blocks, _ = edge_blocks(text, dialect)
    blocks = blocks if use.used else without_weights(blocks)
    header = {"vertices": vertices, "edges": arcs}
    return EdgeList(blocks, vertices, all_ids=True, first=1, header=header, directed=True)


def skip_comments(text):
    text.skip_while(lambda line: not line or line.startswith(b"c"))
