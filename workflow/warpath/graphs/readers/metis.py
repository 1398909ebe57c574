"""METIS graphs: `vertices edges [format [constraints]]`, then one line per vertex with its neighbours, from 1.

A blank line is a vertex without neighbours. The three digits of the format say whether there are vertex sizes, vertex
weights and edge weights; `constraints` is the number of weights per vertex.
"""

import numpy as np

from warpath.graphs.edges import EdgeList
from warpath.graphs.readers.text import Dialect, edge_blocks

SHORTEST_NEIGHBOUR = 2  # bytes: "1 "


def read(text, use, given=None):
    text.skip_while(lambda line: line.startswith(b"%"))
    vertices, edges, *more = text.header(b"", "vertices edges [format] [constraints]")
    layout, constraints = more + [0, 1][len(more) :]
    sizes, weights, weighted = (digit == "1" for digit in f"{layout:03}"[-3:])
    dialect = Dialect(use, b"%", first=1, last=vertices, weighted=weighted)
    skip, parser = sizes + weights * constraints, ("parse_others", "parse_adjacency")
    blocks, outcomes = edge_blocks(text, dialect, skip, parser, shortest=SHORTEST_NEIGHBOUR)
    lines = 0
    for block, outcome in zip(blocks, outcomes, strict=True):
        block.tails[:] += np.uint32(lines)  # they count from 0 in each block
        lines += outcome.column
    header = {"vertices": vertices, "edges": edges}
    read = EdgeList(blocks, vertices, all_ids=True, first=1, header=header, directed=False)
    read.symmetric = read.listed_twice = True
    if not use.used:
        read.drop_weights()
    if lines != vertices:
        raise text.error(f"the header says {vertices:,} vertices, but there are lines for {lines:,}")
    entries = sum(len(block.tails) for block in read.blocks)
    both = sum(map(_direction_hash, read.blocks)) % 2**64 == 0
    if entries != 2 * edges:
        causes = {edges: "the header counts every edge twice" if both else "every edge seems to be listed once only"}
        raise text.error(
            f"the header says {edges:,} edges, each on two lines, but there are {entries:,} neighbours"
            + (f": {causes[entries]}" if entries in causes else "")
        )
    if not both:
        raise text.error(_difference(read.blocks, vertices))
    return read


def _direction_hash(block):
    """Sum up hashes of the edges, positive in one direction and negative in the other: 0 if each has both."""
    low, high = np.minimum(*block[:2]).astype(np.uint64), np.maximum(*block[:2]).astype(np.uint64)
    mixed = (low * np.uint64(0x9E3779B97F4A7C15)) ^ (high * np.uint64(0xC2B2AE3D27D4EB4F))
    if block.weights is not None:
        mixed ^= block.weights.view(np.uint32) * np.uint64(0x165667B19E3779F9)
    mixed = (mixed ^ (mixed >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
    return int(mixed[block.tails < block.targets].sum()) - int(mixed[block.tails > block.targets].sum())


def _difference(blocks, vertices):
    """Name the first edge that is on one line only, or whose two lines disagree about its weight."""
    from scipy.sparse import coo_array

    tails, targets = (np.concatenate([block[end] for block in blocks]) for end in (0, 1))

    def first_surplus(values):
        matrix = coo_array((values, (tails, targets)), (vertices, vertices)).tocsr()
        rows, columns = (matrix - matrix.T).nonzero()
        return (rows[0] + 1, columns[0] + 1) if len(rows) else None

    if edge := first_surplus(np.ones(len(tails))):
        return "edge {}-{} is on the line of one of its vertices only; this format lists it on both lines".format(*edge)
    edge = first_surplus(np.concatenate([block.weights for block in blocks]).astype(float)) or ("u", "v")
    return "edge {0}-{1} has one weight on the line of {0} and another on that of {1}".format(*edge)
