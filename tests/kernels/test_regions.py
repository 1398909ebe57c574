"""Searches of sssp/near_far by regions: in shared memory and beside it, with queues too short, and what is laid out."""

import ctypes

import numpy as np
import pytest
import tiny_graphs
from small_graphs import from_edges
from trial import ALGORITHMS, check_from

from warpath import devices
from warpath.algorithms import regions
from warpath.runs.operand import Operand

NEAR_FAR = ALGORITHMS["sssp/near_far"]
SETTINGS = NEAR_FAR.prepare.__globals__
NAMES = ("path", "grid", "star", "disconnected", "random_undirected_130", "zero_weights")
GRAPHS = [*(tiny_graphs.GRAPHS[name] for name in NAMES), *tiny_graphs.DEEP.values()]


def long_arcs():
    """A path with detours, whose lengths fit an answer and whose sums do not fit 31 bits."""
    steps, heaviest = np.arange(40), (2**31 - 2) // 40
    tails, heads = np.append(steps, [0, 5, 9]), np.append(steps + 1, [20, 31, 40])
    return from_edges("long_arcs", tails, heads, [heaviest] * 40 + [2**31 - 2] * 3, 41)


def prepare(monkeypatch, delta, settings):
    chosen = {"likely": lambda graph: ("regions", delta), "LEAST_REGION": 1, "is_mesh": lambda graph: True}
    for name, value in (chosen | {"BLOCK": 64, "ROAD_BLOCK": 64} | settings).items():
        monkeypatch.setitem(SETTINGS, name, value)


@pytest.mark.parametrize(
    ("delta", "settings"),
    [
        (4, {"REGION_QUEUE": 8}),
        pytest.param(1, {}, marks=pytest.mark.slow),
        pytest.param(512, {"is_mesh": lambda graph: False}, marks=pytest.mark.slow),
    ],
    ids=["short queue", "small delta", "many lanes"],
)
def test_answers_do_not_depend_on_the_bounds(monkeypatch, delta, settings):
    prepare(monkeypatch, delta, settings)
    for graph in GRAPHS:
        check_from([0, 0], NEAR_FAR, graph, "d0")


@pytest.mark.parametrize("delta", [1, 64])
def test_arcs_too_long_for_16_bits_are_read_from_global_memory(monkeypatch, delta):
    prepare(monkeypatch, delta, {})
    graph = long_arcs()
    monkeypatch.setitem(tiny_graphs.GRAPHS, graph.name, graph)
    check_from([0, 20, 40], NEAR_FAR, graph, "d0")


@pytest.mark.parametrize("in_shared", [True, False])
def test_an_arc_is_laid_out_with_its_target_and_weight(in_shared):
    graph, blocks = tiny_graphs.GRAPHS["random_undirected_130"], 4
    part = np.arange(graph.vertices) % blocks
    layout = regions.lay_out((graph.offsets, graph.targets, graph.weights), part, blocks, in_shared, 0, 8)
    half = 16 if in_shared else 32
    for row in layout.rows:
        first, vertices, border, _, groups, outside, data, group_data = row.tolist()
        own = layout.data[data:]
        arcs = own.view("uint32")[: 8 * groups] if in_shared else layout.arcs[8 * group_data :]
        slots = own[8 * groups : 8 * groups + outside] if in_shared else np.arange(layout.slots)
        firsts = own[8 * groups + outside if in_shared else 0 :].view("uint16")
        for vertex in range(vertices):
            found = arcs[8 * int(firsts[vertex]) : 8 * int(firsts[vertex + 1])]
            numbers, weights = found & (1 << half) - 1, found >> half
            kept = numbers != (1 << half) - 1
            of = layout.order[first + vertex]
            begin, end = graph.offsets[of : of + 2]
            places = [place_of(layout, int(number), half, first, slots) for number in numbers[kept]]
            assert layout.order[places].tolist() == graph.targets[begin:end].tolist()
            assert weights[kept].tolist() == graph.weights[begin:end].tolist()
            assert vertex < border or (part[graph.targets[begin:end]] == part[of]).all()


def place_of(layout, number, half, first, slots):
    if number < 1 << half - 1:
        return first + number
    slot = int(slots[number - (1 << half - 1)])
    row = layout.rows[np.searchsorted(layout.rows[:, 3], slot, side="right") - 1]
    return row[0] + slot - row[3]


def test_graphs_that_do_not_fit_are_not_divided(monkeypatch):
    device = devices.open("host")

    def divided(name, **settings):
        for key, value in settings.items():
            monkeypatch.setitem(SETTINGS, key, value)
        return SETTINGS["divided"](device, Operand(tiny_graphs.GRAPHS[name], device))

    assert divided("grid", is_mesh=lambda graph: True, BLOCK=64, ROAD_BLOCK=64, REGION_QUEUE=8)
    assert divided("random_directed_100") is None
    assert divided("complete") is None
    monkeypatch.setitem(SETTINGS, "SMALL", 80)
    assert divided("grid", is_mesh=lambda graph: False) is None
    monkeypatch.setitem(SETTINGS, "is_mesh", lambda graph: True)
    assert divided("grid", REGION_BYTES=device.shared_memory - 100) is None
    monkeypatch.setitem(SETTINGS, "has_metis", lambda: False)
    monkeypatch.setitem(SETTINGS, "SMALL", 80)
    assert divided("grid", is_mesh=lambda graph: False) is None
    monkeypatch.setitem(SETTINGS, "is_mesh", lambda graph: True)
    assert divided("grid", REGION_BYTES=2048) is None


def test_metis_prints_nothing_about_a_star_in_many_regions(capfd):
    tails = np.append(np.zeros(99, int), np.arange(1, 100))
    targets = np.append(np.arange(1, 100), np.zeros(99, int))
    print("before")
    part = regions.parts(np.append(0, np.cumsum(np.bincount(tails))), targets, 50)
    print("after")
    ctypes.CDLL(None).fflush(None)
    assert set(part) <= set(range(50))
    assert capfd.readouterr().out == "before\nafter\n"
