"""Formats with one edge per line: `u v`, perhaps with a weight and a time, below comments that may tell more."""

import re
from datetime import UTC, datetime

import numpy as np

from warpath.graphs import library, weights
from warpath.graphs.blocks import LARGEST, EdgeList
from warpath.graphs.readers import columns, table
from warpath.graphs.readers.text import Dialect, WideIds, edge_blocks, escaped

MOST_COLUMNS = 4
COUNTED = 99  # a long line is not taken apart
SAMPLED_LINES = 100
TIMES = (5 * 10**8, 2**31)  # seconds since 1970, from 1985 to 2038; larger ones would be no weights either
FEWEST_TIMES = 10  # lines that have to agree, as weights may look like times
HEADER = re.compile(rb"^%\s*(sym|asym|bip)\b\s*(\w*)", re.IGNORECASE)  # of KONECT
UNWEIGHTED = {"", "unweighted", "positive", "dynamic"}  # their third column counts edges, or whether they appear


def snap(text, use, given=None):
    """SNAP edge lists, whose comments may also state `Nodes: n Edges: m`."""
    edges, above = _below_comments(text, use, b"#", given)
    if counts := re.search(rb"Nodes:\s*(\d{1,18})\s+Edges:\s*(\d{1,18})", above):
        edges.header = {"vertices": int(counts[1]), "edges": int(counts[2])}
    return edges


def csv(text, use, given=None):
    """Tables: CSV and TSV with names of columns, or `source,target,rating,time` as in SNAP's signed networks."""
    return _below_comments(text, use, b"#", given)[0]


def edges(text, use, given=None):
    """Edge lists as in the Network Repository: `u v` or `u v weight`; `%` or `#` starts a comment."""
    return _below_comments(text, use, b"%#", given)[0]


def _below_comments(text, use, letters, given):
    """Return the edges and the comments above, which may state `Directed graph` or `Undirected graph`."""
    lines = text.skip_while(lambda line: line[:1] in letters)
    above = b"\n".join(lines)
    edges = _read(text, use, letters, given, lines[-1] if lines else b"")
    if stated := re.search(rb"(?im)^#\s*(un)?directed\s+graph\b.*$", above):
        edges.directed = stated[1] is None
        other = re.search(rb"(?im)^.*\bundirected\b.*$", above)
        if edges.directed and other:
            said = f"'{escaped(stated[0])}' and '{escaped(other[0])}'"
            edges.notes.append(f"comments say {said}: taken as directed (the key directed decides)")
    return edges, above


def konect(text, use, given=None):
    """KONECT: `% sym|asym|bip kind of weights`, perhaps `% edges left right`, then `u v [weight [time]]`."""
    comments = text.skip_while(lambda line: not line or line.startswith(b"%"))
    header = HEADER.match(comments[0]) if comments else None
    if not header:
        raise text.error("expected '% sym|asym|bip weights'", 1)
    side, kind = header[1].decode().lower(), header[2].decode().lower()
    notes = []
    if kind in UNWEIGHTED and use.used and not use.required:
        use = weights.IGNORED
        if len((text.peek() or b"").split()) > 2:
            notes.append(f"the third column is no weight in a network that is {kind or 'without kind'}")
    edges = _read(text, use, b"%", given)
    edges.directed = side == "asym"
    edges.notes += notes
    return _two_sides(text, edges, comments) if side == "bip" else edges


def _two_sides(text, edges, comments):
    """Number the right side after the left one: its ids start at 1 again."""
    if edges.labels is not None:
        raise text.error("ids of a bipartite network are numbers up to 2^31 - 1", len(comments) + 1)
    stated = [int(count) for count in re.findall(rb"\d{1,18}", comments[1])] if len(comments) > 1 else []
    left = max([int(block.tails.max()) for block in edges.blocks if len(block.tails)] + stated[1:2], default=0)
    right = max((int(block.targets.max()) for block in edges.blocks if len(block.targets)), default=0)
    if left + right > LARGEST:
        raise text.error(f"{left:,} and {right:,} vertices are beyond 2^31 - 1", 1)
    edges.blocks = [block._replace(targets=block.targets + np.uint32(left)) for block in edges.blocks]
    edges.ids = left + right + 1
    edges.seen = columns.seen(edges.ids, edges.blocks)
    edges.notes.append(f"bipartite: vertices of the right side are numbered from {left + 1:,}")
    return edges


