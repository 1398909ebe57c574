"""The ways of bfs/persistent: which one preparing chooses, and what their layouts are like."""

from types import SimpleNamespace

import numpy as np
import pytest
import tiny_graphs
from small_graphs import from_edges
from trial import ALGORITHMS, check_from

from warpath import devices
from warpath.algorithms import time_search
from warpath.devices.errors import OutOfMemory
from warpath.runs.operand import Operand, arc_tails

PERSISTENT = ALGORITHMS["bfs/persistent"]
SPACE = PERSISTENT.prepare.__globals__
LAUNCH = PERSISTENT.launches[0]


GPU = SimpleNamespace(kind="cuda")  # which runs nothing


def chosen(monkeypatch, times, levels=1000, directed=False, wide=False, arcs=10**7):
    """Return the way chosen, by answer and by name, and those tried; None instead of a time: it cannot do the graph."""
    tried = []

    def way(name):
        def prepare(device, graph, launch):
            tried.append(name)
            if isinstance(times[name], type):
                raise times[name]
            return None if times[name] is None else lambda source: name

        return prepare

    ways = {name: described._replace(prepare=way(name)) for name, described in SPACE["WAYS"].items()}
    monkeypatch.setitem(SPACE, "WAYS", ways)
    monkeypatch.setitem(SPACE, "TRIED", tuple(times))
    answer = SimpleNamespace(iterations=levels)
    monkeypatch.setitem(SPACE, "time_search", lambda device, graph, solve: (times[solve(0)], answer))
    width = {"wide_arcs": 1} if wide else {}
    sized = SimpleNamespace(directed=directed, arc_width=width, arcs=arcs)
    solve = PERSISTENT.prepare(GPU, sized, LAUNCH)
    return solve(0), getattr(solve, "chosen", None), tried


def test_the_fastest_way_is_chosen_and_named(monkeypatch):
    times = {"stretching": 3.0, "walking": 1.0, "exchanging": None, "regions": 2.0}
    assert chosen(monkeypatch, times) == ("walking", "walking", list(times))


def test_regions_of_a_large_graph_are_not_made_for_a_few_levels(monkeypatch):
    times = {"stretching": 3.0, "regions": 2.0}
    assert chosen(monkeypatch, times, levels=20) == ("stretching", "stretching", ["stretching"])
    assert chosen(monkeypatch, times, levels=500)[0] == "regions"
    assert chosen(monkeypatch, times, levels=20, arcs=10**6)[0] == "regions"
    assert chosen(monkeypatch, times, levels=10, arcs=10**6)[0] == "stretching"


@pytest.mark.parametrize("error", [OutOfMemory, MemoryError])
def test_a_way_that_needs_too_much_memory_is_left_out_unless_it_is_the_first(monkeypatch, error):
    assert chosen(monkeypatch, {"stretching": 3.0, "slices": error}, levels=20)[0] == "stretching"
    with pytest.raises(error):
        chosen(monkeypatch, {"stretching": error, "slices": 2.0}, levels=20)


def test_slices_are_not_made_for_many_levels(monkeypatch):
    times = {"stretching": 3.0, "slices": 2.0}
    assert chosen(monkeypatch, times, levels=20)[0] == "slices"
    assert chosen(monkeypatch, times, levels=500)[0] == "stretching"


def test_long_stretches_are_tried_for_many_levels(monkeypatch):
    times = {"stretching": 3.0, "long stretches": 2.0}
    assert chosen(monkeypatch, times, levels=20)[0] == "stretching"
    assert chosen(monkeypatch, times, levels=1000)[0] == "long stretches"


def test_only_the_first_way_counts_arcs_in_64_bits(monkeypatch):
    assert chosen(monkeypatch, {"stretching": 3.0, "walking": 1.0}, wide=True) == ("stretching", None, ["stretching"])


def test_a_hub_is_the_neighbour_with_most_arcs():
    device, graph = devices.open("host"), tiny_graphs.GRAPHS["random_undirected_130"]
    (find_hubs,) = device.kernels(SPACE["__file__"], "find_hubs", way=4, hubs=SPACE["HUBS"], piece=SPACE["PIECE"])
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


