"""DIMACS shortest path graphs: `p sp vertices arcs`, then `a from to weight`, `c` for comments. Ids count from 1."""

from warpath.graphs.edges import EdgeList
from warpath.graphs.readers.text import Dialect, edge_blocks


def read(text, negative):
    vertices, arcs = problem(text, b"p sp", 2)
    dialect = Dialect(b"c", b"a", strict=True, weighted=True, negative=negative or "keep", first=1, last=vertices)
    blocks, _ = edge_blocks(text, dialect)
    if negative is None:
        blocks = [block._replace(weights=None) for block in blocks]
    return EdgeList(blocks, vertices, all_ids=True, first=1, stated={"vertices": vertices, "edges": arcs})


def problem(text, begins, numbers):
    """The numbers on the problem line."""
    text.skip_while(lambda line: not line or line.startswith(b"c"))
    line = text.take() or b""
    fields = line[len(begins) :].split()
    if not line.startswith(begins) or len(fields) != numbers or not all(field.isdigit() for field in fields):
        wanted = f"{begins.decode()}" + " <number>" * numbers
        raise text.wrong(f"'{wanted}' should be here (found: {line.decode('utf-8', 'replace')[:60]})")
    counts = [int(field) for field in fields]
    if not 0 < counts[0] < 2**31:
        raise text.wrong(f"{counts[0]} vertices; allowed are 1 to 2^31 - 1")
    return counts
