"""A file that is replaced by another one makes its graph due, whatever the dates."""

import os

import pytest

from warpath.graphs import catalogue

OLD = 1_600_000_000
CASES = {  # what is done to g.txt, and whether its graph is due
    "other content with an old date": (lambda file, other: other.rename(file), True),
    "a link to another file": (lambda file, other: (file.unlink(), file.symlink_to(other)), True),
    "the same content again": (lambda file, other: (other.write_text(file.read_text()), other.rename(file)), False),
    "no file": (lambda file, other: file.unlink(), False),
}


@pytest.mark.parametrize("case", CASES)
def test_other_content_makes_a_graph_due(tmp_path, convert, entry, case):
    convert("1 2\n2 3\n")
    (replace, is_due), file, other = CASES[case], tmp_path / "g.txt", tmp_path / "other.txt"
    (tmp_path / "outcome").touch()
    os.utime(tmp_path / "outcome", (OLD + 1, OLD + 1))
    other.write_text("1 2\n3 4\n")
    replace(file, other)
    if file.exists():
        os.utime(file, (OLD, OLD))
    graph = entry(path=str(file))
    assert graph.has_other_files(tmp_path / "out", tmp_path / "outcome") == is_due
    assert not graph.has_other_files(tmp_path / "out", tmp_path / "absent")


def test_a_file_that_was_not_touched_since_is_not_read(tmp_path, convert, entry, monkeypatch):
    convert("1 2\n")
    (tmp_path / "outcome").touch()
    monkeypatch.setattr(catalogue, "sha256", None)
    assert not entry(path=str(tmp_path / "g.txt")).has_other_files(tmp_path / "out", tmp_path / "outcome")
