"""The right answers agree with answers worked out by hand and by the most naive code."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components
from small_graphs import from_edges

from warpath.algorithms import UNREACHABLE
from warpath.algorithms.peers import graphs
from warpath.base.errors import UserError
from warpath.base.problems import PROBLEMS
from warpath.graphs import breadth_first
from warpath.runs import judge, oracle, sources
from warpath.runs.sources import choose_sources


def naive(graph, unit):
    """Floyd-Warshall in plain Python: all distances, slowly."""
    n = graph.vertices
    distance = [[0 if u == v else UNREACHABLE for v in range(n)] for u in range(n)]
    for u in range(n):
        for arc in range(graph.offsets[u], graph.offsets[u + 1]):
            v, w = int(graph.targets[arc]), 1 if unit else int(graph.weights[arc])
            distance[u][v] = min(distance[u][v], w) if u != v else 0
    for k, u, v in itertools.product(range(n), repeat=3):
        distance[u][v] = min(distance[u][v], distance[u][k] + distance[k][v])
    return np.minimum(distance, UNREACHABLE)


def random_graph(seed, vertices=12, arcs=25, directed=True, weights=(1, 20)):
    draw = np.random.default_rng(seed)
    ends = draw.integers(0, vertices, (2, arcs))
    return from_edges("random", *ends, draw.integers(*weights, arcs), vertices, directed)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_row_equals_plain_python(problem, seed, directed):
    graph = random_graph(seed, directed=directed)
    rows, distance, _ = oracle.compute(graph, problem, list(range(graph.vertices)), seed=1)
    assert rows == list(range(graph.vertices))
    np.testing.assert_array_equal(distance, naive(graph, unit=problem == "bfs"))


def test_all_pairs_of_a_large_graph_takes_rows_spread_evenly(monkeypatch):
    monkeypatch.setattr(oracle, "CHECKED_ROWS", 5)
    rows, distance, _ = oracle.compute(random_graph(3), "apsp", 4, seed=1)
    assert rows == [0, 2, 5, 8, 11]
    assert distance.shape == (5, 12)


@pytest.mark.parametrize(
    ("graph", "answer"),
    [
        (from_edges("zero", [0, 1], [1, 2], [0, 5], directed=True), [0, 0, 5]),
        (from_edges("one vertex", [], [], vertices=1), [0]),
        (from_edges("no arcs", [], [], vertices=3), [0, UNREACHABLE, UNREACHABLE]),
        (from_edges("long", [0, 1], [1, 2], [2**30, 2**30], directed=True), [0, 2**30, UNREACHABLE]),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_special_answers(graph, answer):
    _, (distance,), longest = oracle.compute(graph, "sssp", [0], seed=1)
    assert distance.tolist() == answer
    assert longest == (2**31 if graph.name == "long" else max(each for each in answer if each < UNREACHABLE))


@pytest.mark.parametrize(
    ("edges", "directed", "candidates"),
    [
        # a cycle of four that a long tail leads into: a search from the tail would reach more than one from the cycle
        (([0, 1, 2, 3, 9, 8, 7, 6, 5, 4], [1, 2, 3, 0, 8, 7, 6, 5, 4, 0]), True, {0, 1, 2, 3}),
        (([0, 0, 1, 7], [1, 2, 3, 8]), True, {0, 1}),  # without a cycle: with arcs, of the largest weak component
        (([0, 0, 0, 4, 5, 6, 7, 8], [1, 2, 3, 5, 6, 7, 8, 9]), False, {4, 5, 6, 7, 8, 9}),  # the hub is in the other
    ],
    ids=["cycle", "tree", "hub outside"],
)
def test_sources_are_seeded_and_of_the_largest_component(edges, directed, candidates):
    graph = from_edges("some", *edges, directed=directed)
    drawn = choose_sources(graph, 9, seed=1)
    assert set(drawn) == candidates
    assert choose_sources(graph, 2, seed=1) == drawn[:2]


@pytest.mark.parametrize("seed", range(10))
def test_one_search_finds_the_same_largest_component_as_numbering_all(monkeypatch, seed):
    graph = random_graph(seed, vertices=60, arcs=20 + 6 * seed, directed=False)
    numbered = connected_components(graphs.scipy(graph, weighted=False), connection="strong")[1]
    largest = np.flatnonzero(numbered == np.bincount(numbered).argmax())
    np.testing.assert_array_equal(sources._largest_component(graph, "strong"), largest)
    if seed > 4:
        monkeypatch.setattr(graphs, "scipy", None)
        np.testing.assert_array_equal(sources._largest_component(graph, "strong"), largest)


def test_sources_by_label():
    graph = replace(random_graph(1), labels=np.arange(12) * 10)
    assert choose_sources(graph, [110, 0], seed=1) == [11, 0]
    with pytest.raises(UserError, match="random has no vertex labelled 5"):
        choose_sources(graph, [5], seed=1)


@pytest.fixture
def written(tmp_path):
    """Return a function that computes right answers and writes them; it returns them and the file."""

    def write(**options):
        graph, file = random_graph(1), tmp_path / "sssp.parquet"
        computed = oracle.compute(graph, "sssp", 3, seed=1, **options)
        oracle.write(file, graph, "sssp", *computed)
        return computed, file

    return write


@pytest.mark.parametrize(("seconds", "by"), [(5, "scipy"), (0, "certificate")])
def test_an_oracle_file_gives_back_what_was_written(written, seconds, by):
    (rows, distance, longest), file = written(scipy_seconds=seconds)
    answers = oracle.read(file)
    assert (answers.sources, answers.longest, answers.judge, answers.right) == (rows, longest, by, {})
    assert (answers.distance is None) == (distance is None) == (by == "certificate")
    np.testing.assert_array_equal(answers.distance, distance)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("problem", ["bfs", "sssp"])
def test_a_certificate_judges_where_a_bound_shows_that_distances_fit(problem, seed, directed):
    graph = random_graph(seed, vertices=50, arcs=80, directed=directed, weights=(0, 2**26))
    labels = [0, 7, 30, 49]
    rows, distance, bound = oracle.compute(graph, problem, labels, seed=1, scipy_seconds=0)
    assert (rows, distance) == (labels, None)
    assert oracle.compute(graph, problem, labels, seed=1)[2] <= bound < UNREACHABLE


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("last", [2**30 - 1, 2**30])
def test_scipy_judges_where_no_bound_shows_that_distances_fit(directed, last):
    graph = from_edges("long", [0, 1], [1, 2], [2**30, last], directed=directed)
    _, distance, longest = oracle.compute(graph, "sssp", [0], seed=1, scipy_seconds=0)
    assert distance.tolist() == [[0, 2**30, min(2**30 + last, UNREACHABLE)]]
    assert longest == 2**30 + last


def test_graphs_that_neither_a_bound_nor_scipy_can_judge_are_refused(monkeypatch):
    monkeypatch.setattr(oracle, "MOST_ARCS", 1)
    graph = from_edges("long", [0, 1], [1, 2], [2**30, 2**30], directed=True)
    with pytest.raises(UserError, match=r"^long: no bound shows that distances fit 31 bits, and SciPy, .* 1 of 2 arcs"):
        oracle.compute(graph, "sssp", [0], seed=1, scipy_seconds=0)


def test_scipy_judges_all_pairs():
    assert oracle.compute(random_graph(1), "apsp", 1, seed=1, scipy_seconds=0)[1] is not None


@pytest.mark.parametrize(
    ("graph", "bound"),
    [
        (from_edges("path", range(9), range(1, 10), [7] * 9, directed=True), 9 * 7),
        (from_edges("path", range(9), range(1, 10), [7] * 9), 9 * 7),
        (from_edges("no path through all fits", [0, 1, 2], [4, 2, 3], [1, 2**29, 2**29], 5), 2**30),
    ],
    ids=["directed", "undirected", "levels"],
)
def test_rows_that_were_not_computed_are_bounded(monkeypatch, graph, bound):
    monkeypatch.setattr(oracle, "CHECKED_ROWS", 2)
    assert oracle.compute(graph, "apsp", 1, 1)[2] == bound


@pytest.mark.parametrize("at_once", [1, 2, 100])
def test_arcs_visited_counts_the_arcs_of_reached_vertices(monkeypatch, at_once):
    monkeypatch.setattr(oracle, "COUNTED", at_once)
    graph = from_edges("two", [0, 1, 2, 2], [1, 0, 3, 4], directed=True)
    reached = oracle.compute(graph, "bfs", [0], 1)[1][0]
    assert oracle.arcs_visited(graph.offsets, reached) == 2


@pytest.mark.parametrize("slices", [1, 7, 256])
@pytest.mark.parametrize("directed", [True, False])
def test_searches_from_many_vertices_find_the_deepest_level(monkeypatch, slices, directed):
    monkeypatch.setattr(breadth_first.library, "SLICES", slices)
    graph = random_graph(4, vertices=200, arcs=400, directed=directed)
    rows = list(range(0, 200, 2))
    levels = np.stack(oracle.compute(graph, "bfs", rows, 1)[1])
    deepest = levels[levels < UNREACHABLE].max()
    assert breadth_first.depth(graph, rows, deepest) == deepest
    assert breadth_first.depth(graph, rows, deepest - 1) is None


def test_trees_bound_what_levels_do_not():
    graph = from_edges("path", range(20), range(1, 21), [1] * 19 + [2**27])
    assert judge.bound(graph, PROBLEMS["sssp"], [0]) == 2 * (19 + 2**27)
    deep = from_edges("path", range(300), range(1, 301), [1] * 299 + [2**24], directed=True)
    assert judge.bound(deep, PROBLEMS["sssp"], [0, 1]) == 299 + 2**24
