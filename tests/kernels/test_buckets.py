"""Searches in buckets of distances: pushing, pulling and both, without room for lists, and when they are chosen."""

import numpy as np
import pytest
import tiny_graphs
from small_graphs import from_edges
from trial import ALGORITHMS, check_from

from warpath import devices
from warpath.devices.errors import OutOfMemory, UnsupportedLaunch
from warpath.runs.operand import Operand

NEAR_FAR = ALGORITHMS["sssp/near_far"]
SETTINGS = NEAR_FAR.prepare.__globals__
GRAPHS = [*tiny_graphs.GRAPHS.values(), *tiny_graphs.DEEP.values()]
ALWAYS, NEVER = 10**9, 0


@pytest.fixture(autouse=True)
def _few_threads(monkeypatch):
    for name, value in {"BLOCK": 64, "HOPS": 2, "MEAN_ARCS": 10**6}.items():  # as in test_hops.py
        monkeypatch.setitem(SETTINGS, name, value)
    monkeypatch.setitem(SETTINGS, "lanes_of", lambda graph: 8)  # so that one build suffices


@pytest.mark.parametrize("pull", [ALWAYS, NEVER])
@pytest.mark.parametrize("label", ["d2-buckets", "d32-buckets"])
def test_answers_do_not_depend_on_the_direction(monkeypatch, label, pull):
    monkeypatch.setitem(SETTINGS, "PULL", pull)
    for graph in GRAPHS:
        check_from([0, 0], NEAR_FAR, graph, label)


def test_lists_without_room_are_made_anew(monkeypatch):
    monkeypatch.setitem(SETTINGS, "LIST_ARCS", 20)
    for graph in GRAPHS:
        check_from([0], NEAR_FAR, graph, "d32-buckets")


@pytest.mark.parametrize("placement", ["device", "host"])
def test_arcs_are_sorted_by_weight_piece_by_piece_where_they_are(monkeypatch, placement):
    monkeypatch.setattr("warpath.runs.operand.SORTED", 10)
    graph, device = tiny_graphs.GRAPHS["random_undirected_130"], devices.open("host")
    pinned, pin = [], device.pin
    monkeypatch.setattr(device, "pin", lambda array: pinned.append(array.shape) or pin(array))
    arcs = Operand(graph, device, placement=placement).by_weight
    assert pinned == ([(graph.arcs, 2)] if placement == "host" else [])
    tails = np.repeat(np.arange(graph.vertices), np.diff(graph.offsets))
    order = np.lexsort((graph.weights, tails))
    np.testing.assert_array_equal(arcs, np.stack([graph.targets[order], graph.weights[order]], axis=1))


def hubs():
    """Two hubs with many arcs of all weights, which are searched for the first heavy one."""
    draw = np.random.default_rng(5)
    tails, heads = np.repeat([0, 1], 2000), draw.integers(0, 3000, 4000)
    return from_edges("weighted_hubs", tails, heads, draw.integers(0, 1000, 4000), 3000)


@pytest.mark.parametrize("pull", [ALWAYS, NEVER])
def test_long_lists_of_arcs_are_cut_where_they_get_heavy(monkeypatch, pull):
    monkeypatch.setitem(tiny_graphs.WIDE, "weighted_hubs", hubs())
    monkeypatch.setitem(SETTINGS, "PULL", pull)
    for label in ("d2-buckets", "d32-buckets"):
        check_from([0], NEAR_FAR, tiny_graphs.WIDE["weighted_hubs"], label)


class Timed:
    """Ways of which each takes the time that `times` has for it, or a tenth of a second."""

    def __init__(self, times, refused):
        self.times, self.refused, self.prepared = times, refused, []

    def way(self, device, graph, name, delta, *more):
        self.prepared.append((name, delta))
        if error := self.refused.get((name, delta)):
            raise error
        return name, delta

    def time_search(self, device, graph, solve, most):
        return self.times.get(solve, 100), None


def choose(monkeypatch, times, refused=None, divide=lambda device, graph: None):
    timed = Timed(times, refused or {})
    for name, value in {"divided": divide, "way": timed.way, "time_search": timed.time_search}.items():
        monkeypatch.setitem(SETTINGS, name, value)
    graph = tiny_graphs.GRAPHS["grid"]
    device = devices.open("host")
    return SETTINGS["fastest"](device, Operand(graph, device)), timed.prepared