def test_regions_need_metis_and_few_arcs_and_are_not_traced(monkeypatch):
    device, grid, complete = devices.open("host"), tiny_graphs.GRAPHS["grid"], tiny_graphs.GRAPHS["complete"]
    assert SPACE["regions"](device, Operand(complete, device), LAUNCH) is None
    assert SPACE["regions"](device, Operand(grid, device), LAUNCH)
    with monkeypatch.context() as traced:
        traced.setattr(device, "rounds", [], raising=False)
        assert SPACE["regions"](device, Operand(grid, device), LAUNCH) is None
    monkeypatch.setitem(SPACE, "has_metis", lambda: False)
    assert SPACE["regions"](device, Operand(grid, device), LAUNCH) is None


def test_the_division_of_a_graph_is_kept(monkeypatch):
    graph, kept = tiny_graphs.GRAPHS["grid"], {}

    def keep(name, upload):
        return kept[name] if name in kept else kept.setdefault(name, upload())

    first, second = (Operand(graph, devices.open("host"), keep) for _ in range(2))
    regions = first.regions(3)
    monkeypatch.setattr("warpath.runs.operand.parts", None)
    assert (second.regions(3) == regions).all() and set(regions) == {0, 1, 2}


def test_slices_have_every_arc_once_and_levels_are_pulled_in_them(monkeypatch):
    device, graph, made = devices.open("host"), tiny_graphs.GRAPHS["random_undirected_130"], []
    make, two_slices = SPACE["sliced_arcs"], device.shared_memory - 32
    for name, value in {"TRIED": ("slices",), "BLOCK": 64, "LEAST_SLICED": 0, "SLICED_BYTES": two_slices}.items():
        monkeypatch.setitem(SPACE, name, value)
    monkeypatch.setitem(SPACE, "sliced_arcs", lambda *arguments: made.append(make(*arguments)) or made[0])
    check_from([0, 0], PERSISTENT, graph, LAUNCH.label)
    slices, chunks, words, begins, packed = made[0]
    assert (slices, chunks, words) == (2, 1, 4) and 4 * begins[-1] == len(packed)
    targets, tails = np.divmod(packed, SPACE["CHUNK"])
    slice = np.arange(len(packed)) >= 4 * begins[1]
    arcs = np.stack([tails, 32 * words * slice + targets], axis=1)[targets < 32 * words].tolist()
    assert sorted(arcs) == np.stack([arc_tails(graph), graph.targets], axis=1).tolist()
    made[0] = *made[0][:4], np.full_like(packed, 32 * words * SPACE["CHUNK"])
    with pytest.raises(AssertionError):  # no arc is left to be pulled along
        check_from([0, 0], PERSISTENT, graph, LAUNCH.label)


def test_what_a_slice_has_found_may_be_pushed_next(monkeypatch):
    """Pulls in slices estimate the arcs of what they find; pushing needs their number."""
    names = {"TRIED": ("slices",), "BLOCK": 64, "LEAST_SLICED": 0, "LOCAL_ARCS": 0, "SLICED_SHARE": 10**6}
    for name, value in names.items():
        monkeypatch.setitem(SPACE, name, value)
    draw, legs = np.random.default_rng(1), np.arange(300, 2000)
    for number in range(12):
        core, is_begun = draw.integers(0, 300, (2, 3000)), draw.random(len(legs)) < 0.3
        ends = np.where(is_begun, draw.integers(0, 300, len(legs)), legs - 1)
        graph = from_edges(f"legs_{number}", np.append(core[0], legs), np.append(core[1], ends), None, 2000)
        monkeypatch.setitem(tiny_graphs.DEEP, graph.name, graph)
        check_from([0, 0], PERSISTENT, graph, LAUNCH.label)


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


@pytest.mark.parametrize("wide", [False, True], ids=["narrow", "wide"])
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_arcs_of_a_vertex_beyond_a_piece_are_looked_at_too(monkeypatch, directed, wide):
    """The only parent of the vertex with many is the last of its neighbours, and not the one with the most arcs."""
    vertex, leaves = 1, np.arange(2, 150)
    tails = np.concatenate([[0, 151], np.full(len(leaves), vertex), [2] * 3])
    heads = np.concatenate([[151, vertex], leaves, [152, 153, 154]])
    graph = from_edges("pieces", tails, heads, None, 170, directed=directed)
    monkeypatch.setitem(tiny_graphs.DEEP, graph.name, graph)
    monkeypatch.setitem(SPACE, "PIECE", 32)
    if wide:
        monkeypatch.setattr("warpath.runs.operand.MOST_NARROW_ARCS", -1)
    check_from([0, 0], PERSISTENT, graph, "a16-be64-tree")


