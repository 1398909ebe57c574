"""Tables: CSV, TSV and other text whose first line names the columns, with quotes, and ids that are numbers or text."""

import contextlib
import csv
import re

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from warpath.base.errors import UserError
from warpath.graphs.readers import columns as roles_of
from warpath.graphs.readers.text import Outcome, WideIds, escaped, parse_blocks

LONGEST_LINE = 1 << 16  # bytes of a table's first line
SEPARATORS = (b",", b"\t", b";", b"|")


def separator(line):
    """The separator of a line; a space stands for any blanks."""
    return next((mark for mark in SEPARATORS if mark in line), b" ")


def fields(line):
    """Return the fields of a line; a line that is far longer than a table's is one field."""
    mark, text = separator(line), line[:LONGEST_LINE].decode("utf-8", "replace")
    if len(line) > LONGEST_LINE:
        return [text]
    if mark == b" ":
        return [field.strip('"') for field in text.split()]
    with contextlib.suppress(csv.Error):
        return [field.strip() for field in next(csv.reader([text], delimiter=mark.decode()))]
    return [text]


def has_names(line):
    """Whether a line names columns: at least two, none of them a number."""
    printable = len(line) <= LONGEST_LINE and all(byte >= 32 or byte == 9 for byte in line)
    words = fields(line) if printable else []
    return len(words) > 1 and not any(_is_number(word) for word in words) and any(word[:1].isalpha() for word in words)


def _is_number(word):
    with contextlib.suppress(ValueError):
        float(word)
        return True
    return False


def read(text, use, given=None):
    """Read the rest of the text as a table; `given` is the catalogue's key columns."""
    first = text.peek()
    if first is None:
        raise UserError(f"{text.path}: no edge found")
    count, note = len(fields(first)), ""
    if isinstance(given, list):
        if count != len(given):
            raise text.error(f"{count} columns, but the key columns lists {len(given)}", text.line + 1)
        for role in roles_of.NAMES:
            if given.count(role) > 1 or (role != "weight" and role not in given):
                raise UserError(f"{text.path}: the key columns lists {role} {given.count(role)} times")
        names, note = [str(number) for number in range(1, count + 1)], "columns: "
        given = {role: names[given.index(role)] for role in roles_of.NAMES if role in given}
    else:
        names = fields(text.take())
    roles, taken = roles_of.match(f"{text.path}, line {text.line}", names, given), text.line
    table = _numbers_or_text(text, separator(first), count, roles)
    chosen = (table.get(role) for role in roles_of.NAMES)
    try:
        return roles_of.edges(text.path, *chosen, use, notes=[note + roles_of.described(names, roles)])
    except WideIds as error:
        raise named(text.again(taken), error.word, "is not an integer up to 2^63 - 1") from None


def named(text, word, problem):
    """The error that a vertex of the rest of the text has this problem, with its line."""
    while (line := text.take()) is not None and word not in fields(line):
        pass
    return text.error(f"the vertex '{escaped(word)}' {problem} (found: {escaped(line or b'')})")


def _numbers_or_text(text, mark, count, roles):
    """Return each role's column: of numbers if all are, which is three times as fast, else of text."""
    taken, numbers = text.line, {"source": pa.int64(), "target": pa.int64(), "weight": pa.float64()}
    with contextlib.suppress(pa.ArrowInvalid):
        table = _table(text, mark, count, roles, numbers)
        if "weight" in roles and pc.any(pc.equal(table["weight"], 0)).as_py():  # or 1e-400, which only its text tells
            weight = {"weight": roles["weight"]}
            table |= _table(text.again(taken), mark, count, weight, {"weight": pa.string()})
        return table
    try:
        table = _table(text.again(taken), mark, count, roles, dict.fromkeys(roles, pa.string()))
    except pa.ArrowInvalid as error:
        if "invalid UTF8" in str(error):
            raise UserError(f"{text.path}: not UTF-8; convert it, as by `iconv -f LATIN1 -t UTF-8`") from None
        raise UserError(f"{text.path}: not a table ({escaped(str(error), 120)})") from None
    return {role: pc.utf8_trim_whitespace(column) for role, column in table.items()}


def _table(text, mark, count, roles, types):
    names = [f"c{place}" for place in range(count)]
    chosen = {role: names[place] for role, place in roles.items()}
    typed = {name: types[role] for role, name in chosen.items()}
    options = (
        arrow_csv.ReadOptions(column_names=names, use_threads=False),
        arrow_csv.ParseOptions(delimiter="\t" if mark == b" " else mark.decode()),
        arrow_csv.ConvertOptions(include_columns=list(typed), column_types=typed),
    )

    def parse(lines):
        block = memoryview(lines.buffer)[lines.begin : lines.end]
        if mark == b" ":  # any blanks are one separator, and comments are left out; elsewhere `#` may begin an id
            trimmed = re.sub(rb"(?m)^[ \t]+|[ \t\r]+$|^[#%].*\n?", b"", block)
            block = re.sub(rb"[ \t]+", b"\t", trimmed)
        has_rows = re.search(rb"\S", block)
        return arrow_csv.read_csv(pa.BufferReader(block), *options) if has_rows else None, Outcome()

    tables = [table for table, _ in parse_blocks(text, parse) if table]
    if not tables:
        raise UserError(f"{text.path}: no edge found")
    table = pa.concat_tables(tables)
    return {role: table[name] for role, name in chosen.items()}
