"""bfs/persistent: which way is chosen, and what its layouts are like."""

from types import SimpleNamespace

import numpy as np
import pytest
import tiny_graphs
from small_graphs import from_edges
from trial import ALGORITHMS, check_from

from warpath import devices
from warpath.algorithms import kinds
from warpath.runs.operand import Operand

PERSISTENT = ALGORITHMS["bfs/persistent"]
SPACE = PERSISTENT.prepare.__globals__
LAUNCH = PERSISTENT.launches[0]
HOST = devices.open("host")
GRID, DIRECTED, COMPLETE = map(tiny_graphs.GRAPHS.get, ("grid", "random_directed_100", "complete"))


# ---- the choice of a way

RING, RANDOM = np.arange(4000), np.random.default_rng(1)
SPINE = np.repeat(np.arange(1000), 20)
KINDS = {
    "roads": from_edges("roads", RING, (RING + 1) % 4000),
    "mesh": from_edges("mesh", np.tile(RING, 3), (np.tile(RING, 3) + np.repeat([1, 2, 3], 4000)) % 4000),
    "random": from_edges("random", *RANDOM.integers(4000, size=(2, 12_000))),
    "sparse": from_edges("sparse", *RANDOM.integers(4000, size=(2, 7950))),
    "hubs": from_edges("hubs", *(20_000 * RANDOM.random((2, 60_000)) ** [[3], [1]]).astype(int)),
    "giants": from_edges("giants", RANDOM.integers(10, size=12_000), RANDOM.integers(4000, size=12_000)),
    "path": from_edges("path", RING[1:], RING[:-1]),
    "tree": from_edges("tree", RING[1:], RANDOM.integers(RING[1:])),
    "caterpillar": from_edges("caterpillar", np.append(SPINE, SPINE[20::20]), [*range(1000, 21_000), *range(999)]),
}


@pytest.mark.parametrize(
    ("kind", "options", "ways"),
    [
        ("roads", {}, ["stretching"]),
        ("mesh", {}, ["walking"]),
        ("random", {}, ["exchanging", "walking"]),
        ("sparse", {}, ["walking"]),
        ("hubs", {}, ["exchanging", "stretching"]),
        ("giants", {}, ["exchanging", "walking"]),
        ("path", {}, ["stretching"]),
        ("tree", {}, ["walking"]),
        ("caterpillar", {}, ["walking"]),
        ("mesh", {"wide": True}, ["stretching"]),
    ],
)
def test_the_way_follows_from_the_kind_of_graph(kind, options, ways):
    graph = KINDS[kind]
    sizes = {"vertices": graph.vertices, "arcs": graph.arcs, "arc_width": options.get("wide", {})}
    found = SPACE["likely"](SimpleNamespace(**sizes), kinds.look(graph))
    assert list(found) == ways


@pytest.mark.parametrize(("graph", "way"), [(GRID, "stretching"), (DIRECTED, "walking"), (COMPLETE, "exchanging")])
def test_the_first_way_that_can_search_the_graph_is_taken_and_named(graph, way):
    for launch in PERSISTENT.launches[:2]:
        assert PERSISTENT.prepare(HOST, Operand(graph, HOST), launch).chosen == way


@pytest.mark.parametrize(
    ("graph", "settings", "is_prepared"),
    [(GRID, {}, True), (GRID, {"EXCHANGING_BYTES": HOST.shared_memory - 100}, False), (DIRECTED, {}, False)],
)
def test_only_undirected_graphs_that_fit_are_exchanged(configure, graph, settings, is_prepared):
    configure(PERSISTENT, BLOCK=64, **settings)
    assert bool(SPACE["exchanging"](HOST, Operand(graph, HOST), kinds.look(graph), LAUNCH, None)) == is_prepared


@pytest.mark.parametrize(("words", "is_prepared"), [(128, False), (127, True)])
def test_a_block_whose_last_vertex_would_have_no_number_is_not_exchanged(configure, words, is_prepared):
    graph = from_edges("path_4096", np.arange(4095), np.arange(1, 4096), None, 4096)
    ranges = np.array([0, words, 128], "int32"), max(words, 128 - words), 62 * words
    configure(PERSISTENT, ranges=lambda *_: ranges)
    assert bool(SPACE["exchanging"](HOST, Operand(graph, HOST), kinds.look(graph), LAUNCH, None)) == is_prepared


def test_all_blocks_look_at_a_vertex_whose_first_arcs_lead_to_nothing_visited(configure):
    """Ten vertices have 90 neighbours that are two levels away; behind these come 40 that the source leads to."""
    many, middle, others = np.arange(900, 910), np.arange(1000, 1400), np.arange(900)
    tails = np.concatenate([np.repeat(many, 90), np.repeat(many, 40), np.full(400, 1400), others, others])
    heads = np.concatenate([others, middle, middle, (others + 1) % 900, (others + 7) % 900])
    graph = from_edges("late", tails, heads, None, 1401)
    configure(PERSISTENT, likely=lambda *_: ["walking"], BLOCK=64, PIECE=32, LOCAL_ARCS=0)
    check_from([1400, 5, 905, 1400], PERSISTENT, graph, LAUNCH.label)


def test_blocks_get_ranges_with_about_as_many_arcs():
    offsets = np.cumsum(np.append(0, np.random.default_rng(1).integers(0, 40, 10_001)))
    words = -(-10_001 // 32)
    first_words, most_words, most_arcs = SPACE["ranges"](offsets, words, 16)
    assert (first_words[0], first_words[-1], np.diff(first_words).max()) == (0, words, most_words)
    assert offsets[-1] / 16 <= most_arcs < 1.1 * offsets[-1] / 16


# ---- parents


def test_a_parent_is_found_among_many_neighbours_as_far_away_or_further():
    """Lanes look for it together, each at its own place; only the last neighbour is a parent, and the hub is none."""
    middle, vertex, hub, leaves = 61, 45, 2, range(70, 120)
    tails = [0, middle, *[vertex] * 40, *[hub] * len(leaves)]
    graph = from_edges("late_parent", tails, [middle, vertex, *range(1, 41), *leaves], None, 120)
    check_from([0, 0], PERSISTENT, graph, "a16-be64-tree")


@pytest.mark.parametrize("wide", [False, True], ids=["narrow", "wide"])
@pytest.mark.parametrize("directed", [False, True], ids=["undirected", "directed"])
def test_arcs_of_a_vertex_beyond_a_piece_are_looked_at_too(monkeypatch, configure, directed, wide):
    """The only parent of the vertex with many is the last of its neighbours, and not the one with the most arcs."""
    vertex, leaves = 1, np.arange(2, 150)
    tails = np.concatenate([[0, 151], np.full(len(leaves), vertex), [2] * 3])
    heads = np.concatenate([[151, vertex], leaves, [152, 153, 154]])
    graph = from_edges("pieces", tails, heads, None, 170, directed=directed)
    configure(PERSISTENT, PIECE=32)
    if wide:
        monkeypatch.setattr("warpath.runs.operand.MOST_NARROW_ARCS", -1)
    check_from([0, 0], PERSISTENT, graph, "a16-be64-tree")
