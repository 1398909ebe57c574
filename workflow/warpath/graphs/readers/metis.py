"""METIS graphs: `vertices edges [format [constraints]]`, then a line per vertex with its neighbours from 1.

A blank line is an isolated vertex. The format's digits say whether there are vertex sizes, vertex weights,
edge weights.
"""

import numpy as np

from warpath.graphs import library
from warpath.graphs.edges import EdgeList
from warpath.graphs.readers.room import Room
from warpath.graphs.readers.text import Dialect, call, parsed, same_weights

SHORTEST_NEIGHBOUR = 2  # bytes: "1 "


def read(text, negative):
    text.skip_while(lambda line: line.startswith(b"%"))
    vertices, edges, skip, weighted = _header(text)
    dialect = Dialect(b"%", weighted=weighted, negative=negative or "keep", first=1, last=vertices)

    room = Room(weighted)

    def parse(lines):
        def fill(block):
            return call("parse_adjacency", lines, dialect, skip, *map(library.pointer, block))

        return room.block((lines.end - lines.begin) // SHORTEST_NEIGHBOUR + 1, fill)

    blocks, seen, one_way = [], 0, 0
    for block, outcome in parsed(text, parse):
        block.sources[:] += np.uint32(seen)
        one_way += _one_way(block)
        blocks.append(block)
        seen += outcome.column
    if seen != vertices:
        raise text.wrong(f"the header says {vertices:,} vertices, but there are lines for {seen:,}")
    entries = sum(len(block.sources) for block in blocks)
    if entries != 2 * edges:
        raise text.wrong(f"the header says {edges:,} edges, each in two lines, but there are {entries:,} neighbours")
    if one_way % 2**64:
        raise text.wrong("not every neighbour lists the vertex in turn, as this format wants")
    blocks = same_weights(blocks) if negative else [block._replace(weights=None) for block in blocks]
    stated = {"vertices": vertices, "edges": edges}
    return EdgeList(blocks, vertices, all_ids=True, first=1, both_ways=True, twice=True, stated=stated)


def _one_way(block):
    """A sum of hashes to which both directions of an edge contribute opposite numbers."""
    low, high = np.minimum(*block[:2]).astype(np.uint64), np.maximum(*block[:2]).astype(np.uint64)
    mixed = (low * np.uint64(0x9E3779B97F4A7C15)) ^ (high * np.uint64(0xC2B2AE3D27D4EB4F))
    mixed = (mixed ^ (mixed >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
    forward = block.sources < block.targets
    return int(mixed[forward].sum()) - int(mixed[block.sources > block.targets].sum())


def _header(text):
    vertices, edges, *more = text.header(b"", "vertices edges [format] [constraints]")
    layout, constraints = more + [0, 1][len(more) :]
    sizes, weights, weighted = (digit == "1" for digit in f"{layout:03}"[-3:])
    return vertices, edges, sizes + weights * constraints, weighted
