"""Input that would take more memory or time than its size allows."""

import gzip
import re
from unittest import mock

import numpy as np
import pyarrow as pa
import pytest
from graphs.test_formats import MTX, parquet, saved, tar

from warpath import cli
from warpath.base import processor
from warpath.base.errors import UserError
from warpath.graphs.readers import text


@pytest.fixture
def prepared(tmp_path, convert, monkeypatch):
    """Prepare a file on a machine with 4 GB of free memory."""
    monkeypatch.setattr(processor, "free_bytes", lambda: 4 * 10**9)
    return lambda content, **keys: convert(content, "g", **keys)


LARGE = {  # unpacked content that needs more than 40 kB
    "gzip of lines": (gzip.compress(b"1 2\n" * 9999), "the edges after line 0"),
    "gzip of one line": (gzip.compress(b"1" * 99_999), "a line of more than"),
    "tar.gz": (gzip.compress(tar({"g.mtx": MTX + "1 2 3\n" * 9999})), "the edges after line 2"),
    "csv": (b"u,v\n" + b"1,2\n" * 9999, "the edges after line 1"),
    "npz": (saved(np.savez_compressed, offsets=np.arange(9999), targets=np.zeros(9998, np.int32)), "unpacked bytes"),
    "npy": (saved(np.save, np.ones((9999, 2), np.int64)), "9,999 edges"),
    "npy.gz": (gzip.compress(saved(np.save, np.ones((9999, 2), np.int64))), "unpacked bytes"),
    "parquet": (parquet(pa.table({name: np.ones(9999, np.int64) for name in "uv"})), "9,999 rows of 2 columns"),
    "names": (parquet(pa.table({"u": list(map(str, range(500))), "v": ["y"] * 500})), "501 vert"),
    "dimacs": (b"p sp 2147483647 1\na 1 2 3\n", "2,147,483,647 vertices"),
}


@pytest.mark.parametrize("case", LARGE)
def test_memory_is_asked_for_before_it_is_taken(prepared, monkeypatch, case):
    content, words = LARGE[case]
    monkeypatch.setattr(processor, "free_bytes", lambda: 40_000)
    monkeypatch.setattr(text, "BLOCK", 4096 if "line" in words and "more" in words else text.BLOCK)
    with pytest.raises(UserError, match=rf"{words}.*: needs \d+\.\d GB of memory, and 0\.0 GB are available$"):
        prepared(content)


def test_a_header_is_compared_with_the_lines_before_memory_is_taken(prepared):
    with pytest.raises(UserError, match="says 2,147,483,647 vertices, but there are lines for 2"):
        prepared(b"2147483647 1\n2\n1\n", format="metis")


def test_memory_that_is_refused_nevertheless_is_one_line(tmp_path, monkeypatch, capsys):
    refuse = mock.Mock(side_effect=MemoryError("Unable to allocate 9 GiB"))
    monkeypatch.setattr("warpath.graphs.prepare.prepare", refuse)
    (tmp_path / "c.yaml").write_text("g: {generator: {kind: path, vertices: 4}}")
    assert cli.main(["prepare", "g", "--catalogue", str(tmp_path / "c.yaml")]) == 2
    line = r"warpath: g: no memory \(Unable to allocate 9 GiB\); .* GB are available\n"
    assert re.fullmatch(line, capsys.readouterr().err)


def test_memory_is_that_of_the_control_group(tmp_path):
    (tmp_path / "cgroup").write_text("1:cpu:/other\n0::/job/step\n")
    group = tmp_path / "fs" / "job"
    (group / "step").mkdir(parents=True)
    for file, content in {"current": "700\n", "max": "1000\n", "stat": "anon 400\ninactive_file 200\n"}.items():
        (group / f"memory.{file}").write_text(content)
    assert list(processor._free_in_groups(tmp_path / "cgroup", tmp_path / "fs")) == [500]
    (group / "memory.max").write_text("max\n")
    assert list(processor._free_in_groups(tmp_path / "cgroup", tmp_path / "fs")) == []
    assert list(processor._free_in_groups(tmp_path / "absent")) == []


@pytest.mark.parametrize("line", [b"1" * 3_000_000, b"1 " * 1_500_000, b"1," * 1_500_000], ids=["word", "words", "csv"])
def test_a_long_line_takes_linear_time(tmp_path, monkeypatch, line):
    """Counted in bytes of buffers: a block at a time with all before it, they would be hundreds of times more."""
    monkeypatch.setattr(text, "BLOCK", 4096)
    sizes = []
    monkeypatch.setattr(text, "bytearray", lambda size=0: sizes.append(size) or bytearray(size), raising=False)
    (tmp_path / "g").write_bytes(line + b"\n2 3\n")
    assert text.Text(tmp_path / "g").take() == line
    assert len(line) < sum(sizes) < 4 * len(line)
