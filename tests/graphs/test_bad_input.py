"""Every bad input ends in one line that names the file and the place, and leaves no output."""

import gzip
import re

import pytest
from graphs.conftest import leftovers
from graphs.test_formats import zipped

from warpath.base.errors import UserError

MTX = "%%MatrixMarket matrix coordinate "


BAD = {
    "word": ("# hi\n1 2\n1 x\n", "g.txt", ["line 3", "'x' is not a number", "second vertex"]),
    "one column": ("1 2\n7\n", "g.txt", ["line 2", "ends before the second vertex"]),
    "negative id": ("1 2\n-1 2\n", "g.txt", ["line 2", "first vertex is negative"]),
    "fractional id": ("1 2\n3.5 2\n", "g.txt", ["line 2", "3.5", "not a number"]),
    "huge id": ("1 2\n9223372036854775808 2\n", "g.txt", ["line 2", "first vertex is larger than 2^63 - 1"]),
    "longer id": ("1 2\n1 99999999999999999999999\n", "g.txt", ["line 2", "2^63"]),
    "nan": ("1 2 3\n1 3 nan\n", "g.edges", ["line 2", "not a finite number"]),
    "weight beyond int32": ("1 2 3\n1 3 3000000000\n", "g.edges", ["line 2", "weight", "beyond 2^31"]),
    "weight beyond float": ("1 2 3\n1 3 1e999\n", "g.edges", ["line 2", "weight", "beyond"]),
    "weight missing": ("1 2 3\n1 3\n", "g.edges", ["line 2", "ends before the weight"]),
    "negative weight": ("1 2 3\n\n1 3 -4\n", "g.edges", ["line 3", "negative", "absolute", "1 3 -4"]),
    "header beyond reason": (f"p sp 2 {'9' * 5000}\na 1 2 3\n", "g.gr", ["line 1", "p sp vertices arcs"]),
    "empty field": ("1,2,3\n1,,3\n", "g.csv", ["line 2", "second vertex"]),
    "snap header": ("# Nodes: 3 Edges: 3\n1 2\n2 3\n", "g.txt", ["g.txt", "2 edges", "header says 3"]),
    "dimacs header": ("c\np sp x\na 1 2 3\n", "g.gr", ["line 2", "p sp"]),
    "dimacs count": ("p sp 2 2\na 1 2 3\n", "g.gr", ["1 edges", "header says 2"]),
    "dimacs id": ("p sp 2 1\na 1 3 3\n", "g.gr", ["line 2", "second vertex is larger than the 2 vertices"]),
    "dimacs zero": ("p sp 2 1\na 0 1 3\n", "g.gr", ["line 2", "first vertex is smaller"]),
    "dimacs line": ("p sp 2 1\ne 1 2 3\n", "g.gr", ["line 2", "does not begin"]),
    "dimacs more": ("p sp 2 1\na 1 2 3 4\n", "g.gr", ["line 2", "more on the line"]),
    "mtx banner": ("%%MatrixMarket matrix array real general\n2 2\n1\n", "g.mtx", ["line 1", "coordinate"]),
    "mtx complex": (MTX + "complex general\n2 2 1\n1 2 3 4\n", "g.mtx", ["line 1", "real|integer"]),
    "mtx size": (MTX + "pattern general\n2 2\n1 2\n", "g.mtx", ["line 2", "rows columns entries"]),
    "mtx rectangle": (MTX + "pattern general\n2 3 1\n1 2\n", "g.mtx", ["line 2", "square"]),
    "metis lines": ("3 1\n2\n1\n", "g.graph", ["says 3 vertices", "lines for 2"]),
    "metis id": ("2 1\n3\n1\n", "g.graph", ["line 2", "neighbour is larger"]),
    "metis one way": ("3 2\n2 3\n1\n2\n", "g.graph", ["edge 1-3", "one of its vertices only"]),
    "metis weights": ("2 1 1\n2 5\n1 6\n", "g.graph", ["edge 1-2", "one weight", "another"]),
    "metis listed once": ("3 2\n2 3\n\n\n", "g.graph", ["says 2 edges", "listed once only"]),
    "metis counted twice": ("3 4\n2 3\n1\n1\n", "g.graph", ["says 4 edges", "counts every edge twice"]),
    "upper case dimacs": ("P SP 2 1\nA 1 2 3\n", "g.gr", ["line 2", "does not begin"]),
    "unknown columns": ("from_stop,to_stop,km\n1,2,3\n", "g.csv", ["line 1", "source and the target", "columns: {"]),
    "two weights": ("u,v,weight,cost\n1,2,3,4\n", "g.csv", ["weight and cost", "columns"]),
    "short row": ("u,v,weight\n1,2,3\n4,5\n", "g.csv", ["g.csv", "not a table"]),
    "no target": ("u,v\n1,2\n3,\n", "g.csv", ["g.csv", "row 2: no target"]),
    "word for a weight": ("u,v,weight\n1,2,x\n", "g.csv", ["weight is not a number", "x"]),
    "negative in a table": ("u,v,weight\n1,2,3\n1,2,-1\n", "g.csv", ["row 2", "negative", "absolute", "found: -1"]),
    "not UTF-8": (b"source,target\nK\xf6ln,Bonn\n", "g.csv", ["g.csv", "not UTF-8", "iconv"]),
    "escaped": ("\x1b[31mred\n", "g.txt", ["unknown format", "x1b[31mred", "snap, csv, edges"]),
    "lfs": ("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "g.txt", ["Git LFS", "git lfs pull"]),
    "utf-16": ("1 2\n2 3\n".encode("utf-16"), "g.txt", ["UTF-16", "iconv"]),
    "utf-16 without mark": ("1 2\n2 3\n".encode("utf-16-le"), "g.txt", ["UTF-16", "iconv"]),
    "pickle": (b"\x80\x04\x95abc\n", "g.txt", ["pickle", "never read"]),
    "webgraph": ("#BVGraph properties\nnodes=5\n", "g.properties", ["WebGraph of LAW"]),
    "packed twice": (gzip.compress(gzip.compress(b"1 2\n")), "g.txt.gz", ["packed twice"]),
    "list of formats": ("7\n8\n", "g.dat", ["unknown format", "'7'", "key format", "konect", "metis"]),
    "pace header": ("p td 2 1\n1 2\n", "g.gr", ["line 1", "p tw"]),
    "truncated gzip": (gzip.compress(b"1 2\n" * 9999)[:-20], "g.txt.gz", ["g.txt.gz", "cut off"]),
    "damaged gzip": (gzip.compress(b"1 2\n3 4\n")[:-8] + b"12345678", "g.txt.gz", ["g.txt.gz", "damaged"]),
    "absolute path": (zipped({"/etc/g.txt": "1 2\n"}), "g.zip", ["/etc/g.txt", "leaves the archive"]),
    "parent path": (zipped({"a/../../g.txt": "1 2\n"}), "g.zip", ["../../g.txt", "leaves the archive"]),
    "bomb": (zipped({"g.txt": b"1 2\n" * (30 << 20)}), "g.zip", ["g.txt", "unpack", "bytes"]),
    "empty zip": (zipped({"readme.html": "x"}), "g.zip", ["which file", "readme.html"]),
    "damaged zip": (zipped({"g.txt": "1 2\n" * 500})[:-30], "g.zip", ["g.zip", "damaged"]),
    "web page": ("\n<!DOCTYPE html><html>not found</html>", "g.txt", ["web page"]),
    "empty": ("", "g.txt", ["file is empty"]),
    "blank": ("\n\n\n", "g.txt", ["file is empty"]),
    "comments": ("# a\n# b\n", "g.txt", ["no edge found"]),
    "binary": (bytes(range(1, 256)) * 20, "g.bin", ["g.bin"]),
    "one more column": ("1 2\n1 3 4\n", "g.txt", ["line 2", "more on the line"]),
    "many columns": ("1 2 3 4 5\n", "g.edges", ["line 1", "5 columns"]),
    "old line ends": ("1 2\r3 4\r", "g.edges", ["line 1"]),
    "nul": (b"1 2\n1\x002\n", "g.txt", ["line 2"]),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_file(tmp_path, convert, case):
    content, name, words = BAD[case]
    with pytest.raises(UserError) as caught:
        convert(content, name)
    message = str(caught.value)
    assert "\n" not in message
    assert all(word in message for word in words), message
    assert name in message
    assert leftovers(tmp_path / "out") == []


@pytest.mark.parametrize("policy", ["file", "absolute"])
@pytest.mark.parametrize("weight", ["+-5", "--7", "-+7", "++7", "+-5.5", "--1e3"])
def test_a_weight_has_one_sign(convert, policy, weight):
    with pytest.raises(UserError, match=f"'{re.escape(weight)}' is not a number"):
        convert(f"0 1 {weight}\n", "g.edges", weights=policy)


def test_a_graph_may_have_one_vertex(convert):
    graph = convert("5 5\n")
    assert (graph.vertices, graph.arcs, graph.labels.tolist(), graph.max_weight) == (1, 0, [5], 0)


def test_line_numbers_count_across_blocks(convert, monkeypatch):
    from warpath.graphs.readers import text

    monkeypatch.setattr(text, "BLOCK", 64)
    with pytest.raises(UserError, match="line 1001: 'x' is not a number"):
        convert("# hi\n" + "1 2\n" * 999 + "1 x\n" + "1 2\n" * 999)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"published": {"edges": 3}}, "2 edges, but the catalogue's key published says 3"),
        ({"expected": {"vertices": 4}}, "3 vertices, but the catalogue's key expected says 4"),
        ({"sha256": "0" * 64}, r"g.txt: not the file of the catalogue: its SHA-256 is .* g says 0000"),
        ({"weights": "file"}, "the file has no weights, but the catalogue says weights: file"),
    ],
)
def test_a_file_is_what_the_catalogue_says(convert, tmp_path, keys, words):
    with pytest.raises(UserError, match=words):
        convert("1 2\n2 3\n", **keys)
    assert leftovers(tmp_path / "out") == []


def test_a_header_can_be_ignored(convert):
    assert convert("# Nodes: 9 Edges: 9\n1 2\n", header="ignore").vertices == 2


def test_coordinates_must_be_complete(tmp_path, entry):
    from warpath.graphs.prepare import prepare

    (tmp_path / "g.gr").write_text("p sp 2 1\na 1 2 5\n")
    for text, words in [("p aux sp co 3\n", "3 vertices for a graph of 2"), ("p aux sp co 2\nv 1 2 3\n", "1 have")]:
        (tmp_path / "g.co").write_text(text)
        described = entry(path=str(tmp_path / "g.gr"), coordinates={"path": str(tmp_path / "g.co")})
        with pytest.raises(UserError, match=words):
            prepare(described, described.inputs(), tmp_path / "out")
