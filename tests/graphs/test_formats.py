"""Archives, arrays, columns and files of libraries are read, and prepared graphs are written for other programs."""

import bz2
import gzip
import io
import re
import tarfile
import zipfile

import networkx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from graphs.conftest import arcs

from warpath.base import places
from warpath.base.errors import UserError
from warpath.devices import driver
from warpath.graphs import csr, export
from warpath.graphs.prepare import prepare

MTX = "%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 5\n2 3 6\n"
EXPECTED = {(1, 2): 5, (2, 3): 6}


def tar(files):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content.encode()))
    return packed.getvalue()


def zipped(files, how=zipfile.ZIP_DEFLATED):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", how) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def saved(save, *arguments, **arrays):
    file = io.BytesIO()
    save(file, *arguments, **arrays)
    return file.getvalue()


def npz(**arrays):
    return saved(np.savez, **arrays)


def npy(array):
    return saved(np.save, array)


def parquet(table):
    return saved(lambda file: pq.write_table(table, file))


SUITESPARSE = {"g/g_coord.mtx": "%" * 9999, "g/g.mtx": MTX, "g/README.txt": "x" * 9999}
KONECT = {"g/README.g": "x" * 999, "g/meta.g": "y" * 999, "g/out.g": "% asym weighted\n1 2 5\n2 3 6\n"}
SEVERAL = {"a.txt": "9 8 7\n", "b.txt": "# Directed graph\n1 2 5\n2 3 6\n", "note.md": "x" * 999}
ARCHIVES = {
    "SuiteSparse": ("g.tar.gz", gzip.compress(tar(SUITESPARSE))),
    "KONECT": ("download.tsv.g.tar.bz2", bz2.compress(tar(KONECT))),
    "tar": ("g.tar", tar(SUITESPARSE)),
    "the largest of a zip": ("x.zip", zipped(SEVERAL)),
    "a stored file of a zip": ("g.zip", zipped({"g.mtx": MTX}, zipfile.ZIP_STORED)),
    "zstd": ("g.mtx.zst", pa.compress(MTX.encode(), codec="zstd", asbytes=True)),
    "tar.zst": ("g.tar.zst", pa.compress(tar(SUITESPARSE), codec="zstd", asbytes=True)),
}


def test_member_of_a_tar(convert, capsys):
    content = gzip.compress(tar(SEVERAL))
    assert arcs(convert(content, "x.tgz")) == EXPECTED
    assert "read b.txt of 3 files in the archive" in capsys.readouterr().err
    assert arcs(convert(content, "x.tgz", member="a.txt", directed=True)) == {(9, 8): 7}
    with pytest.raises(UserError, match=r"no file 'c.txt'. Did you mean .*a.txt"):
        convert(content, "x.tgz", member="c.txt")
    with pytest.raises(UserError, match="is no archive"):
        convert(b"1 2\n", member="a.txt")


TABLE = pa.table({"w": pa.array([5.0, 6.0]), "dst": [2, 3], "src": pa.array([1, 2], pa.int32())})
ROWS = {"indptr": [0, 0, 1, 2, 2], "indices": [2, 3], "data": np.array([5, 6], np.float32), "shape": [4, 4]}
FIELDS = [("weight", "f4"), ("source", "i8"), ("target", "u4")]
WHOLE = {
    "SciPy's csr": ("g.npz", npz(format=b"csr", **ROWS)),
    "SciPy's csr, packed": ("g.npz", saved(np.savez_compressed, format=b"csr", **ROWS)),
    "SciPy's csc": ("g.npz", npz(format=b"csc", **ROWS | {"indptr": [0, 0, 0, 1, 2], "indices": [1, 2]})),
    "SciPy's coo": ("g.npz", npz(format=b"coo", row=[1, 2], col=[2, 3], data=[5, 6], shape=[4, 4])),
    "offsets": ("g.npz", npz(offsets=np.float32([0, 0, 1, 2, 2]), targets=[2, 3], weights=np.float64([5, 6]))),
    "columns in npz": ("g.npz", npz(src=[1, 2], dst=[2, 3], weight=[5, 6])),
    "npy": ("g.npy", npy(np.array([[1, 2, 5], [2, 3, 6]]))),
    "npy of floats": ("g.npy", npy(np.array([[1, 2, 5], [2, 3, 6]], np.float32))),
    "npy with fields": ("g.npy", npy(np.array([(5, 1, 2), (6, 2, 3)], FIELDS))),
    "npy.gz": ("g.npy.gz", gzip.compress(npy(np.array([[1, 2, 5], [2, 3, 6]])))),
    "parquet": ("g.parquet", parquet(TABLE)),
}


