"""Matrix Market coordinate files: a banner, `%` comments, `rows columns entries`, then `i j` or `i j value` from 1."""

from warpath.graphs.edges import EdgeList, without_weights
from warpath.graphs.readers.text import Dialect, edge_blocks, escaped

BANNER = "%%MatrixMarket matrix coordinate pattern|real|integer general|symmetric"


def read(text, use, given=None):
    field, symmetry = _banner(text)
    text.skip_while(lambda line: not line.strip() or line.startswith(b"%"))
    vertices, columns, entries = text.header(b"", "rows columns entries")
    if vertices != columns:
        raise text.error(f"{vertices:,} rows and {columns:,} columns; the matrix of a graph is square")
    weighted = field != "pattern"
    dialect = Dialect(b"%", strict=True, weighted=weighted, negative=use.negative, first=1, last=vertices)
    blocks, _ = edge_blocks(text, dialect._replace(scale=use.scale))
    blocks = blocks if use.used else without_weights(blocks)
    header = {"vertices": vertices, "edges": entries}
    symmetric = symmetry == "symmetric"
    return EdgeList(blocks, vertices, all_ids=True, first=1, symmetric=symmetric, header=header, directed=not symmetric)


def _banner(text):
    """The field and the symmetry that the first line states."""
    line = (text.take() or b"")[:200]
    words = line.decode("utf-8", "replace").lower().split()
    complete = len(words) == 5 and words[:3] == ["%%matrixmarket", "matrix", "coordinate"]
    if not complete or words[3] not in ("pattern", "real", "integer") or words[4] not in ("general", "symmetric"):
        raise text.error(f"expected '{BANNER}', found '{escaped(line, 80)}'")
    return words[3:]
