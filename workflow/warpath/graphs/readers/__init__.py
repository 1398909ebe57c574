"""One reader a format; each turns a file into edges and says what the file states about itself."""

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


def read(entry, inputs):
    """The edges in the files of `entry`; `inputs` are their paths, the graph's first."""
    path = inputs[0]
    text = Text(path, entry.member)
    name = detect(text) if entry.format == "auto" else entry.format
    reader = importlib.import_module(f"{__name__}.{MODULES[name]}")
    edges = reader.read(text, wanted(entry.weights))
    edges.format = name
    if not edges.edges:
        raise UserError(f"{path}: holds no edge (read as {name})")
    if len(inputs) > 1:
        from warpath.graphs.readers import coordinates

        edges.columns = coordinates.read(Text(inputs[1]), edges)
    return edges


def wanted(policy):
    """What becomes of the file's weights: None when they are not asked for, else how negative ones are taken."""
    return {"file": "refuse", "auto": "refuse", "absolute": "absolute"}.get(policy)


def detect(text):
    """The format that the first line speaks for, or the name."""
    line = text.peek()
    if line.startswith(b"%%MatrixMarket"):
        return "mtx"
    named = SUFFIXES.get(packed.inner_name(text.path).rpartition(".")[2].lower())
    if line.startswith((b"c", b"p ")):
        return _dimacs_or_pace(text)
    found = named or _FIRST.get(line[:1]) or ("csv" if b"," in line else _COLUMNS.get(len(line.split())))
    if not found:
        raise UserError(f"{text.path}: its format is not clear from its first line; say it by the key format")
    return found


_FIRST = {b"#": "snap", b"%": "edges"}
_COLUMNS = {2: "snap", 3: "edges"}


def _dimacs_or_pace(text):
    """Comments tell nothing apart: the problem line does."""
    buffer, begin, end = next(text.rest())
    for line in bytes(buffer[begin : min(end, begin + 65536)]).splitlines():
        if line.startswith(b"p "):
            return "pace" if line.split()[1] in (b"tw", b"td") else "dimacs"
    return "dimacs"
