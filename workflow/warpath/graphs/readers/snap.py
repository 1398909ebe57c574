"""SNAP edge lists: `u v`, separated by tabs or spaces, below `#` comments.

The comments may state `Directed graph` or `Undirected graph`, and `Nodes: n Edges: m`.
"""

import re

from warpath.graphs.readers import plain


def read(text, use, given=None):
    lines = text.skip_while(lambda line: not line or line.startswith(b"#"))
    comments = b"\n".join(lines)
    stated = {"header": _header(comments), "directed": stated_direction(comments)}
    return plain.read(text, use, b"#", given, **stated, above=lines)


def _header(comments):
    match = re.search(rb"Nodes:\s*(\d{1,18})\s+Edges:\s*(\d{1,18})", comments)
    return {"vertices": int(match[1]), "edges": int(match[2])} if match else {}


def stated_direction(comments):
    """Whether the comments say `Directed graph` or `Undirected graph`; None if neither."""
    match = re.search(rb"(?im)^#\s*(un)?directed\s+graph\b", comments)
    return None if match is None else match[1] is None
