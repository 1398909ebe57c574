"""All pairs where the matrix does not fit into the device's memory: rows go to the host, a batch at a time."""

from dataclasses import replace

import numpy as np
import pytest
import tiny_graphs
import trial

from warpath import algorithms
from warpath.runs import oracle

BATCHED = trial.ALGORITHMS["apsp/batched"]
GRAPHS = [
    tiny_graphs.GRAPHS["grid"],
    tiny_graphs.GRAPHS["zero_weights"],
    tiny_graphs.random(700, 2500, directed=True, seed=4),
    tiny_graphs.random(600, 900, directed=False, seed=5),
]


@pytest.fixture
def small_device(monkeypatch):
    monkeypatch.setattr(trial.device_of_kind("host"), "memory", 1000, raising=False)
    monkeypatch.setitem(BATCHED.prepare.__globals__, "SLAB", 1000)


@pytest.mark.parametrize("weights", ["own", "unit"])
@pytest.mark.parametrize("graph", GRAPHS, ids=lambda graph: graph.name)
def test_rows_stream_to_the_host(small_device, graph, weights):
    graph = graph if weights == "own" else replace(graph, weights=np.ones_like(graph.weights))
    solution, launches = trial.solve(BATCHED, graph)
    rows, right, _ = oracle.compute(graph, "apsp", 0, seed=1)
    np.testing.assert_array_equal(solution.distance[rows], right)
    assert launches >= -(-graph.vertices // 512)


@pytest.mark.parametrize("kind", ["host", pytest.param("cuda", marks=pytest.mark.gpu)])
def test_the_warps_of_a_block_share_the_arcs_of_hubs(monkeypatch, kind):
    monkeypatch.setitem(BATCHED.prepare.__globals__, "HUB", 7)
    graph = tiny_graphs.lattice(20, 30, hub=333)
    graph = replace(graph, weights=np.ones_like(graph.weights))
    solution, _ = trial.solve(BATCHED, graph, kind=kind)
    rows, right, _ = oracle.compute(graph, "apsp", 0, seed=1)
    np.testing.assert_array_equal(solution.distance[rows], right)


@pytest.mark.parametrize("weights", ["own", "unit"])
def test_some_rows_do_not_take_memory_for_all_rows(small_device, monkeypatch, weights):
    def refuse(vertices):
        raise MemoryError(f"no room for {vertices} rows")

    monkeypatch.setitem(BATCHED.prepare.__globals__, "answer_matrix", refuse)
    graph = GRAPHS[2] if weights == "own" else replace(GRAPHS[2], weights=np.ones_like(GRAPHS[2].weights))
    sources = [699, 0, 350]
    solution, _ = trial.solve(BATCHED, graph, sources)
    rows, right, _ = oracle.compute(graph, "apsp", 0, seed=1)
    np.testing.assert_array_equal(solution.distance, right[np.searchsorted(rows, sources)])
    with pytest.raises(MemoryError, match="no room for 700 rows"):
        trial.solve(BATCHED, graph)


def test_an_answer_too_large_for_the_host_is_refused_at_once():
    with pytest.raises(MemoryError, match="the answer takes 4e\\+07 GB and the host has"):
        algorithms.answer_matrix(10**8)
