"""Prepared graphs stay valid, unless a file is replaced: recipes and metadata of existing graphs do not change."""

import hashlib
import json
import os
from pathlib import Path

import pytest

from warpath.base import places
from warpath.graphs import catalogue, csr, library
from warpath.graphs.prepare import prepare

METADATA = """
{"read": {"vertices": 3353, "edges": 8870}, "format": "dimacs", "weights": "file", "cleaning": [{"step": "self-loops
 dropped", "count": 0}, {"step": "duplicates merged", "count": 11}, {"step": "weights: file", "count": 8859}], "source":
 "DIMACS 9", "url": null, "generator": null, "stand_in_for": null, "layout": 1, "name": "rome99", "vertices": 3353,
 "arcs": 8859, "directed": true, "files": {"rome99.gr":
 "cbc914b1d02327c2ea788b6f68a332995feadbdc97c1c7890c5e6272152f099d"}, "digest":
 "a3717b7def7bbcab5f2c1e810a39f021f9b426db3bd04fb564efc42a9d89d002"}
""".replace("\n", "")


def test_all_recipes_stay(entries):
    """Entries may be added, to recipes.txt too; those that exist are never prepared again."""
    for line in Path(__file__).with_name("recipes.txt").read_text().splitlines():
        name, digest = line.split()
        assert hashlib.sha256(entries[name].recipe.encode()).hexdigest()[:16] == digest, name


def test_bundled_graphs_have_their_counts_and_metadata_stay(entries, tmp_path):
    for entry in (bundled := [entry for entry in entries.values() if entry.kind == "local"]):
        metadata = prepare(entry, places.ROOT / entry.path(), tmp_path / entry.name)
        assert metadata["read"] == entry.published and entry.expected
    assert len(bundled) >= 3 and json.dumps(csr.metadata(tmp_path / "rome99")) == METADATA


def test_a_prepared_graph_shows_no_credentials(entry, tmp_path):
    described = entry(url="https://me:hidden@x.org/g.txt?token=hidden", also=[{"url": "https://hidden@y.org/g.txt"}])
    assert "hidden" in described.url and "hidden" not in described.recipe
    (tmp_path / "g.txt").write_text("1 2\n")
    prepare(described, tmp_path / "g.txt", tmp_path / "out")
    content = b"".join(path.read_bytes() for path in (tmp_path / "out").iterdir())
    assert b"https://***@x.org/g.txt?token=***" in content and b"hidden" not in content


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
    assert graph.has_another_file(tmp_path / "out", tmp_path / "outcome") == is_due
    assert not graph.has_another_file(tmp_path / "out", tmp_path / "absent")


def test_a_file_that_was_not_touched_since_is_not_read(tmp_path, convert, entry, monkeypatch):
    convert("1 2\n")
    (tmp_path / "outcome").touch()
    monkeypatch.setattr(catalogue, "sha256", None)
    assert not entry(path=str(tmp_path / "g.txt")).has_another_file(tmp_path / "out", tmp_path / "outcome")


def test_a_graph_of_text_needs_what_is_compiled_side_by_side_and_nothing_else(convert, monkeypatch):
    used, load = set(), library.load
    monkeypatch.setattr(library, "load", lambda name: used.add(name) or load(name))
    library.load_usual()
    usual = set(used)
    convert("0 1\n1 2\n")
    assert used == usual and not usual & {"gap", "parse_others"}
