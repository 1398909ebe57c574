"""KONECT: `% sym|asym|bip kind of weights`, perhaps `% edges left right`, then `u v [weight [time]]`."""

import re

import numpy as np

from warpath.graphs import library
from warpath.graphs.edges import LARGEST
from warpath.graphs.readers import plain

HEADER = re.compile(rb"^%\s*(sym|asym|bip)\b\s*(\w*)", re.IGNORECASE)
UNWEIGHTED = {"", "unweighted", "positive", "dynamic"}  # their third column counts edges, or whether they appear


def read(text, use, given=None):
    comments = text.skip_while(lambda line: not line or line.startswith(b"%"))
    header = HEADER.match(comments[0]) if comments else None
    if not header:
        raise text.error("expected '% sym|asym|bip weights'", 1)
    side, weights = header[1].decode().lower(), header[2].decode().lower()
    notes = []
    if weights in UNWEIGHTED and use.used and not use.required:
        use = use._replace(used=False, negative="keep", scale=0)
        if len((text.peek() or b"").split()) > 2:
            notes.append(f"the third column is no weight in a network that is {weights or 'without kind'}")
    edges = plain.read(text, use, b"%", given, directed=side == "asym")
    edges.notes += notes
    return _two_sides(text, edges, comments) if side == "bip" else edges


def _two_sides(text, edges, comments):
    """Number the right side after the left one: its ids start at 1 again."""
    if edges.labels is not None:
        raise text.error("ids of a bipartite network are numbers up to 2^31 - 1", len(comments) + 1)
    stated = [int(count) for count in re.findall(rb"\d{1,18}", comments[1])] if len(comments) > 1 else []
    left = max([int(block.tails.max()) for block in edges.blocks if len(block.tails)] + stated[1:2], default=0)
    right = max((int(block.targets.max()) for block in edges.blocks if len(block.targets)), default=0)
    if left + right > LARGEST:
        raise text.error(f"{left:,} and {right:,} vertices are beyond 2^31 - 1", 1)
    seen = library.bitmap(left + right + 1)
    for place, block in enumerate(edges.blocks):
        edges.blocks[place] = block._replace(targets=block.targets + np.uint32(left))
        for ids in edges.blocks[place][:2]:
            library.load("parse").mark_ids(library.pointer(ids), library.int64(len(ids)), library.pointer(seen))
    edges.ids, edges.seen = left + right + 1, seen
    edges.notes.append(f"bipartite: vertices of the right side are numbered from {left + 1:,}")
    return edges
