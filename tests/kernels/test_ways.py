"""The ways of bfs/persistent: which one preparing chooses, and what their layouts are like."""

from types import SimpleNamespace

import numpy as np
import pytest
import tiny_graphs
from small_graphs import from_edges
from trial import ALGORITHMS, check_from

from warpath import devices
from warpath.runs.operand import Operand

PERSISTENT = ALGORITHMS["bfs/persistent"]
SPACE = PERSISTENT.prepare.__globals__
LAUNCH = PERSISTENT.launches[0]


class Gpu:
    """A GPU that runs nothing."""

    kind = "cuda"

    def get(self, array):
        return array


def chosen(monkeypatch, times, levels=1000, directed=False, wide=False):
    """Return the way chosen, by answer and by name, and those tried; None instead of a time: it cannot do the graph."""
    tried = []

    def way(name):
        def prepare(device, graph, launch):
            tried.append(name)
            return None if times[name] is None else lambda source: name

        return prepare

    monkeypatch.setitem(SPACE, "WAYS", {name: way(name) for name in times})
    monkeypatch.setitem(SPACE, "TRIED", tuple(times))
    monkeypatch.setitem(SPACE, "trial", lambda device, solve, source: (times[solve(source)], levels))
    graph = tiny_graphs.GRAPHS["star"]
    width = {"wide_arcs": 1} if wide else {}
    sized = SimpleNamespace(offsets=graph.offsets, directed=directed, arc_width=width)
    solve = PERSISTENT.prepare(Gpu(), sized, LAUNCH)
    return solve(0), getattr(solve, "chosen", None), tried


def test_the_fastest_way_is_chosen_and_named(monkeypatch):
    times = {"stretching": 3.0, "walking": 1.0, "exchanging": None, "regions": 2.0}
    assert chosen(monkeypatch, times) == ("walking", "walking", list(times))


def test_regions_are_not_made_for_a_few_levels(monkeypatch):
    times = {"stretching": 3.0, "regions": 2.0}
    assert chosen(monkeypatch, times, levels=20) == ("stretching", "stretching", ["stretching"])
    assert chosen(monkeypatch, times, levels=500)[0] == "regions"


def test_only_the_first_way_counts_arcs_in_64_bits(monkeypatch):
    assert chosen(monkeypatch, {"stretching": 3.0, "walking": 1.0}, wide=True) == ("stretching", None, ["stretching"])


def test_a_hub_is_the_neighbour_with_most_arcs():
    device, graph = devices.open("host"), tiny_graphs.GRAPHS["random_undirected_130"]
    (find_hubs,) = device.kernels(SPACE["__file__"], "find_hubs", way=4, hubs=SPACE["HUBS"])
    on_device = Operand(graph, device)
    hubs = SPACE["hubs_of"](device, on_device, find_hubs).reshape(-1, SPACE["HUBS"])
    degrees = np.diff(graph.offsets)
    for vertex, found in enumerate(hubs.tolist()):
        targets = graph.targets[graph.offsets[vertex] : graph.offsets[vertex + 1]].tolist()
        assert degrees[found[0]] == max(degrees[targets]) if targets else found[0] == -1


def test_blocks_get_ranges_with_about_as_many_arcs():
    offsets = np.cumsum(np.append(0, np.random.default_rng(1).integers(0, 40, 10_001)))
    words = -(-10_001 // 32)
    first_words, first_arcs = SPACE["ranges"](offsets, words, 16)
    assert (first_words[0], first_words[-1]) == (0, words) and (first_arcs[0], first_arcs[-1]) == (0, offsets[-1])
    assert np.diff(first_arcs).max() < 1.1 * offsets[-1] / 16


def test_graphs_whose_arcs_do_not_fit_are_not_exchanged(monkeypatch):
    device, graph = devices.open("host"), tiny_graphs.GRAPHS["grid"]
    assert SPACE["exchanging"](device, Operand(graph, device), LAUNCH)
    monkeypatch.setitem(SPACE, "EXCHANGING_BYTES", device.shared_memory - 100)
    assert SPACE["exchanging"](device, Operand(graph, device), LAUNCH) is None
    directed = tiny_graphs.GRAPHS["random_directed_100"]
    assert SPACE["exchanging"](device, Operand(directed, device), LAUNCH) is None


def test_regions_need_metis_and_few_arcs(monkeypatch):
    device, grid, complete = devices.open("host"), tiny_graphs.GRAPHS["grid"], tiny_graphs.GRAPHS["complete"]
    assert SPACE["regions"](device, Operand(complete, device), LAUNCH) is None
    monkeypatch.setitem(SPACE, "has_metis", lambda: False)
    assert SPACE["regions"](device, Operand(grid, device), LAUNCH) is None


@pytest.mark.parametrize("way", ["regions", "exchanging"])
def test_loops_are_arcs_like_any_other(monkeypatch, way):
    steps = np.arange(99)
    ends = np.append(steps, [7, 50]), np.append(steps + 1, [7, 50])
    graph = from_edges("looped_path", *ends, None, 100, loops=True)
    monkeypatch.setitem(tiny_graphs.DEEP, graph.name, graph)
    for name, value in {"TRIED": (way,), "BLOCK": 64}.items():
        monkeypatch.setitem(SPACE, name, value)
    check_from([0, 0], PERSISTENT, graph, LAUNCH.label)


def test_a_parent_is_found_among_many_neighbours_as_far_away_or_further(monkeypatch):
    """Lanes look for it together, each at its own place; only the last neighbour is a parent, and the hub is none."""
    middle, vertex, hub, leaves = 61, 45, 2, range(70, 120)
    tails = [0, middle, *[vertex] * 40, *[hub] * len(leaves)]
    graph = from_edges("late_parent", tails, [middle, vertex, *range(1, 41), *leaves], None, 120)
    monkeypatch.setitem(tiny_graphs.DEEP, graph.name, graph)
    check_from([0, 0], PERSISTENT, graph, "a16-be64-tree")


def test_a_block_whose_last_vertex_would_have_no_number_is_not_exchanged(monkeypatch):
    graph = from_edges("path_4096", np.arange(4095), np.arange(1, 4096), None, 4096)
    for words, prepared in ((128, False), (127, True)):
        ranges = np.array([0, words, 128], "int32"), np.array([0, 62 * words, graph.arcs])
        monkeypatch.setitem(SPACE, "ranges", lambda *_, ranges=ranges: ranges)
        device = devices.open("host")
        assert bool(SPACE["exchanging"](device, Operand(graph, device), LAUNCH)) == prepared
