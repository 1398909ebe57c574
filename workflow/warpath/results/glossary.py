"""Write the glossary of record fields and table columns into docs/data.md, from the record's schema and the columns."""

from pathlib import Path

from warpath.base import schemas
from warpath.base.errors import UserError
from warpath.base.files import atomic
from warpath.results import columns

BEGIN = "<!-- glossary: written by `.venv/bin/python -m warpath glossary`; do not edit -->"
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
    with atomic(path) as temporary:
        temporary.write_text(f"{before}{BEGIN}\n\n{text_of_glossary()}\n{END}{after}", encoding="utf-8")


def text_of_glossary():
    shared = len(columns.RUN)
    parts = [
        _section("Columns of both tables", columns.RUN),
        _section("Further columns of `results/timings.parquet`", columns.TIMINGS[shared:]),
        _section("Further columns of `results/summary.csv`", columns.SUMMARY[shared:]),
        _section("Fields of a record", _fields(schemas.load("record"))),
    ]
    definitions = schemas.load("record")["$defs"]
    parts += [_section(title, _fields(definitions[name])) for title, name in SECTIONS]
    return "\n".join(parts)


def _fields(schema):
    return [_field(name, columns.resolved(described)) for name, described in schema["properties"].items()]


def _field(name, described):
    """A field in the shape of a column."""
    type, unit, measured = columns.json_types(described)[0], described.get("unit", ""), described.get("measured", "")
    return columns.Column(name, type, unit, described["description"], measured)


def _section(title, described):
    rows = [f"| `{column.name}` | {_cells(column)} |" for column in described]
    head = "| name | type | unit | meaning | how it is measured |\n|---|---|---|---|---|"
    return "\n".join([f"## {title}", "", head, *rows, ""])


def _cells(column):
    cells = TYPES.get(column.type, column.type), column.unit, column.meaning, column.measured
    return " | ".join(cell.replace("|", "\\|") for cell in cells)
