"""eliminated with parts on several levels, beyond the device's memory, and on graphs that it refuses."""

import sys
import types

import numpy as np
import pytest
import tiny_graphs
import trial

from warpath.base.errors import UserError
from warpath.devices.errors import UnsupportedLaunch
from warpath.runs import oracle

ELIMINATED = trial.ALGORITHMS["apsp/eliminated"]
OF_FILE = ELIMINATED.prepare.__globals__
LATTICE = tiny_graphs.lattice(12, 12)
GRAPHS = [
    LATTICE,
    tiny_graphs.lattice(5, 60, hub=140),
    tiny_graphs.random(300, 420, directed=True, seed=4),
    tiny_graphs.random(300, 340, directed=False, seed=5),
    *tiny_graphs.GRAPHS.values(),
]


@pytest.fixture
def small_parts(monkeypatch):
    for name, value in {"PART": 4, "PART_ABOVE": 8, "DENSE": 16, "SHRINKS": 0.9, "MOST": 1e9}.items():
        monkeypatch.setitem(OF_FILE, name, value)


def check(graph, kind="host"):
    solution, launches = trial.solve(ELIMINATED, graph, kind=kind)
    rows, right, _ = oracle.compute(graph, "apsp", 0, seed=1)
    np.testing.assert_array_equal(solution.distance[rows], right)
    return solution, launches


@pytest.mark.parametrize("kind", ["host", pytest.param("cuda", marks=pytest.mark.gpu)])
@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.name)
def test_small_parts(small_parts, graph, kind):
    check(graph, kind)


def test_levels(small_parts):
    solution, _ = check(LATTICE)
    assert solution.iterations > 3


@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.name)
def test_rows_stream_to_the_host(small_parts, monkeypatch, graph):
    _, launches = check(graph) if graph is LATTICE else (None, 0)
    monkeypatch.setattr(trial.device_of_kind("host"), "memory", 1000, raising=False)
    monkeypatch.setitem(OF_FILE, "SLAB", 4 * 32 * graph.vertices)
    _, in_slabs = check(graph)
    assert in_slabs > launches


def test_an_answer_that_fits_nowhere_is_refused_before_the_graph_is_divided(monkeypatch):
    monkeypatch.setattr(trial.device_of_kind("host"), "memory", 1000, raising=False)
    monkeypatch.setitem(OF_FILE, "dissect", None)
    monkeypatch.setattr("warpath.base.processor.free_bytes", lambda: 1000)
    with pytest.raises(MemoryError, match="the answer takes"):
        trial.solve(ELIMINATED, LATTICE)


def test_a_boundary_larger_than_what_registers_hold():
    """In a complete bipartite graph the separators are one side, all of it on the boundary of every part."""
    side = 70
    ends = np.repeat(np.arange(side), side), np.tile(np.arange(side, 2 * side), side)
    graph = tiny_graphs.from_edges("bipartite", *ends, np.random.default_rng(1).integers(0, 100, side**2))
    arcs = np.repeat(np.arange(2 * side), side), graph.targets.astype(np.int64)
    boundary = OF_FILE["dissect"]("bipartite", 2 * side, *arcs).boundary
    assert np.bincount(boundary // (2 * side)).max() == side
    check(graph)


def test_every_path_between_parts_passes_a_boundary(small_parts):
    tails = np.repeat(np.arange(LATTICE.vertices), np.diff(LATTICE.offsets))
    front, firsts, boundary = OF_FILE["dissect"]("lattice", LATTICE.vertices, tails, LATTICE.targets.astype(np.int64))
    assert len(firsts) > 3
    on_boundary = set(boundary.tolist())
    for tail, head in zip(front[tails], LATTICE.targets, strict=True):
        assert tail >= front[head] or tail * LATTICE.vertices + head in on_boundary


def test_a_graph_with_large_separators_is_refused_before_anything_is_allocated(monkeypatch):
    graph = tiny_graphs.random(400, 4000, directed=False, seed=8)
    monkeypatch.setitem(OF_FILE, "DENSE", 100)
    monkeypatch.setitem(OF_FILE, "MOST", 50)
    monkeypatch.setitem(OF_FILE, "lay_out", None)
    with pytest.raises(UnsupportedLaunch, match=r"_400 has large separators, .* of 400 .*use apsp/batched$"):
        trial.solve(ELIMINATED, graph)


@pytest.mark.parametrize(("arcs", "directed"), [(2**30, True), (2**31, False)])
def test_a_graph_beyond_the_numbers_of_metis_is_refused_before_anything_is_allocated(arcs, directed):
    graph = types.SimpleNamespace(name="vast", vertices=10**5, arcs=arcs, directed=directed)
    with pytest.raises(UnsupportedLaunch, match=r"^graph vast has 2,147,483,648 arcs, .* METIS, .* use apsp/batched$"):
        ELIMINATED.prepare(None, graph, None)


def test_without_metis(monkeypatch):
    monkeypatch.setitem(sys.modules, "pymetis", None)
    with pytest.raises(UserError, match="needs pymetis, which is not installed"):
        trial.solve(ELIMINATED, LATTICE)
