"""Prepared graphs stay valid: neither the recipes nor the metadata of existing graphs change."""

import hashlib
import json

import pytest

from warpath.base import places, settings
from warpath.graphs import catalogue, csr
from warpath.graphs.prepare import prepare

# The 217 graphs that stand in for none, and the 27 stand-ins.
OTHER_RECIPES = "e464540b957ca9d7e7a101d79e1e065f9f76f619c22500a110ba195fbcb2f9b1"
STAND_INS = "b473efcf3e9331d50bb4434ad7dce4e9b3828fe352caa428af2fb0648836c52b"
METADATA = """
{"read": {"vertices": 3353, "edges": 8870}, "format": "dimacs", "weights": "file", "cleaning": [{"step": "self-loops
 dropped", "count": 0}, {"step": "duplicates merged", "count": 11}, {"step": "weights: file", "count": 8859}], "source":
 "DIMACS 9", "url": null, "generator": null, "stand_in_for": null, "layout": 1, "name": "rome99", "vertices": 3353,
 "arcs": 8859, "directed": true, "files": {"rome99.gr":
 "cbc914b1d02327c2ea788b6f68a332995feadbdc97c1c7890c5e6272152f099d"}, "digest":
 "a3717b7def7bbcab5f2c1e810a39f021f9b426db3bd04fb564efc42a9d89d002"}
""".replace("\n", "")


@pytest.fixture(scope="module")
def entries():
    return catalogue.load(settings.GRAPHS)


def test_all_recipes_stay(entries):
    """Entries may be added; those that exist are never prepared again."""
    stand_ins = {name for name, entry in entries.items() if entry.stand_in_for}
    for names, expected in ((entries.keys() - stand_ins, OTHER_RECIPES), (stand_ins, STAND_INS)):
        recipes = "".join(f"{name}={entries[name].recipe}\n" for name in sorted(names))
        assert hashlib.sha256(recipes.encode()).hexdigest() == expected


def test_metadata_stay(entries, tmp_path):
    entry = entries["rome99"]
    prepare(entry, [places.ROOT / path for path in entry.inputs()], tmp_path)
    assert json.dumps(csr.metadata(tmp_path)) == METADATA


def test_a_prepared_graph_shows_no_credentials(entry, tmp_path):
    described = entry(url="https://me:hidden@x.org/g.txt?token=hidden", also=[{"url": "https://hidden@y.org/g.txt"}])
    assert "hidden" in described.url and "hidden" not in described.recipe
    (tmp_path / "g.txt").write_text("1 2\n")
    prepare(described, [tmp_path / "g.txt"], tmp_path / "out")
    content = b"".join(path.read_bytes() for path in (tmp_path / "out").iterdir())
    assert b"https://***@x.org/g.txt?token=***" in content and b"hidden" not in content