def test_a_trial_goes_on_while_it_gets_faster_and_ends_between_two_deltas(monkeypatch):
    times = {("buckets", 8): 5, ("buckets", 4): 4, ("buckets", 2): 3, ("buckets", 1): 9, ("two sets", 64): 12}
    chosen, prepared = choose(monkeypatch, times)
    assert chosen == ("buckets", 2)
    assert prepared == [
        *[("window", 0), ("two sets", 64), ("buckets", 8), ("two sets", 128), ("two sets", 32)],
        *[("buckets", 16), ("buckets", 4), ("buckets", 2), ("buckets", 1), ("buckets", 3)],
    ]
    assert choose(monkeypatch, times | {("buckets", 3): 2})[0] == ("buckets", 3)


def test_a_trial_goes_on_past_deltas_that_are_little_slower(monkeypatch):
    times = {("two sets", delta): 10 + delta / 200 for delta in (64, 128, 256)} | {
        ("two sets", 512): 9,
        ("window", 0): 11,
    }
    assert choose(monkeypatch, times)[0] == ("two sets", 512)
    assert choose(monkeypatch, times | {("two sets", 128): 13})[0] == ("two sets", 64)


def test_regions_are_tried_where_the_graph_is_divided(monkeypatch):
    times = {("regions", 64): 7, ("regions", 32): 6, ("window", 0): 30}
    chosen, prepared = choose(monkeypatch, times, divide=lambda device, graph: "divided")
    assert chosen == ("regions", 32, "divided")
    assert ("regions", 128) in prepared
    assert choose(monkeypatch, times)[0] == ("window", 0)


@pytest.mark.parametrize("error", [OutOfMemory, MemoryError, UnsupportedLaunch])
def test_what_is_hopeless_or_does_not_fit_is_left_out(monkeypatch, error):
    def divide(device, graph):
        raise error

    times = {("window", 0): 1, ("two sets", 64): 10}
    chosen, prepared = choose(monkeypatch, times, {("buckets", 8): error}, divide)
    assert chosen == ("window", 0)
    assert len(prepared) == 3


def test_the_choice_is_told():
    device, graph = devices.open("host"), tiny_graphs.GRAPHS["grid"]
    for label, chosen in {
        "d0": "two sets, delta 512",
        "d32": "two sets, delta 32",
        "d8-buckets": "buckets, delta 8",
    }.items():
        assert NEAR_FAR.prepare(device, Operand(graph, device), NEAR_FAR.launch(label)).chosen == chosen


@pytest.mark.parametrize("width", ["narrow", pytest.param("wide", marks=pytest.mark.slow)])
def test_parents_are_a_tree_also_where_weights_are_0(monkeypatch, width):
    if width == "wide":
        monkeypatch.setattr("warpath.runs.operand.MOST_NARROW_ARCS", -1)
    for graph in [*GRAPHS, zeros(directed=True), zeros(directed=False)]:
        monkeypatch.setitem(tiny_graphs.WIDE, graph.name, graph)
        check_from([0, 0], NEAR_FAR, graph, "d0-tree")


def zeros(directed):
    """A graph with chains and circles of arcs of weight 0, whose rows are longer than a lane reads."""
    draw = np.random.default_rng(6)
    ends = np.concatenate([draw.integers(0, 200, (2, 3000)), [np.arange(199), np.arange(1, 200)]], axis=1)
    weights = np.where(draw.random(3199) < 0.8, draw.integers(1, 50, 3199), 0)
    weights[3000:] = 0
    weights[[3050, 3100]] = 9
    return from_edges(f"zeros {directed}", *ends, weights, 200, directed)


@pytest.mark.slow
def test_arcs_may_be_numbered_in_64_bits(monkeypatch):
    monkeypatch.setattr("warpath.runs.operand.MOST_NARROW_ARCS", -1)
    for graph in GRAPHS:
        check_from([0, 0], NEAR_FAR, graph, "d0")


def test_other_ways_refuse_arcs_that_need_64_bits(monkeypatch):
    monkeypatch.setattr("warpath.runs.operand.MOST_NARROW_ARCS", -1)
    with pytest.raises(UnsupportedLaunch, match="288 arcs; this algorithm numbers them in 32 bits"):
        check_from([0], NEAR_FAR, tiny_graphs.GRAPHS["grid"], "d32")
