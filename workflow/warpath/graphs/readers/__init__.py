"""Read the edges of a graph file: a function per format.

`reader(text, use, given)` returns an EdgeList. `use` says what becomes of the file's weights (weights.FileWeights);
`given` is the catalogue's key columns, for formats that are tables. Formats that are not text are read as a whole:
`reader(name, path, opened, use, given)`.
"""

import re

from warpath.base.errors import UserError
from warpath.base.text import reason
from warpath.graphs import weights
from warpath.graphs.readers import arrays, headed, lists, magic, packed, parquet, table
from warpath.graphs.readers.text import Text, escaped

TEXT = {
    "snap": lists.snap,
    "csv": lists.csv,
    "edges": lists.edges,
    "konect": lists.konect,
    "dimacs": headed.dimacs,
    "pace": headed.pace,
    "mtx": headed.mtx,
    "metis": headed.metis,
}
WHOLE = {"npz": arrays.read, "npy": arrays.read, "parquet": parquet.read}
TABLES = {"snap", "csv", "edges", "konect", *WHOLE}
SUFFIXES = {"graph": "metis", "metis": "metis", "csv": "csv", "tsv": "csv", "edges": "edges", "wel": "edges"}
FIRST_LETTERS = {b"#": "snap", b"%": "edges"}
COLUMNS = {2: "snap", 3: "edges"}
SEARCHED_LINES = 512  # for the problem line of DIMACS


def read(entry, path):
    opened = packed.open_unpacked(path, entry.member, entry.unpacked)
    found = magic.binary(opened.start)
    if entry.format not in ("auto", found) and {found, entry.format} & {*magic.BINARY.values()}:
        like = f"those of {found}" if found else f"not those of {entry.format}"
        raise UserError(f"{path}: its first bytes are {like}, and the catalogue says format: {entry.format}")
    name = found if entry.format == "auto" else entry.format
    text = None if name in WHOLE else Text(path, entry.member, entry.unpacked, opened=opened)
    name = name or detect(text, entry.columns)
    if entry.columns and name not in TABLES:
        raise UserError(f"{path}: the format {name} has no columns to choose; remove the key columns")
    use = weights.of_file(entry.weights)
    edges = TEXT[name](text, use, entry.columns) if text else _whole(name, path, opened, use, entry.columns)
    edges.format = name
    if opened.note:
        edges.notes.insert(0, opened.note)
    if not edges.edges:
        raise UserError(f"{path}: no edge found (read as {name})")
    return edges


def _whole(name, path, opened, use, given):
    try:
        return WHOLE[name](name, path, opened, use, given)
    except (UserError, MemoryError):
        raise
    except Exception as error:  # libraries raise whatever their parsers raise
        if getattr(error, "errno", None):
            raise
        raise UserError(f"{path}: damaged, or not {name} ({reason(error)})") from None


def detect(text, given=None):
    line = text.peek()
    if line.lower().startswith(b"%%matrixmarket"):
        return "mtx"
    if re.match(rb"(?i)(c( |$)|p +\w+ +\d)", line):  # both formats begin with the same comments
        lines = (line.lower().split() for line in text.ahead(SEARCHED_LINES))
        problem = next((words for words in lines if words and words[0] != b"c"), [b"p"])
        if problem[0] == b"p":
            return "pace" if problem[1:2] in ([b"tw"], [b"td"]) else "dimacs"
    if lists.HEADER.match(line):
        return "konect"
    suffix = text.name.rpartition(".")[2].lower()
    columns = "csv" if b"," in line or given or table.has_names(line) else COLUMNS.get(len(line.split(maxsplit=3)))
    printable = all(byte >= 32 or byte in b"\t\r" for byte in line[:1000])
    name = SUFFIXES.get(suffix) or FIRST_LETTERS.get(line[:1]) or (columns if printable else None)
    if not name:
        advice = f"set the graph's key format to one of {', '.join([*TEXT, *WHOLE])}"
        raise UserError(f"{text.path}: unknown format (first line: '{escaped(line)}'); {advice}")
    return name
