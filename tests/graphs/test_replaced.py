"""A file that is replaced by another one makes its graph due, whatever the dates."""

import os

import pytest

from warpath.graphs import csr, replaced

OLD = 1_600_000_000


@pytest.fixture
def due(tmp_path, convert, entry):
    """Whether Snakemake, which compares dates, prepares the graph of g.txt again."""
    convert("1 2\n2 3\n")
    file, graph = tmp_path / "g.txt", tmp_path / "out" / csr.VERTICES

    def is_due():
        replaced.make_due(entry(path=str(file)), tmp_path / "out")
        return graph.stat().st_mtime < file.stat().st_mtime

    os.utime(file, (OLD, OLD))
    os.utime(graph, (OLD + 1, OLD + 1))
    return is_due


def put(path, text):
    path.write_text(text)
    os.utime(path, (OLD, OLD))


def test_other_content_with_an_old_date_makes_the_graph_due(tmp_path, due):
    put(tmp_path / "other.txt", "1 2\n3 4\n")
    (tmp_path / "other.txt").rename(tmp_path / "g.txt")
    assert due()


def test_the_same_content_copied_again_does_not(tmp_path, due):
    put(tmp_path / "g.txt", "1 2\n2 3\n")
    assert not due()


def test_a_link_that_leads_to_another_file_does(tmp_path, due):
    put(tmp_path / "other.txt", "1 2\n3 4\n")
    (tmp_path / "g.txt").unlink()
    (tmp_path / "g.txt").symlink_to("other.txt")
    assert due()


def test_a_missing_file_or_graph_is_left_to_the_job_that_reads_it(tmp_path, due, entry):
    (tmp_path / "g.txt").unlink()
    replaced.make_due(entry(path=str(tmp_path / "g.txt")), tmp_path / "out")
    replaced.make_due(entry(path=str(tmp_path / "out")), tmp_path / "none")


def test_a_file_that_was_not_touched_since_is_not_read(tmp_path, due, monkeypatch):
    (tmp_path / "out" / csr.VERTICES).touch()
    monkeypatch.setattr(replaced, "sha256", None)
    assert not due()
