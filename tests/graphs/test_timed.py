"""The graphs on which public libraries were timed come out bit by bit, on a machine without a GPU."""

import csv

import numpy as np
import pytest
from small_graphs import distances

from warpath.algorithms import UNREACHABLE
from warpath.base import settings
from warpath.graphs import catalogue, generators, timed, xorwow
from warpath.graphs.clean import clean

FIRST = [2898200796, 323845807, 4276488960, 407543172]  # of cuRAND, seed 1
NEXT_ROW = [3111669439, 1882240862, 2169684689, 4009572719]  # from number 4096 on


def test_numbers_are_those_of_curand():
    stream = xorwow.Stream(1)
    drawn = np.concatenate([stream.words(count) for count in (3, 4092, 5)])
    assert drawn[:4].tolist() == FIRST and drawn[4096:].tolist() == NEXT_ROW


def test_numbers_do_not_depend_on_how_they_are_drawn(monkeypatch):
    at_once = xorwow.Stream(2**40 + 7).words(30_000)
    monkeypatch.setattr(xorwow, "AT_ONCE", 5000)
    stream = xorwow.Stream(2**40 + 7)
    pieces = [(place, piece.copy()) for place, piece in stream.pieces(20_001)]
    assert [place.start for place, _ in pieces] == [0, 5000, 10_000, 15_000, 20_000]
    rest = [stream.words(count) for count in (0, 9_000, 999)]
    assert np.concatenate([*(piece for _, piece in pieces), *rest]).tolist() == at_once.tolist()


def test_integers_below_replace_numbers_beyond_the_last_multiple():
    n, count = 3 * 2**30, 8000  # a quarter of the numbers lies beyond
    drawn = xorwow.Stream(5).below(n, count)
    words = xorwow.Stream(5).words(count)
    kept = words < n
    assert 0.2 < 1 - kept.mean() < 0.3 and (drawn < n).all()
    assert drawn[kept].tolist() == words[kept].tolist()
    supplement = xorwow.Stream(5).words(count + 2 * (~kept).sum())[count:]
    assert drawn[~kept].tolist() == supplement[supplement < n][: (~kept).sum()].tolist()
    assert xorwow.Stream(5).below(64, 100).tolist() == (words[:100] % 64).tolist()


def test_shares_are_of_single_precision():
    """Few numbers are at the edge of a share, so that small graphs come out the same without them."""
    for share in (0.25, 0.57, 0.57 + 0.19, 0.95, 1):
        least = int(timed._least(share))
        below, at = (np.float32(n) * np.float32(2**-32) + np.float32(2**-33) for n in (least - 1, least))
        assert below < np.float32(share) <= at


@pytest.mark.slow
@pytest.mark.parametrize(("name", "problem"), [("smallworld", "sssp"), ("grid3d", "bfs"), ("rgg", "bfs")])
def test_answers_are_those_that_the_libraries_agreed_on(shared, name, problem):
    entry = catalogue.load(settings.GRAPHS)[name]
    graph = clean(generators.generate(entry.generator), entry.clean, entry.directed, entry.weights, name)
    known = csv.DictReader((shared / "peers" / "checksums.csv").open())
    right = next(row for row in known if row["graph"] == name.removesuffix("-cupy") and row["problem"] == problem)
    distance = distances(graph, int(right["source"]), problem == "sssp")
    reached = distance[distance != UNREACHABLE]
    assert (len(reached), reached.sum()) == (int(right["reached"]), int(right["sum_of_distances"]))