def test_a_block_whose_last_vertex_would_have_no_number_is_not_exchanged(monkeypatch):
    graph = from_edges("path_4096", np.arange(4095), np.arange(1, 4096), None, 4096)
    for words, prepared in ((128, False), (127, True)):
        ranges = np.array([0, words, 128], "int32"), np.array([0, 62 * words, graph.arcs])
        monkeypatch.setitem(SPACE, "ranges", lambda *_, ranges=ranges: ranges)
        device = devices.open("host")
        assert bool(SPACE["exchanging"](device, Operand(graph, device), LAUNCH)) == prepared


@pytest.mark.parametrize("name, sources", [("grid", [27, 54, 40]), ("star", [20, 40, 30]), ("no_arcs", [1])])
def test_trials_search_from_two_usual_vertices_and_from_a_middle_one_of_those_with_the_most_arcs(name, sources):
    assert Operand(tiny_graphs.GRAPHS[name], devices.open("host")).trial_sources == sources


def test_a_trial_adds_up_the_times_from_all_its_sources_after_a_first_search():
    searched, times = [], iter([1.0, 2.0, 4.0])
    timer = SimpleNamespace(start=lambda: searched.append("start"), stop=bool, milliseconds=lambda: next(times))
    graph, device = SimpleNamespace(trial_sources=[5, 6, 7]), SimpleNamespace(timer=lambda: timer)
    assert time_search(device, graph, lambda source: searched.append(source) or source) == (7.0, 7)
    assert searched == [7, "start", 5, "start", 6, "start", 7]
    times = iter([1.0, 2.0, 4.0])
    assert time_search(device, graph, lambda source: source, most=2.5) == (3.0, 6)


def solved_with(monkeypatch, graph, prepared, spoil):
    """Solve after `spoil` has changed what the function named `prepared` returns; return whether all is right."""
    make, made = SPACE[prepared], []

    def spoilt(*arguments):
        made.append(make(*arguments))
        spoil(made[0])
        return made[0]

    for name, value in {"TRIED": ("stretching",), "BLOCK": 64, prepared: spoilt}.items():
        monkeypatch.setitem(SPACE, name, value)
    try:
        check_from([0, 0], PERSISTENT, graph, LAUNCH.label)
    except AssertionError:
        return False
    finally:
        assert made
    return True


@pytest.mark.parametrize("bits, right", [(0, True), (2**32 - 1, False)])
def test_pulls_pass_over_the_vertices_called_isolated(monkeypatch, bits, right):
    graph = tiny_graphs.GRAPHS["random_undirected_130"]
    assert solved_with(monkeypatch, graph, "isolated_of", lambda isolated: isolated.fill(bits)) == right


@pytest.mark.parametrize("directed, words", [(False, [~0b101, ~0b11 << 8 | 0xFF, 0b111111]), (True, [0, 0, 0])])
def test_vertices_without_arcs_are_isolated(monkeypatch, directed, words):
    graph, made = from_edges("gaps", [0, 40], [2, 41], None, 70, directed), []
    monkeypatch.setitem(tiny_graphs.DEEP, graph.name, graph)
    assert solved_with(monkeypatch, graph, "isolated_of", lambda isolated: made.append(isolated.tolist()))
    assert made[0] == [word % 2**32 for word in words]


@pytest.mark.parametrize("hub, right", [(0, True), (-1, False)])
def test_a_pull_reads_no_arcs_of_a_leaf(monkeypatch, hub, right):
    core = np.triu_indices(40, 1)
    legs = np.arange(1, 40)
    graph = from_edges("leaves", np.append(core[0], legs), np.append(core[1], legs + 39), None, 79)
    monkeypatch.setitem(tiny_graphs.DEEP, graph.name, graph)

    def spoil(hubs):
        if not right:
            hubs[40:] = hub

    assert solved_with(monkeypatch, graph, "hubs_of", spoil) == right


@pytest.mark.parametrize("target, right", [(None, True), (-1, False)])
def test_hops_read_first_targets_instead_of_arcs(monkeypatch, target, right):
    def spoil(first):
        if not right:
            first.fill(target)

    assert solved_with(monkeypatch, tiny_graphs.GRAPHS["path"], "first_targets_of", spoil) == right


@pytest.mark.parametrize("vertices, words, slices", [(32 * 100, 100, 1), (32 * 101, 52, 2), (32 * 1000, 100, 10)])
def test_slices_have_about_the_same_size(vertices, words, slices):
    assert SPACE["words_of_a_slice"](SimpleNamespace(vertices=vertices), 100) == words
    assert -(-vertices // (32 * words)) == slices
