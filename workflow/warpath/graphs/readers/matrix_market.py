"""Matrix Market coordinate files: a banner, `%` comments, `rows columns entries`, then `i j` or `i j value` from 1."""

from warpath.graphs.edges import EdgeList
from warpath.graphs.readers.text import Dialect, edge_blocks

BANNER = "%%MatrixMarket matrix coordinate pattern|real|integer general|symmetric"


def read(text, negative):
    field, symmetry = _banner(text)
    text.skip_while(lambda line: not line.strip() or line.startswith(b"%"))
    vertices, columns, entries = text.header(b"", "rows columns entries")
    if vertices != columns:
        raise text.wrong(f"{vertices:,} rows and {columns:,} columns; a graph's matrix is square")
    weighted = field != "pattern"
    dialect = Dialect(b"%", strict=True, weighted=weighted, negative=negative or "keep", first=1, last=vertices)
    blocks, _ = edge_blocks(text, dialect)
    if negative is None:
        blocks = [block._replace(weights=None) for block in blocks]
    stated = {"vertices": vertices, "edges": entries}
    return EdgeList(blocks, vertices, all_ids=True, first=1, both_ways=symmetry == "symmetric", stated=stated)


def _banner(text):
    words = (text.take() or b"").decode("utf-8", "replace").lower().split()
    known = len(words) == 5 and words[:3] == ["%%matrixmarket", "matrix", "coordinate"]
    if not known or words[3] not in ("pattern", "real", "integer") or words[4] not in ("general", "symmetric"):
        raise text.wrong(f"'{BANNER}' should be here (found: {' '.join(words)[:80]})")
    return words[3:]