def _read(text, use, comments, given, above=b""):
    """Read edges `u v`, or `u v weight` if the first line has a third column and weights are used.

    Names of columns in the first line, or `given` (the catalogue's key columns), make the text a table. So do names in
    the last comment `above`, if the columns are in another order.
    """
    first = text.peek() or b""
    is_table = given or table.has_names(first)
    if b'"' in first and not is_table:
        count = len(table.fields(first))
        given = ["source", "target", "weight", *["_"] * count][:count]
    if is_table or given:
        return table.read(text, use, given)
    separator = next((mark for mark in (b",", b";", b"|") if mark in first), b" ")
    count = len(first.split(separator if separator != b" " else None, COUNTED))
    if count > MOST_COLUMNS:
        raise text.error(f"{count} columns; expected from, to and optionally weight and time", text.line + 1)
    roles = _roles(above, count)
    if roles and roles[:2] != ["source", "target"]:
        return table.read(text, use, roles)
    weighted, notes = use.used and count > 2, []
    if weighted and roles and roles[2] != "weight" and not use.required:
        weighted, notes = False, ["the third column is no weight by its name (weights: file takes it)"]
    if weighted and not use.required and (time := _time(text, separator)):
        weighted, notes = False, [f"the third column has times, such as {time}: not weights (weights: file takes them)"]
    dialect = Dialect(use, comments, separator, strict=count == (3 if weighted else 2), weighted=weighted)
    taken, seen = text.line, library.bitmap(LARGEST + 1)
    try:
        blocks, outcomes, rounded = edge_blocks(text, dialect, seen)
    except WideIds:  # up to 2^63 - 1 as a table has them
        given = ["source", "target", "weight" if weighted else "_", "_"][:count]
        edges = table.read(text.again(taken), use, given)
        if edges.names is not None:
            word = next(name for name in edges.names if not name.isdigit())
            raise table.named(text.again(taken), word, "is not a number") from None
        edges.notes[:0] = notes
        return edges
    largest = max((outcome.largest for outcome in outcomes), default=0)
    seen = seen[: largest // 64 + 1]
    return EdgeList(blocks, ids=largest + 1, seen=seen, notes=notes, rounded=rounded)


def _roles(comment, count):
    """Return the role of each column by the names in a comment; None if they do not name both ends."""
    names = table.fields(comment.lstrip(b"#% \t"))
    fitting = [columns.role(name) for name in names]
    complete = fitting.count("source") == fitting.count("target") == 1 and fitting.count("weight") < 2
    return [role or "_" for role in fitting] if complete and len(names) == count else None


def _time(text, separator):
    """Return the first line's third column as a date if that of each line seems to be a time; else None."""
    lines = [line.replace(separator, b" ").split() for line in text.ahead(SAMPLED_LINES)]
    third = [line[2] for line in lines if len(line) == 3]
    third = third[:-1] or third  # the last may be cut off
    if max(map(len, lines), default=0) != 3 or not all(re.fullmatch(rb"\d{1,19}", number) for number in third):
        return None
    times = [int(number) for number in third]
    unit = 1000 if times[0] >= TIMES[1] else 1
    is_named = "temporal" in text.name.lower()
    enough = is_named or unit > 1 or len(times) >= FEWEST_TIMES
    if enough and all(TIMES[0] <= time // unit < TIMES[1] for time in times):
        return str(datetime.fromtimestamp(times[0] / unit, UTC).date())
    return str(times[0]) if is_named else None
