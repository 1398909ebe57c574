"""One reader a format; each turns a file into edges and says what the file states about itself."""

import importlib

from warpath.errors import UserError
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
SUFFIXES = {"mtx": "mtx", "graph": "metis", "metis": "metis", "csv": "csv", "edges": "edges", "wel": "edges"}


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
    """The format that the first lines and the name speak for."""
    line = text.peek()
    name = packed.inner_name(text.path)
    suffix = SUFFIXES.get(name.rpartition(".")[2].lower())
    if line.startswith(b"%%MatrixMarket"):
        return "mtx"
    if suffix in ("metis", "csv", "edges"):
        return suffix
    if line.startswith((b"p tw", b"p td")):
        return "pace"
    if line.startswith((b"c", b"p ")):
        return _dimacs_or_pace(text)
    if line.startswith(b"#"):
        return "snap"
    if line.startswith(b"%"):
        return "edges"
    if b"," in line:
        return "csv"
    if len(line.split()) in (2, 3):
        return "snap" if len(line.split()) == 2 else "edges"
    raise UserError(f"{text.path}: its format is not clear from its first line; say it by the key format")


def _dimacs_or_pace(text):
    """Comments tell nothing apart: the problem line does."""
    block, at = next(text.rest())
    for line in bytes(block[at : at + 65536]).splitlines():
        if line.startswith(b"p "):
            return "pace" if line.split()[1] in (b"tw", b"td") else "dimacs"
    return "dimacs"
