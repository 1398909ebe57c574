"""Every format, with its variants."""

import bz2
import gzip
import lzma
import random

import numpy as np
import pytest
from graphs.conftest import arcs
from graphs.test_formats import zipped

from warpath.graphs import library
from warpath.graphs.readers import text
from warpath.graphs.readers.text import Dialect, Lines, call_parser
from warpath.graphs.weights import FileWeights

SNAP = "# Nodes: 3 Edges: 3\n# FromNodeId\tToNodeId\n10\t20\n20\t30\n30\t10\n"
TRIANGLE = [(10, 20), (20, 30), (30, 10)]
UNIT = {"weights": "unit", "directed": True}
ABSOLUTE = {"weights": "absolute"}
SNAPS = {
    "plain": SNAP.encode(),
    "crlf": SNAP.replace("\n", "\r\n").encode(),
    "no newline": SNAP.rstrip("\n").encode(),
    "blanks": SNAP.replace("\t", "   ").encode(),
    "comments": SNAP.replace("20\t30\n", "\n# in between\n 20 \t 30 \n\n").encode(),
    "gzip": gzip.compress(SNAP.encode()),
    "two gzips": gzip.compress(SNAP[:40].encode()) + gzip.compress(SNAP[40:].encode()),
    "bz2": bz2.compress(SNAP.encode()),
    "xz": lzma.compress(SNAP.encode()),
    "zip": zipped({"readme.html": "<html>", "g.txt": SNAP}),
}


def mtx(banner, body):
    return f"%%MatrixMarket matrix coordinate {banner}\n% kind: graph\n3 3 2\n{body}"


def both(edges):
    """The edges in both directions."""
    return edges | {(target, tail): weight for (tail, target), weight in edges.items()}


LISTS = {  # content, name, keys, the arcs
    **{f"snap, {how}": (content, "g.txt", UNIT, dict.fromkeys(TRIANGLE, 1)) for how, content in SNAPS.items()},
    "signed csv": ("6,2,4,1289241911.72836\n6,5,-2,1289241941.5\n", "g.csv", ABSOLUTE, {(6, 2): 4, (6, 5): 2}),
    "edges": (zipped({"r.html": "", "g.edges": "% hi\n1 2 3\n2 3 4\n"}), "g.zip", {}, {(1, 2): 3, (2, 3): 4}),
    "a fourth column is a time": ("1 2 3 1082040961\n2 3 4 1082155839\n", "g.edges", {}, {(1, 2): 3, (2, 3): 4}),
    "commas and fractions": ("% hello\n1,2,0.5\n2,3,1e-3\n", "g.edges", {}, {(1, 2): 0.5, (2, 3): np.float32(1e-3)}),
    "weights that are not used": ("1 2 -5\n2 3 nan\n", "g.edges", {"weights": "3..3"}, {(1, 2): 3, (2, 3): 3}),
    "member of a zip": (zipped({"a.txt": "1 2\n", "b.txt": "3 4\n"}), "g.zip", UNIT | {"member": "b.txt"}, {(3, 4): 1}),
    "ignored header": ("# Nodes: 9 Edges: 9\n1 2\n", "g.txt", UNIT | {"header": "ignore"}, {(1, 2): 1}),
    "chosen format": ("1 2 3\n", "g.edges", {"format": "snap"}, {(1, 2): 3}),
    "time that is a weight": ("9 8 1217567877\n", "g.txt", {"weights": "file"}, {(9, 8): 1217567877}),
    "scaled": ("1 2 1234567.891\n2 3 0.5001\n", "g.k", {"weights": {"scale": 1000}}, {(1, 2): 1234567891, (2, 3): 500}),
    "pace": ("c hello\np tw 4 2\n1 2\n2 3\n", "g.gr", UNIT, {(1, 2): 1, (2, 3): 1}),
    "dimacs": ("c hello\np sp 3 2\nc there\na 1 2 5\na 2 1 7\n", "g.gr", {}, {(1, 2): 5, (2, 1): 7}),
    "pattern symmetric": (mtx("pattern symmetric", "2 1\n3 1\n"), "g.mtx", UNIT, both({(1, 2): 1, (1, 3): 1})),
    "integer general": (mtx("integer general", "2 1 5\n3 1 6\n"), "g.mtx", {}, {(2, 1): 5, (3, 1): 6}),
    "real general": (mtx("real general", "2 1 1.5\n3 1 2\n"), "g.mtx", {}, {(2, 1): 1.5, (3, 1): 2.0}),
    "real symmetric": (mtx("real symmetric", "2 1 4.0\n3 1 2e0\n"), "g.mtx", {}, both({(1, 2): 4, (1, 3): 2})),
    "metis": ("% hello\n4 2\n2 4\n1\n\n1\n", "g.graph", UNIT, both({(1, 2): 1, (1, 4): 1})),
    "metis, weighted": ("3 2 011 2\n9 9 2 5 3 6\n8 8 1 5\n7 7 1 6\n", "g.graph", {}, both({(1, 2): 5, (1, 3): 6})),
}
LABELS = {"pace": [1, 2, 3, 4], "metis": [1, 2, 3, 4], "dimacs": [1, 2, 3]}  # some without edges