@pytest.mark.parametrize("case", ARCHIVES | WHOLE)
def test_archives_arrays_and_columns(convert, case):
    name, content = (ARCHIVES | WHOLE)[case]
    states_direction = case in ARCHIVES or case.startswith("SciPy")
    graph = convert(content, name, **({} if states_direction else {"directed": True}))
    assert arcs(graph) == EXPECTED
    assert graph.weights.dtype == np.int32
    assert case in ARCHIVES or graph.metadata["format"] == name.removesuffix(".gz").rpartition(".")[2]


def test_a_symmetric_graph_of_another_program_needs_no_options(convert, capsys):
    """As the peers' graphs are stored: float32 weights, and the sources of their times."""
    rows = {"offsets": np.int32([0, 1, 3, 4]), "targets": np.int32([1, 0, 2, 1]), "weights": np.float32([5, 5, 6, 6])}
    graph = convert(npz(**rows, sources=np.int32([2, 0]), symmetric=True), "g.npz")
    assert arcs(graph) == {(0, 1): 5, (1, 0): 5, (1, 2): 6, (2, 1): 6}
    assert (graph.directed, graph.weights.dtype, graph.metadata["weights"]) == (False, np.int32, "file")
    assert graph.metadata["read"] == {"vertices": 3, "edges": 2}
    assert capsys.readouterr().err == "g: sources in the file, for the key sources of a study: [2, 0]\n"


def test_an_edge_index_has_two_rows(convert):
    content = npy(np.array([[1, 2, 3, 4], [5, 6, 7, 8]]))
    assert set(arcs(convert(content, "g.npy", directed=True))) == {(1, 5), (2, 6), (3, 7), (4, 8)}


def test_columns_of_parquet_by_the_catalogue(convert):
    graph = convert(*reversed(WHOLE["parquet"]), columns={"source": "dst", "target": "src"}, directed=True)
    assert set(arcs(graph)) == {(2, 1), (3, 2)}


def test_text_that_many_rows_have(convert, tmp_path):
    """Read as a dictionary: written out, it would take gigabytes."""
    column = pa.DictionaryArray.from_arrays(np.zeros(10**5, np.int32), ["x" * 10**5])
    table = pa.table({"u": column, "v": pa.array(["y", "z"] * 50_000)})
    convert(parquet(table), "g.parquet")
    assert [name[0] for name in csr.names(tmp_path / "out")] == ["x", "y", "z"]


def test_digits_beside_names_are_a_name(convert, tmp_path):
    convert(parquet(pa.table({"source": ["01", "02"], "target": ["02", "x"]})), "g.parquet")
    assert csr.names(tmp_path / "out") == ["01", "02", "x"]


@pytest.mark.parametrize("unused", ["ann", "7"])
@pytest.mark.parametrize("used", ["5", "bob"])
def test_names_that_no_row_uses_are_no_vertices(convert, tmp_path, used, unused):
    column = pa.DictionaryArray.from_arrays(np.zeros(1, np.int32), [used, unused])
    convert(parquet(pa.table({"u": column, "v": ["5"]})), "g.parquet")
    assert csr.names(tmp_path / "out") == (["5", "bob"] if used == "bob" else None)
    assert csr.read(tmp_path / "out").labels.tolist() == ([0, 1] if used == "bob" else [5])


def test_a_webgraph_is_named(tmp_path, convert):
    (tmp_path / "g.properties").write_text("#BVGraph properties\n")
    with pytest.raises(UserError, match="WebGraph of LAW, which is not read"):
        convert(bytes([0x01, 0x00, 0x80, 0x0A] * 99), "g.graph")


NAMED = {
    "csv": ("g.csv", "u,v,w\nbob,alice,5\nalice,Zoë,6\n"),
    "listed": ("g.txt", "bob alice 5\nalice Zoë 6\n"),
    "parquet": ("g.parquet", parquet(pa.table({"u": ["bob", "alice"], "v": ["alice", "Zoë"], "w": [5, 6]}))),
}


@pytest.mark.parametrize("case", NAMED)
def test_text_as_ids(convert, tmp_path, capsys, case):
    name, content = NAMED[case]
    keys = {"columns": ["source", "target", "weight"]} if case == "listed" else {}
    graph = convert(content, name, directed=True, **keys)
    assert csr.names(tmp_path / "out") == ["Zoë", "alice", "bob"]
    assert arcs(graph) == {(2, 1): 5, (1, 0): 6}
    assert "vertices are text, such as 'Zoë'" in capsys.readouterr().err


