"""PACE graphs: `p tw vertices edges`, then `u v` without weights; `c` begins a comment. Ids count from 1."""

from warpath.graphs.edges import EdgeList
from warpath.graphs.readers.dimacs import problem
from warpath.graphs.readers.text import Dialect, edge_blocks


def read(text, negative):
    vertices, edges = problem(text, b"p tw", 2)
    blocks, _ = edge_blocks(text, Dialect(b"c", strict=True, first=1, last=vertices))
    return EdgeList(blocks, vertices, all_ids=True, first=1, stated={"vertices": vertices, "edges": edges})
