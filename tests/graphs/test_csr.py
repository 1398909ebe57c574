"""A graph loads exactly as it was written, or not at all."""

import json
import multiprocessing
import random
import shutil
import time

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_graphs import from_edges

from warpath.base import parquet
from warpath.base.errors import UserError
from warpath.graphs import catalogue, csr
from warpath.graphs.prepare import prepare

ENDS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 99)), max_size=30)


def example(edges=((0, 1, 5), (1, 2, 7)), **keys):
    tails, targets, weights = np.array(list(edges) or np.empty((0, 3)), np.int64).reshape(-1, 3).T
    return from_edges("g", tails, targets, weights, **{"vertices": 10, **keys})


def test_the_disk_is_asked_for_room_before_anything_is_written(convert, monkeypatch, tmp_path):
    monkeypatch.setattr(csr.shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(9, 4, 5))
    with pytest.raises(UserError, match=r"out: No space left on device: g needs \d+ bytes or more, 5 are free"):
        convert("1 2\n")
    assert not any((tmp_path / "out").iterdir())


@settings(max_examples=40, deadline=None)
@given(ENDS, st.booleans())
def test_round_trip(tmp_path_factory, edges, directed):
    graph, folder = example(edges, directed=directed), tmp_path_factory.mktemp("g")
    csr.write(graph, folder)
    loaded = csr.read(folder)
    for name in ("offsets", "targets", "weights", "labels"):
        before, after = getattr(graph, name), getattr(loaded, name)
        assert before.dtype == after.dtype and np.array_equal(before, after)
    assert (loaded.name, loaded.directed, loaded.arcs) == ("g", directed, len(graph.targets))
    assert csr.digest(loaded) == loaded.metadata["digest"] == csr.metadata(folder)["digest"]


def test_many_arcs_are_in_groups_of_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "ROWS_PER_GROUP", 100)
    rng = np.random.default_rng(1)
    graph = from_edges("g", *rng.integers(0, 50, (2, 5000)), rng.integers(0, 9, 5000), vertices=50, directed=True)
    csr.write(graph, tmp_path)
    assert pq.read_metadata(tmp_path / csr.EDGES).num_row_groups == -(-graph.arcs // 100)
    assert csr.digest(csr.read(tmp_path)) == csr.digest(graph)


def test_the_layout_is_as_documented(tmp_path):
    csr.write(example(), tmp_path)
    vertices, edges = (pq.read_schema(tmp_path / name) for name in (csr.VERTICES, csr.EDGES))
    assert {field.name: str(field.type) for field in vertices} == {"label": "int64", "offset": "int64"}
    assert {field.name: str(field.type) for field in edges} == {"target": "int32", "weight": "int32"}
    described = json.loads(vertices.metadata[b"warpath"])
    assert described == json.loads(edges.metadata[b"warpath"])
    assert (described["vertices"], described["arcs"], described["layout"]) == (10, 4, csr.LAYOUT)


@pytest.mark.parametrize("name", [csr.VERTICES, csr.EDGES])
def test_any_damage_is_noticed(tmp_path, name):
    rng = np.random.default_rng(1)
    csr.write(from_edges("g", *rng.integers(0, 50, (2, 900)), vertices=50), tmp_path)
    whole = csr.digest(csr.read(tmp_path))
    vertices, content = (tmp_path / csr.VERTICES).read_bytes(), (tmp_path / name).read_bytes()

    def loaded(damaged):
        (tmp_path / csr.VERTICES).write_bytes(vertices)
        (tmp_path / name).write_bytes(damaged)
        return csr.digest(csr.read(tmp_path))

    noticed = 0
    for place in random.Random(1).sample(range(len(content)), 60):
        damaged = bytearray(content)
        damaged[place] ^= 0xFF
        try:
            assert loaded(damaged) == whole  # an unused byte, such as the writer's version
        except UserError as error:
            assert str(tmp_path) in str(error)
            noticed += 1
    assert noticed > 40
    for length in (0, 3, len(content) // 2, len(content) - 1):
        with pytest.raises(UserError, match=name):
            loaded(content[:length])
    (tmp_path / name).unlink(missing_ok=True)
    with pytest.raises(UserError, match="no such file"):
        csr.read(tmp_path)


def test_files_of_another_conversion_or_layout_do_not_load(tmp_path, monkeypatch):
    for name, weight in (("a", 1), ("b", 2)):
        csr.write(example([(0, 1, weight)]), tmp_path / name)
    (tmp_path / "a" / csr.EDGES).replace(tmp_path / "b" / csr.EDGES)
    with pytest.raises(UserError, match="another conversion"):
        csr.read(tmp_path / "b")
    csr.write(example(), tmp_path)
    monkeypatch.setattr(csr, "LAYOUT", 99)
    with pytest.raises(UserError, match="layout 1, not 99"):
        csr.read(tmp_path)


def convert_forever(entries, folder):
    while True:
        for entry in entries:
            prepare(entry, [], folder)


def test_a_killed_conversion_never_leaves_a_graph_that_loads(tmp_path):
    """Two graphs are converted into one folder in turn. After a kill at any time, a graph that loads is one of them."""
    recipe = "{generator: {kind: uniform, vertices: 50000, edges: 200000, seed: %d}}"
    (tmp_path / "g.yaml").write_text(f"a: {recipe % 1}\nb: {recipe % 2}\n")
    entries = catalogue.load(tmp_path / "g.yaml").values()
    digests = {prepare(entry, [], tmp_path / entry.name)["digest"] for entry in entries}
    chance, loaded, kills = random.Random(5), 0, 0
    while kills < 10 or (loaded == kills and kills < 100):
        kills += 1
        process = multiprocessing.get_context("fork").Process(target=convert_forever, args=(entries, tmp_path / "out"))
        process.start()
        time.sleep(chance.uniform(0, 0.4))
        process.kill()
        process.join()
        try:
            graph = csr.read(tmp_path / "out")
        except UserError:
            continue
        loaded += 1
        assert graph.metadata["digest"] in digests
        assert csr.digest(graph) == graph.metadata["digest"]
    assert loaded < kills, "no kill came in the middle of a conversion"
