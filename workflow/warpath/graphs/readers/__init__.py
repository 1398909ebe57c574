"""Read the edges of a graph file: one module per format.

`read(text, negative)` of each module returns an EdgeList. `negative` says what becomes of the file's weights: "refuse"
or "absolute" treat negative ones in that way; None ignores all weights.
"""

import importlib

from warpath.foundation.errors import UserError
from warpath.graphs.readers import packed
from warpath.graphs.readers.text import Text

MODULES = {
    "snap": "snap",
    "csv": "signed_csv",
    "edges": "edge_list",
    "dimacs": "dimacs",
    "pace": "pace",
    "mtx": "matrix_market",
    "metis": "metis",
}
SUFFIXES = {"graph": "metis", "metis": "metis", "csv": "csv", "edges": "edges", "wel": "edges"}
FIRST_LETTERS = {b"#": "snap", b"%": "edges"}
COLUMNS = {2: "snap", 3: "edges"}


def read(entry, inputs):
    """Return the edges of `entry` from its files: the graph, then its coordinates if it has any."""
    path = inputs[0]
    text = Text(path, entry.member)
    name = detect(text) if entry.format == "auto" else entry.format
    reader = importlib.import_module(f"{__name__}.{MODULES[name]}")
    edges = reader.read(text, negative_weights(entry.weights))
    edges.format = name
    if not edges.edges:
        raise UserError(f"{path}: no edge found (read as {name})")
    if len(inputs) > 1:
        from warpath.graphs.readers import coordinates

        edges.columns = coordinates.read(Text(inputs[1]), edges)
    return edges


def negative_weights(policy):
    """What the weights policy does with negative weights in the file; None if it does not use the file's weights."""
    return {"file": "refuse", "auto": "refuse", "absolute": "absolute"}.get(policy)


def detect(text):
    """Detect the format by the first line and the file's name."""
    line = text.peek()
    if line.startswith(b"%%MatrixMarket"):
        return "mtx"
    if line.startswith((b"c", b"p ")):
        return _dimacs_or_pace(text)
    suffix = packed.inner_name(text.path).rpartition(".")[2].lower()
    columns = "csv" if b"," in line else COLUMNS.get(len(line.split(maxsplit=3)))
    name = SUFFIXES.get(suffix) or FIRST_LETTERS.get(line[:1]) or columns
    if not name:
        shown = line[:40].decode("utf-8", "replace")
        raise UserError(f"{text.path}: unknown format (first line: '{shown}'); set the graph's key format")
    return name


def _dimacs_or_pace(text):
    """Decide by the problem line: both formats begin with the same comments."""
    buffer, begin, end = next(text.rest())
    for line in bytes(buffer[begin : min(end, begin + 65536)]).splitlines():
        if line.startswith(b"p "):
            return "pace" if line.split()[1] in (b"tw", b"td") else "dimacs"
    return "dimacs"
