"""PACE graphs: `p tw vertices edges`, then `u v` without weights; `c` starts a comment. Ids start at 1."""

from warpath.graphs.edges import EdgeList
from warpath.graphs.readers.dimacs import skip_comments
from warpath.graphs.readers.text import Dialect, edge_blocks


def read(text, use, given=None):
    skip_comments(text)
    vertices, edges = text.header(b"p tw", "vertices edges")
    blocks, _ = edge_blocks(text, Dialect(b"c", strict=True, first=1, last=vertices))
    header = {"vertices": vertices, "edges": edges}
    return EdgeList(blocks, vertices, all_ids=True, first=1, header=header, directed=False)