@pytest.mark.parametrize("case", LISTS)
def test_lists_of_edges(convert, case):
    content, name, keys, expected = LISTS[case]
    graph = convert(content, name, **{"directed": True, **keys})
    assert arcs(graph) == expected
    assert graph.labels.tolist() == LABELS.get(case, sorted({end for pair in expected for end in pair}))
    fractional = any(weight % 1 for weight in expected.values())
    assert graph.weights.dtype == (np.float32 if fractional else np.int32)


def test_weights_become_fractional_in_a_later_block(convert, monkeypatch):
    monkeypatch.setattr(text, "BLOCK", 16)
    lines = [f"{i} {i + 1} {i}" for i in range(20)]
    graph = convert("\n".join([*lines, "100 101 0.5"]), "g.edges", directed=True)
    assert arcs(graph) == {(i, i + 1): float(i) for i in range(20)} | {(100, 101): 0.5}


def test_lines_longer_than_a_block(convert, monkeypatch):
    monkeypatch.setattr(text, "BLOCK", 8)
    neighbours = " ".join(str(i) for i in range(2, 31))
    graph = convert("30 29\n" + neighbours + "\n" + "1\n" * 29, "g.graph", weights="unit")
    assert np.diff(graph.offsets).tolist() == [29] + [1] * 29


LINES = ["{u}\t{v}", "{u},{v}", "{u} {v}\r", "  {u}  {v} ", "{u} {v} 1", "# note", "", "{u}", "{u} x", "-{u} {v}"]
WEIGHTED = ["{u} {v} {w}", "{u},{v},{w}\r", "{u} {v} {w}.5", "{u} {v} -{w}", "{u} {v} +{w}", "{u} {v} {w}e2"]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("prefix", [b"\0", b"a"])
def test_usual_lines_are_read_as_all_others(weighted, prefix):
    """A space before a line makes it unusual, and means nothing."""
    draw = random.Random(7)
    usual = "{u} {v} {w}" if weighted else "{u} {v}"
    for _ in range(300):
        odd = draw.choices(WEIGHTED if weighted else LINES, k=draw.randint(0, 2))
        forms = draw.sample(odd + [usual] * 12, len(odd) + 12)
        ids = [draw.choice([0, 1, 7, 10**4, 10**8, 2**31 - 1, 2**31, 10**10]) if draw.random() < 0.1
               else draw.randrange(10 ** draw.randint(1, 9)) for _ in range(2 * len(forms))]  # fmt: skip
        first = (prefix + b" ").decode() if prefix == b"a" else ""
        lines = [first + form.format(u=ids.pop(), v=ids.pop(), w=draw.randrange(2 * 10**9)) for form in forms]
        first = draw.randint(0, 1)
        dialect = Dialect(FileWeights(), b"#", b",", prefix=prefix, weighted=weighted, first=first)
        assert parsed(lines, dialect) == parsed([" " + line for line in lines], dialect)


def parsed(lines, dialect):
    """The edges, or the place of the first error."""
    content = bytearray("".join(line + "\n" for line in lines).encode())
    ends, weights, seen = np.zeros((2, len(lines)), np.uint32), np.zeros(len(lines), np.int32), library.bitmap(2**31)
    arrays = *ends, weights if dialect.weighted else None, seen
    outcome = call_parser(("parse", "parse_edges"), Lines(content, 0, len(content)), dialect, *arrays)
    if outcome.error:
        return outcome.error, outcome.lines, outcome.column
    count = outcome.edges
    edges = ends[:, :count].tolist(), weights[:count].tolist()
    return outcome.lines, outcome.largest, outcome.fractional, *edges
