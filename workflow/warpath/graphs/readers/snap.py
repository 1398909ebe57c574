"""SNAP edge lists: `u v`, separated by tabs or spaces, below `#` comments that may state `Nodes: n Edges: m`."""

import re

from warpath.graphs.readers import plain


def read(text, negative):
    comments = text.skip_while(lambda line: not line or line.startswith(b"#"))
    return plain.read(text, negative, b"#", header=_header(comments))


def _header(comments):
    match = re.search(rb"Nodes:\s*(\d+)\s+Edges:\s*(\d+)", b"\n".join(comments))
    return {"vertices": int(match[1]), "edges": int(match[2])} if match else {}
