"""Every bad input ends in one line that names the file and the place, and leaves no output."""

import bz2
import gzip
import io
import lzma
import re
import tarfile
import zlib

import numpy as np
import pyarrow as pa
import pytest
from graphs.test_formats import MTX, SUITESPARSE, TABLE, npy, npz, parquet, saved, tar, zipped

from warpath.base.errors import UserError
from warpath.graphs.readers import packed, text

BANNER = "%%MatrixMarket matrix coordinate "
DICTIONARY = parquet(pa.table({"u": ["a", "b"], "v": ["b", "c"]}))
SMALL_WEIGHT = parquet(pa.table({"u": [1], "v": [2], "w": ["1e-400"]}))
CLAIMS = npy(np.zeros((2, 2))).replace(b"'shape': (2, 2), }    ", b"'shape': (2, 2**9), }")[:100]
LATIN = parquet(pa.table({"u": ["QQ", "b"], "v": ["c", "d"]})).replace(b"QQ", b"\xc2\xc2")
BEHIND = gzip.compress(tar(SUITESPARSE), 0).replace(b"1 2 5", b"1 2 7")
SUM = zlib.crc32(MTX.encode()).to_bytes(4, "little")
BEYOND = DICTIONARY.replace(b"\x04\x01\x01\x03\x02", b"\x04\x01\x01\x30\x02", 1)  # the places of a and b


def links():
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, kind in {"g.mtx": tarfile.SYMTYPE, "h.mtx": tarfile.LNKTYPE}.items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    return packed.getvalue()


def encrypted(archive):
    """Set the flag of encryption in a zip of one file, in both of its headers."""
    local, central = archive.index(b"PK\3\4") + 6, archive.index(b"PK\1\2") + 8
    return bytes(byte | 1 if place in (local, central) else byte for place, byte in enumerate(archive))


