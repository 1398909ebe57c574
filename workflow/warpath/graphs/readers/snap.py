"""SNAP edge lists: `u v` by tabs or blanks after `#` comments, one of which may state `Nodes: n Edges: m`."""

import re

from warpath.graphs.readers import plain


def read(text, negative):
    comments = text.skip_while(lambda line: not line or line.startswith(b"#"))
    return plain.read(text, negative, b"#", stated=_stated(comments))


def _stated(comments):
    found = re.search(rb"Nodes:\s*(\d+)\s+Edges:\s*(\d+)", b"\n".join(comments))
    return {"vertices": int(found[1]), "edges": int(found[2])} if found else {}
