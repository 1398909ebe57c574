"""Searches with a window that slides: on any graph, in lockstep and not, with room for everything and for nothing."""

import numpy as np
import pytest
import tiny_graphs
from small_graphs import from_edges
from trial import ALGORITHMS, check_from

from warpath.runs.operand import Operand

NEAR_FAR = ALGORITHMS["sssp/near_far"]


def ring(vertices, reach, hubs=(), spokes=0):
    """A ring whose vertices know `reach` others ahead, and whose hubs know `spokes` more."""
    tails = np.concatenate([np.repeat(np.arange(vertices), reach), np.repeat(np.array(hubs, int), spokes)])
    steps = np.concatenate(
        [np.tile(np.arange(1, reach + 1), vertices), np.tile(np.arange(spokes) + reach + 1, len(hubs))]
    )
    return from_edges("ring", tails, (tails + steps) % vertices, 1 + (tails * 7 + steps * 31) % 255, vertices)


NAMES = ("path", "grid", "star", "complete", "disconnected", "random_directed_100", "zero_weights", "large_weights")
GRAPHS = [*(tiny_graphs.GRAPHS[name] for name in NAMES), *tiny_graphs.WIDE.values(), *tiny_graphs.DEEP.values()]
HUBS = ring(1500, 5, hubs=range(200, 1500, 300), spokes=200)  # more arcs than a block keeps in lockstep
SMALL = {"BLOCK": 64, "HOPS": 2, "MEAN_ARCS": 10**6}  # as in test_hops.py, so that nothing else is compiled
NO_ROOM = {"ROOM": 2, "NEAR_SHARE": 100, "SLOT_SHARE": 1000}


@pytest.mark.parametrize(
    "bounds",
    [
        NO_ROOM,
        pytest.param({}, marks=pytest.mark.slow),
        pytest.param(NO_ROOM | {"LOCK_SHARE": 0, "LARGE_ARCS": 0, "ENOUGH_ARCS": 10}, marks=pytest.mark.slow),
        pytest.param({"FOUND": 64, "REACH": 2}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_answers_do_not_depend_on_room(monkeypatch, bounds):
    settings = NEAR_FAR.prepare.__globals__
    for name, value in (SMALL | bounds).items():
        monkeypatch.setitem(settings, name, value)
    monkeypatch.setitem(settings, "likely", lambda graph: ("window", 0))
    monkeypatch.setitem(tiny_graphs.WIDE, HUBS.name, HUBS)
    for graph in (*GRAPHS, HUBS):
        check_from([0, 0], NEAR_FAR, graph, "d0")


def test_more_may_be_listed_than_the_lanes_of_all_blocks_read_at_once(monkeypatch):
    settings, draw = NEAR_FAR.prepare.__globals__, np.random.default_rng(3)
    for name, value in (SMALL | {"likely": lambda graph: ("window", 0)}).items():
        monkeypatch.setitem(settings, name, value)
    tails = draw.integers(0, 659, 3284)  # on a path, and three hubs
    heads = np.where(draw.random(3284) < 0.3, draw.integers(0, 3, 3284), (tails + 1) % 659)
    graph = from_edges("hubs", tails, heads, draw.integers(0, 3_000_000, 3284), 659)
    monkeypatch.setitem(tiny_graphs.GRAPHS, graph.name, graph)
    check_from([575, 100, 300, 575], NEAR_FAR, graph, "d0")


def random(vertices, arcs):
    tails, heads = np.random.default_rng(1).integers(0, vertices, (2, arcs))
    return from_edges("random", tails, heads, None, vertices)


@pytest.mark.parametrize(
    ("graph", "placement", "way"),
    [
        (ring(5000, 5), "device", ("window", 0)),
        (ring(5000, 2), "device", ("two sets", 512)),
        (ring(5000, 2), "host", ("two sets", 512)),
        (random(20_000, 100_000), "device", ("two sets", 128)),
        (random(20_000, 100_000), "host", ("buckets", 2)),
        (tiny_graphs.no_arcs(), "device", ("two sets", 128)),
    ],
    ids=["mesh", "mesh of few arcs", "mesh over the link", "random", "random over the link", "no arcs"],
)
def test_without_trials_the_way_is_chosen_by_the_kind_of_graph(graph, placement, way):
    assert NEAR_FAR.prepare.__globals__["likely"](Operand(graph, None, placement=placement)) == way
