"""Write what each column of the tables means into docs/data.md; the fields of records are described by their schema."""

from pathlib import Path

from warpath.base.errors import UserError
from warpath.base.files import atomic
from warpath.results import columns

BEGIN = "<!-- glossary: written by `.venv/bin/warpath glossary`; do not edit -->"
END = "<!-- end of the glossary -->"
TYPES = {"str": "text", "Int64": "integer", "float64": "number"}
SHARED = len(columns.RUN)
SECTIONS = {
    "Columns of both tables": columns.RUN,
    "Further columns of `results/timings.parquet`": columns.TIMINGS[SHARED:],
    "Further columns of `results/summary.csv`": columns.SUMMARY[SHARED:],
}


def write(path):
    """Replace the glossary in the document at `path`."""
    text = Path(path).read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise UserError(f"{path}: lacks the line {BEGIN if not begin else END}")
    lines = [begin, ""]
    for title, described in SECTIONS.items():
        lines += [f"## {title}", "", "| name | type | meaning |", "|---|---|---|"]
        for column in described:
            kind = TYPES.get(column.type, column.type) + (f", {column.unit}" if column.unit else "")
            lines.append(f"| `{column.name}` | {kind} | {column.meaning} {column.measured} |")
        lines.append("")
    with atomic(path) as temporary:
        temporary.write_text(before + "\n".join([*lines, end]) + after, encoding="utf-8")