BAD = {
    "word": ("# hi\n1 2\n1 x\n", "g.txt", ["line 3", "'x' is not a number", "second vertex"]),
    "one column": ("1 2\n7\n", "g.txt", ["line 2", "ends before the second vertex"]),
    "negative id": ("1 2\n-1 2\n", "g.txt", ["line 2", "first vertex is negative"]),
    "huge id": ("1 2\n9223372036854775808 2\n", "g.txt", ["line 2", "9223372036854775808", "up to 2.63 - 1"]),
    "longer id": ("1 2\n1 99999999999999999999999\n", "g.txt", ["line 2", "2.63"]),
    "nan": ("1 2 3\n1 3 nan\n", "g.edges", ["line 2", "not a finite number"]),
    "weight beyond int32": ("1 2 3\n1 3 3000000000\n", "g.edges", ["line 2", "weight", "beyond 2.31"]),
    "weight beyond float": ("1 2 3\n1 3 1e999\n", "g.edges", ["line 2", "weight", "beyond"]),
    "weight missing": ("1 2 3\n1 3\n", "g.edges", ["line 2", "ends before the weight"]),
    "negative weight": ("1 2 3\n\n1 3 -4\n", "g.edges", ["line 3", "negative", "absolute", "1 3 -4"]),
    "header beyond reason": (f"p sp 2 {'9' * 5000}\na 1 2 3\n", "g.gr", ["line 1", "p sp vertices arcs"]),
    "empty field": ("1,2,3\n1,,3\n", "g.csv", ["line 2", "second vertex"]),
    "snap header": ("# Nodes: 3 Edges: 3\n1 2\n2 3\n", "g.txt", ["g.txt", "2 edges", "header says 3"]),
    "dimacs header": ("c\np sp x\na 1 2 3\n", "g.gr", ["line 2", "p sp"]),
    "dimacs id": ("p sp 2 1\na 1 3 3\n", "g.gr", ["line 2", "second vertex is larger than the 2 vertices"]),
    "dimacs zero": ("p sp 2 1\na 0 1 3\n", "g.gr", ["line 2", "first vertex is smaller"]),
    "dimacs line": ("p sp 2 1\ne 1 2 3\n", "g.gr", ["line 2", "does not begin"]),
    "mtx banner": ("%%MatrixMarket matrix array real general\n2 2\n1\n", "g.mtx", ["line 1", "coordinate"]),
    "mtx size": (BANNER + "pattern general\n2 2\n1 2\n", "g.mtx", ["line 2", "rows columns entries"]),
    "mtx rectangle": (BANNER + "pattern general\n2 3 1\n1 2\n", "g.mtx", ["line 2", "square"]),
    "metis lines": ("3 1\n2\n1\n", "g.graph", ["says 3 vertices", "lines for 2"]),
    "metis id": ("2 1\n3\n1\n", "g.graph", ["line 2", "neighbour is larger"]),
    "metis format": ("2 1 7\n2\n1\n", "g.graph", ["line 1", "the format is 7", "0 or 1"]),
    "metis one way": ("3 2\n2 3\n1\n2\n", "g.graph", ["on the line of one of its vertices only"]),
    "metis weights": ("2 1 1\n2 5\n1 6\n", "g.graph", ["one weight there and another"]),
    "metis listed once": ("3 2\n2 3\n\n\n", "g.graph", ["says 2 edges", "listed once only"]),
    "metis counted twice": ("3 4\n2 3\n1\n1\n", "g.graph", ["says 4 edges", "counts every edge twice"]),
    "upper case dimacs": ("P SP 2 1\nA 1 2 3\n", "g.gr", ["line 2", "does not begin"]),
    "unknown columns": ("from_stop,to,km\n1,2,3\n", "g.csv", ["line 1", "is the source", "columns: .source"]),
    "two weights": ("u,v,weight,cost\n1,2,3,4\n", "g.csv", ["weight and cost", "columns"]),
    "short row": ("u,v,weight\n1,2,3\n4,5\n", "g.csv", ["g.csv", "not a table"]),
    "no target": ("u,v\n1,2\n3,\n", "g.csv", ["g.csv", "row 2: no target"]),
    "word for a weight": ("u,v,weight\n1,2,x\n", "g.csv", ["weight is not a number", "x"]),
    "negative in a table": ("u,v,weight\n1,2,3\n1,2,-1\n", "g.csv", ["row 2", "negative", "absolute", "found: -1"]),
    "not UTF-8": (b"source,target\nK\xf6ln,Bonn\n", "g.csv", ["g.csv", "not UTF-8", "iconv"]),
    "lfs": ("version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "g.txt", ["Git LFS", "git lfs pull"]),
    "utf-16": ("1 2\n2 3\n".encode("utf-16"), "g.txt", ["UTF-16", "iconv"]),
    "utf-16 without mark": ("1 2\n2 3\n".encode("utf-16-le"), "g.txt", ["UTF-16", "iconv"]),
    "webgraph": ("#BVGraph properties\nnodes=5\n", "g.properties", ["WebGraph of LAW"]),
    "webgraph by URL": (bytes(range(256)), "cnr.graph", ["not text", "WebGraph of LAW", "java .* makes a list"]),
    "packed twice": (gzip.compress(gzip.compress(b"1 2\n")), "g.txt.gz", ["packed twice"]),
    "utf-16 of the other order": ("1 2\n2 3\n".encode("utf-16-be"), "g.txt", ["UTF-16", "iconv"]),
    "utf-32": ("1 2\n2 3\n".encode("utf-32"), "g.txt", ["UTF-32", "iconv"]),
    "lzma": (lzma.compress(b"1 2\n", lzma.FORMAT_ALONE), "g.txt.lzma", ["packed by lzma", "unlzma"]),
    "a zip in a zip": (zipped({"g.zip": zipped({"g.txt": "1 2\n"})}), "g.zip", ["packed twice"]),
    "a tar in a zip": (zipped({"g.tar": tar({"g.txt": "1 2\n"})}), "g.zip", ["a tar that is damaged or packed within"]),
    "a damaged tar": (
        tar({"g.txt": "1 2\n"}).replace(b"00000000004", b"-0000000004", 1),
        "g.tar",
        ["a tar that is damaged"],
    ),
    "floats that are ids": ("u,v\n1,2.0\n", "g.csv", ["line 2", "vertex '2.0' is not an integer"]),
    "ids with a sign": ("u,v\n+1,1\n", "g.csv", ["line 2", "vertex '.1' is not an integer"]),
    "5,000 digits": (f"1 2 {'1' * 5000}\n", "g.edges", ["line 1", "the weight is beyond 2.31"]),
    "a small weight in a dictionary": (SMALL_WEIGHT, "g.parquet", ["row 1", "becomes 0", "found: 1e-400"]),
    "list of formats": ("7\n8\n", "g.dat", ["unknown format", "'7'", "key format", "konect", "metis"]),
    "truncated gzip": (gzip.compress(b"1 2\n" * 9999)[:-20], "g.txt.gz", ["g.txt.gz", "cut off"]),
    "damaged gzip": (gzip.compress(b"1 2\n3 4\n")[:-8] + b"12345678", "g.txt.gz", ["g.txt.gz", "damaged"]),
    "bomb": (zipped({"g.txt": b"1 2\n" * (30 << 20)}), "g.zip", ["g.txt", "unpack", "to 125,829,120", "key unpacked"]),
    "links": (links(), "g.tar.gz", ["links only, such as 'g.mtx'"]),
    "empty zip": (zipped({"readme.html": "x"}), "g.zip", ["which file", "readme.html"]),
    "damaged zip": (zipped({"g.txt": "1 2\n" * 500})[:-30], "g.zip", ["g.zip", "damaged"]),
    "empty": ("", "g.txt", ["file is empty"]),
    "blank": ("\n\n\n", "g.txt", ["file is empty"]),
    "comments": ("# a\n# b\n", "g.txt", ["no edge found"]),
    "binary": (bytes(range(1, 256)) * 20, "g.bin", ["g.bin"]),
    "one more column": ("1 2\n1 3 4\n", "g.txt", ["line 2", "more on the line"]),
    "many columns": ("1 2 3 4 5\n", "g.edges", ["line 1", "5 columns"]),
    "old line ends": ("1 2\r3 4\r", "g.edges", ["line 1"]),
    "nul": (b"1 2\n1\x002\n", "g.txt", ["line 2"]),
    "cut off within a file": (tar({"g.mtx": MTX * 999})[:9000], "g.tar", ["cut off|damaged"]),
    "damage behind the graph of a tar": (BEHIND, "g.tar.gz", ["damaged"]),
    "another sum in a zip": (zipped({"g.mtx": MTX}).replace(SUM, b"\1\2\3\4"), "g.zip", ["damaged"]),
    "no rows": (b"src;dst;distance\n\n", "g.csv", ["no edge found"]),
    "damaged npz": (saved(np.savez_compressed, u=[1], v=[2])[:40] + b"\xff" * 400, "g.npz", ["damaged"]),
    "two kinds of line ends": (b"u,\rv\n1,2\n", "g.csv", ["g.csv"]),
    "name that is not text": (parquet(TABLE).replace(b"dst", b"d\xd7t"), "g.parquet", ["damaged"]),
    "cut off zstd": (pa.compress(MTX.encode(), codec="zstd", asbytes=True)[:-5], "g.zst", ["damaged"]),
    "parquet cut off": (b"PAR1" + b"x" * 99, "g.parquet", ["damaged"]),
    "arrow": (b"ARROW1\0\0" + b"x" * 99, "g.arrow", ["Arrow or Feather, which is not read; write .* as Parquet"]),
    "a stream of arrow": (b"\xff\xff\xff\xff" + b"x" * 99, "g.arrow", ["Arrow or Feather, which is not read"]),
    "npy of objects": (npy(np.array([[1, None]], object)), "g.npy", ["damaged, or not npy"]),
    "npy of one row": (npy(np.arange(5)), "g.npy", ["edges are m x 2"]),
    "npy that claims too much": (CLAIMS, "g.npy", ["damaged, or not npy"]),
    "offsets that descend": (npz(offsets=[0, 2, 1], targets=[0]), "g.npz", ["do not ascend"]),
    "targets too large": (npz(offsets=[0, 1], targets=[1]), "g.npz", ["not below the 1 vertices"]),
    "too few weights": (npz(offsets=[0, 1], targets=[0], weights=np.zeros(0)), "g.npz", ["0 weights for 1"]),
    "a rectangle": (npz(indptr=[0, 1], indices=[0], shape=[1, 2]), "g.npz", ["square"]),
    "a shape below 1": (npz(row=[0, 1], col=[1, 0], shape=[-3, -3]), "g.npz", ["shape is -3 x -3", "1 to 2.31 - 1"]),
    "a shape beyond all": (npz(row=[0], col=[1], shape=[2**40] * 2), "g.npz", ["shape is 1099511627776 x", "2.31 - 1"]),
    "a shape with too few offsets": (npz(indptr=[0, 1], indices=[0], shape=[5, 5]), "g.npz", ["1 vertices", "says 5"]),
    "a row beyond the shape": (npz(row=[0], col=[5], shape=[5, 5]), "g.npz", ["not below the 5 of the shape"]),
    "columns of two lengths": (npz(row=[0, 1], col=[1]), "g.npz", ["differ in length"]),
    "a table as a column": (npz(u=[[1, 2]], v=[[3, 4]]), "g.npz", ["source has 2 dimensions"]),
    "labels beyond int64": (npz(offsets=[0, 1], targets=[0], labels=np.uint64([2**63])), "g.npz", ["row 1", "2.63"]),
    "a label twice": (npz(offsets=[0, 1, 1], targets=[0], labels=[7, 7]), "g.npz", ["the same label"]),
    "ids as small floats": (npz(u=np.float32([2**24]), v=[2]), "g.npz", ["row 1", "beyond 2.24", "float32", "int64"]),
    "a weight below all": ("1 2 1e-400\n", "g.edges", ["line 1", "becomes 0 when it is rounded", "scale"]),
    "a weight below float32": ("1 2 1\n2 3 5e-324\n", "g.edges", ["line 2", "becomes 0"]),
    "a weight below all in a table": ("u,v,w\n1,2,0\n1,3,1e-400\n", "g.csv", ["row 2", "becomes 0", "found: 1e-400"]),
    "neither weight nor time": ("1 2 2147483648\n" * 2, "g.txt", ["line 1", "weight is beyond 2.31"]),
    "metis constraints": ("2 1 10 4294967297\n1 2\n1 1\n", "g.graph", ["line 1", "4,294,967,297 constraints"]),
    "a word beside a wide id": ("1 3000000000\n1 x\n", "g.txt", ["line 2", "'x' is not a number"]),
    "other arrays": (npz(x=[0], y=[0]), "g.npz", ["which column is the source"]),
    "not a number": (npz(u=[1], v=[2], w=[np.nan]), "g.npz", ["row 1: a weight is not a finite number"]),
    "fractional id": (npz(u=[1, 1.5], v=[2, 3]), "g.npz", [r"row 2: .* not an integer \(found: 1.5\)"]),
    "negative number": (npz(u=[-1], v=[2]), "g.npz", ["negative"]),
    "graphml": (
        b"<?xml version='1.0'?><graphml><graph></graphml>",
        "g.graphml",
        ["GraphML or GEXF, which is not read"],
    ),
    "gml": (b'Creator "me"\ngraph\n[ node [ id 1 ] ]\n', "g.gml", ["GML, which is not read; write the edges as CSV"]),
    "text as targets": (npz(offsets=[0, 1], targets=["a"]), "g.npz", ["the target is of type <U1; ids are integers"]),
    "gexf": (b"<?xml version='1.0'?><gexf></gexf>", "g.gexf", ["GraphML or GEXF, which is not read"]),
    "a file without a name": (zipped({"g": MTX}).replace(b"g", b"\0"), "g.zip", ["has no name"]),
    "a name that is not UTF-8": (zipped({"\xfc.mtx": MTX}).replace(b"\xc3\xbc", b"\xff\xff"), "g.zip", ["damaged"]),
    "an encrypted zip": (encrypted(zipped({"g.mtx": MTX})), "g.zip", ["encrypted"]),
    "text that is not UTF-8": (LATIN, "g.parquet", ["damaged, .*Invalid UTF8"]),
    "places beyond a dictionary": (BEYOND, "g.parquet", ["damaged"]),
    "an empty name": (b"u,v\nann,bob\n,bob\n", "g.csv", ["an edge has an empty vertex"]),
    "no row of parquet": (parquet(pa.table({"u": pa.array([], pa.int64()), "v": []})), "g.parquet", ["no edge found"]),
    "an npy as text": (npy(np.ones((2, 2))), "g", ["are those of npy, and the catalogue says format: snap"], "snap"),
    "text as npy": (b"1 2\n", "g", ["first bytes are not those of npy, and the catalogue says format: npy"], "npy"),
    "no edge of a bipartite network": (b"% bip weighted\n", "out.g", ["no edge found"]),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_file(tmp_path, convert, case):
    content, name, words, *format = BAD[case]
    with pytest.raises(UserError) as caught:
        convert(content, name, format=(format or ["auto"])[0])
    message = str(caught.value)
    assert message.isprintable() and len(message) < 1000 and name in message
    assert all(re.search(word, message) for word in words), message
    assert not any((tmp_path / "out").rglob("*"))


@pytest.mark.parametrize("policy", ["file", "absolute"])
@pytest.mark.parametrize("weight", ["+-5", "--7", "-+7", "++7", "+-5.5", "--1e3"])
def test_a_weight_has_one_sign(convert, policy, weight):
    with pytest.raises(UserError, match=f"'{re.escape(weight)}' is not a number"):
        convert(f"0 1 {weight}\n", "g.edges", weights=policy)


PACKED = {
    "gzip": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zstd": lambda content: pa.compress(content, codec="zstd", asbytes=True),
    "tar": lambda content: gzip.compress(tar({"g.txt": content.decode()})),
    "zip": lambda content: zipped({"g.txt": content}),
    "npz": lambda content: saved(np.savez_compressed, u=np.ones(50_000), v=np.ones(50_000)),
}


@pytest.mark.parametrize("case", PACKED)
def test_what_unpacks_to_far_more_than_its_size_is_refused_unless_the_catalogue_says_so(convert, monkeypatch, case):
    monkeypatch.setattr(packed, "SMALL", 1000)
    content, keys = PACKED[case](b"1 2\n" * 100_000), {"unpacked": 420_000, "clean": {"self_loops": "keep"}}
    with pytest.raises(UserError, match=r"would unpack from [\d,]+ to (more than )?[\d,]+ bytes; .* key unpacked"):
        convert(content, "g")
    assert convert(content, "g", **keys).arcs in (1, 2)


def test_a_graph_may_have_one_vertex(convert):
    graph = convert("5 5\n")
    assert (graph.vertices, graph.arcs, graph.labels.tolist(), graph.max_weight) == (1, 0, [5], 0)


def test_line_numbers_count_across_blocks(convert, monkeypatch):
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
    assert not any((tmp_path / "out").rglob("*"))


EVIL = "\x1b[2J\x07<b>\u202e\x9b"
LINES = EVIL + "\r\n"
HOSTILE = {  # what is shown in notes, or what libraries might stumble over
    "word": ("g.txt", f"1 2\n1 {EVIL}\n"),
    "column that is ignored": ("g.csv", f"u,v,{EVIL}\n1,2,3\n"),
    "name in a tar": ("x.tar", tar({f"{EVIL}.mtx": MTX, "b": "%"})),
    "name in a zip": ("x.zip", zipped({f"{EVIL}.mtx": MTX, "b": "%"})),
    "array": ("g.npz", npz(**{"u": [1], "v": [2], EVIL.replace("/", ""): [3]})),
    "column of parquet": ("g.parquet", parquet(pa.table({"u": [1], "v": [2], LINES: [3]}))),
    "text of parquet": ("g.parquet", parquet(pa.table({"u": [LINES], "v": ["b"]}))),
    "name of a file": (f"{EVIL.replace('/', '')}.txt", "x\n"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_text_from_outside_is_shown_without_control_characters(convert, capsys, case):
    """Nor line breaks and marks that reverse its direction."""
    name, content = HOSTILE[case]
    message = ""
    try:
        convert(content, name)
    except UserError as error:
        message = str(error)
    noted = capsys.readouterr().err
    assert message.isprintable() and all(line.isprintable() for line in noted.split("\n"))
    assert noted.count("\n") == sum(line.startswith("g: ") for line in noted.splitlines())
    assert re.search(r"\\x1b|\\u202e", message + noted), ascii(message + noted)