EXPORTED = {
    "directed": ("5 7 2\n7 9 3\n9 5 4\n", {"directed": True}),
    "undirected": ("5 7 2\n7 9 3\n", {"directed": False}),
    "loops": ("5 7 2\n7 7 3\n", {"directed": False, "clean": {"self_loops": "keep"}}),
    "fractions": ("5 7 2.5\n7 9 3\n", {"directed": True}),
    "names": ("u,v,w\nann,bob,2\nbob,eve,3\nx,y,4\n", {"directed": False, "clean": {"largest_component": True}}),
}


@pytest.mark.parametrize("suffix", export.FORMATS)
@pytest.mark.parametrize("case", EXPORTED)
def test_what_is_exported_reads_as_the_same_graph(convert, entry, tmp_path, suffix, case):
    content, keys = EXPORTED[case]
    graph = convert(content, "g.csv", **keys)
    path = tmp_path / f"back.{suffix}"
    export.export(tmp_path / "out", path)
    described = entry(path=str(path), clean=keys.get("clean", {}))
    prepare(described, described.path(), tmp_path / "again")
    again = csr.read(tmp_path / "again")
    assert again.directed == graph.directed
    assert (again.offsets.tolist(), again.targets.tolist()) == (graph.offsets.tolist(), graph.targets.tolist())
    assert again.weights.tolist() == graph.weights.tolist()
    if suffix != "mtx":
        assert again.labels.tolist() == graph.labels.tolist()
        assert csr.names(tmp_path / "again") == csr.names(tmp_path / "out")
        assert csr.names(tmp_path / "out") == (["ann", "bob", "eve"] if case == "names" else None)


def test_names_come_back_from_an_exported_table(tmp_path, entry, convert):
    """They are data: quoted where the format needs it, and not changed."""
    names = ['a"b', "c\td", "e\nf", "\x1b[2J\x07<b>\u202e\x9b"]
    table = pa.table({"u": names, "v": names[1:] + names[:1]})
    convert(parquet(table), "g.parquet")
    export.export(tmp_path / "out", tmp_path / "back.tsv")
    prepare(entry(path="back.tsv"), tmp_path / "back.tsv", tmp_path / "again")
    assert csr.names(tmp_path / "again") == csr.names(tmp_path / "out") == sorted(names)


def test_an_unknown_suffix_is_refused(tmp_path):
    with pytest.raises(UserError, match=r"\.npz, \.mtx, \.tsv"):
        export.export(tmp_path, "g.xyz")


TIMINGS = pa.table({"graph": ["g", "g", "h"], "algorithm": ["bfs/level"] * 3, "solve_ms": [1.0, 3.0, 5.0]})
DENSE = [[0, 2, 0], [0, 0, 3], [0, 0, 0]]
EXAMPLES = {  # by the library: variables of the example, and their values
    "pandas": (
        lambda found: (found["edges"].to_dict("list"), found["timings"]["solve_ms"].tolist()),
        ({"source": [5, 7], "target": [7, 9], "weight": [2, 3]}, [1, 3, 5]),
    ),
    "DuckDB": (
        lambda found: (sorted(found["times"].fetchall()), found["labels"].fetchall()),
        ([("g", "bfs/level", 2.0), ("h", "bfs/level", 5.0)], [(5,), (7,), (9,)]),
    ),
    "SciPy": (lambda found: found["matrix"].toarray().tolist(), DENSE),
    "CuPy": (lambda found: found["matrix"].toarray().tolist(), DENSE),
    "NetworkX": (lambda found: networkx.to_numpy_array(found["graph"]).tolist(), DENSE),
}


@pytest.mark.parametrize("library", EXAMPLES)
def test_examples_of_the_docs(convert, tmp_path, monkeypatch, library):
    """They run beside the files that they name. Without a GPU, NumPy and SciPy stand in for CuPy."""
    if library != "CuPy":
        pytest.importorskip(library.lower())
    convert("5 7 2\n7 9 3\n", "g.edges", directed=True)
    for name in ("graph.npz", "graph.mtx", "graph.tsv"):
        export.export(tmp_path / "out", tmp_path / name)
    for folder in ("results", "resources/graphs"):
        (tmp_path / folder).mkdir(parents=True)
    pq.write_table(TIMINGS, tmp_path / "results/timings.parquet")
    (tmp_path / "out").rename(tmp_path / "resources/graphs/rome99")
    blocks = re.findall(r"```python\n(.*?)```", (places.ROOT / "docs/data.md").read_text(), re.DOTALL)
    (text,) = [block for block in blocks if f"# {library}\n" in block]
    assert len(text.splitlines()) <= 5
    monkeypatch.chdir(tmp_path)
    if driver.version() is None:
        text = text.replace("cupyx.scipy", "scipy").replace("cupy", "numpy")
    variables = {}
    exec(text, variables)
    chosen, expected = EXAMPLES[library]
    assert chosen(variables) == expected
