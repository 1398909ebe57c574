"""Write the glossary of record fields and table columns into docs/data.md, from the record's schema and the columns."""

from pathlib import Path

from warpath.base import schemas
from warpath.base.errors import UserError
from warpath.base.files import atomic
from warpath.results import columns

BEGIN = "<!-- glossary: written by `.venv/bin/warpath glossary`; do not edit -->"
END = "<!-- end of the glossary -->"
TYPES = {"str": "text", "string": "text", "Int64": "integer", "float64": "number", "object": "mapping", "array": "list"}
SECTIONS = (  # of the record: title, keys of the schema's definitions
    ("Entries of `samples`", "sample"),
    ("Entries of `costs`", "costs"),
    ("Entries of `environment`", "environment"),
    ("Entries of `environment.worker`", "worker"),
    ("Entries of `environment.sensors_before` and `environment.sensors_after`", "sensors"),
)


def write(path):
    """Replace the glossary in the document at `path`."""
    text = Path(path).read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise UserError(f"{path}: lacks the line {BEGIN if not begin else END}")
    shared, record = len(columns.RUN), schemas.load("record")
    sections = [
        ("Columns of both tables", columns.RUN),
        ("Further columns of `results/timings.parquet`", columns.TIMINGS[shared:]),
        ("Further columns of `results/summary.csv`", columns.SUMMARY[shared:]),
        ("Fields of a record", _fields(record)),
        *((title, _fields(record["$defs"][name])) for title, name in SECTIONS),
    ]
    told = {}
    glossary = "\n".join(_section(title, described, told) for title, described in sections)
    with atomic(path) as temporary:
        temporary.write_text(f"{before}{BEGIN}\n\n{glossary}\n{END}{after}", encoding="utf-8")


def _fields(schema):
    """The fields of a schema, each in the shape of a column."""
    for name, field in schema["properties"].items():
        described = columns.resolved(field)
        told = (described.get(key, "") for key in ("unit", "description", "measured"))
        yield columns.Column(name, columns.json_types(described)[0], *told)


def _section(title, described, told):
    """A table of what `told`, which holds the sections before, lacks, and the names that mean what they mean there."""
    rows, repeated = [], []
    for column in described:
        known = told.setdefault((column.name, column.meaning), [])
        meaning = "As above." if known else column.meaning
        measured = column.measured if column.measured not in known else ""
        if known and not measured:
            repeated.append(f"`{column.name}`")
        else:
            kind = TYPES.get(column.type, column.type) + (f", {column.unit}" if column.unit else "")
            cells = f"`{column.name}`", kind, f"{meaning} {measured}".strip()
            rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        known += [column.measured]
    lines = [f"## {title}", "", "| name | type | meaning |", "|---|---|---|", *rows, ""]
    return "\n".join([*lines, *([f"As above: {', '.join(repeated)}.", ""] if repeated else [])])
