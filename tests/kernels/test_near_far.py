"""sssp/near_far: which way is chosen, where its arcs are, its parents, and what is laid out for regions."""

import numpy as np
import pytest
import tiny_graphs
from small_graphs import from_edges
from test_bounds import ring
from trial import ALGORITHMS, check_from

from warpath import devices
from warpath.devices.errors import OutOfMemory, UnsupportedLaunch
from warpath.runs.operand import Operand, arc_tails

NEAR_FAR = ALGORITHMS["sssp/near_far"]
SETTINGS = NEAR_FAR.prepare.__globals__
GRAPHS = [*tiny_graphs.GRAPHS.values(), *tiny_graphs.DEEP.values()]
GRID = tiny_graphs.GRAPHS["grid"]


@pytest.fixture(autouse=True)
def _few_threads(configure):
    """As in test_bounds.py, so that nothing else is compiled."""
    configure(NEAR_FAR, BLOCK=64, HOPS=2, MEAN_ARCS=10**6, lanes_of=lambda graph: 8)


@pytest.fixture
def wide_arcs(monkeypatch):
    monkeypatch.setattr("warpath.runs.operand.MOST_NARROW_ARCS", -1)


# ---- the choice of a way


@pytest.fixture
def choose(configure):
    """Return the choice of the fastest way, and those prepared, where each takes the time that is given or 0.1 s."""

    def chosen(times, refused=(), divide=lambda device, graph: None):
        prepared = []

        def way(device, graph, name, delta, *more):
            prepared.append((name, delta))
            if (name, delta) in refused:
                raise refused[name, delta]
            return name, delta

        time_search = lambda device, graph, solve, most: (times.get(solve, 100), None)  # noqa: E731
        configure(NEAR_FAR, divided=divide, way=way, time_search=time_search)
        device = devices.open("host")
        return SETTINGS["fastest"](device, Operand(GRID, device)), prepared

    return chosen


def test_a_trial_goes_on_while_it_gets_faster_and_ends_between_two_deltas(choose):
    times = {("buckets", 8): 5, ("buckets", 4): 4, ("buckets", 2): 3, ("buckets", 1): 9, ("two sets", 64): 12}
    chosen, prepared = choose(times)
    assert chosen == ("buckets", 2)
    assert prepared == [
        *[("window", 0), ("two sets", 64), ("buckets", 8), ("two sets", 128), ("two sets", 32)],
        *[("buckets", 16), ("buckets", 4), ("buckets", 2), ("buckets", 1), ("buckets", 3)],
    ]
    assert choose(times | {("buckets", 3): 2})[0] == ("buckets", 3)


def test_a_trial_goes_on_past_deltas_that_are_little_slower(choose):
    times = {("two sets", delta): 10 + delta / 200 for delta in (64, 128, 256)}
    times |= {("two sets", 512): 9, ("window", 0): 11}
    assert choose(times)[0] == ("two sets", 512)
    assert choose(times | {("two sets", 128): 13})[0] == ("two sets", 64)


def test_regions_are_tried_where_the_graph_is_divided(choose):
    times = {("regions", 64): 7, ("regions", 32): 6, ("window", 0): 30}
    chosen, prepared = choose(times, divide=lambda device, graph: "divided")
    assert chosen == ("regions", 32, "divided")
    assert ("regions", 128) in prepared
    assert choose(times)[0] == ("window", 0)


@pytest.mark.parametrize("error", [OutOfMemory, MemoryError, UnsupportedLaunch])
def test_what_is_hopeless_or_does_not_fit_is_left_out(choose, error):
    def divide(device, graph):
        raise error

    chosen, prepared = choose({("window", 0): 1, ("two sets", 64): 10}, {("buckets", 8): error}, divide)
    assert chosen == ("window", 0)
    assert len(prepared) == 3


@pytest.mark.parametrize(
    ("label", "chosen"),
    [("d0", "two sets, delta 512"), ("d32", "two sets, delta 32"), ("d8-buckets", "buckets, delta 8")],
)
def test_the_choice_is_told(label, chosen):
    device = devices.open("host")
    assert NEAR_FAR.prepare(device, Operand(GRID, device), NEAR_FAR.launch(label)).chosen == chosen


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
        (tiny_graphs.GRAPHS["no_arcs"], "device", ("two sets", 128)),
    ],
    ids=["mesh", "mesh of few arcs", "mesh over the link", "random", "random over the link", "no arcs"],
)
def test_without_trials_the_way_is_chosen_by_the_kind_of_graph(graph, placement, way):
    assert SETTINGS["likely"](Operand(graph, None, placement=placement)) == way


# ---- searches


def test_more_may_be_listed_than_the_lanes_of_all_blocks_read_at_once(configure):
    configure(NEAR_FAR, likely=lambda graph: ("window", 0))
    draw = np.random.default_rng(3)
    tails = draw.integers(0, 659, 3284)  # on a path, and three hubs
    heads = np.where(draw.random(3284) < 0.3, draw.integers(0, 3, 3284), (tails + 1) % 659)
    graph = from_edges("hubs", tails, heads, draw.integers(0, 3_000_000, 3284), 659)
    check_from([575, 100, 300, 575], NEAR_FAR, graph, "d0")


@pytest.mark.parametrize("placement", ["device", "host"])
def test_arcs_are_sorted_by_weight_piece_by_piece_where_they_are(monkeypatch, placement):
    monkeypatch.setattr("warpath.runs.operand.SORTED", 10)
    graph, device = tiny_graphs.GRAPHS["random_undirected_130"], devices.open("host")
    pinned, pin = [], device.pin
    monkeypatch.setattr(device, "pin", lambda array: pinned.append(array.shape) or pin(array))
    arcs = Operand(graph, device, placement=placement).by_weight
    assert pinned == ([(graph.arcs, 2)] if placement == "host" else [])
    order = np.lexsort((graph.weights, arc_tails(graph)))
    np.testing.assert_array_equal(arcs, np.stack([graph.targets[order], graph.weights[order]], axis=1))


@pytest.mark.parametrize(
    ("label", "width"),
    [("d0-tree", "narrow"), *(pytest.param(label, "wide", marks=pytest.mark.slow) for label in ("d0-tree", "d0"))],
)
def test_weights_may_be_0_and_arcs_numbered_in_64_bits(request, label, width):
    if width == "wide":
        request.getfixturevalue("wide_arcs")
    for graph in [*GRAPHS, zeros(directed=True), zeros(directed=False)]:
        check_from([0, 0], NEAR_FAR, graph, label)


def zeros(directed):
    """A graph with chains and circles of arcs of weight 0, whose rows are longer than a lane reads."""
    draw = np.random.default_rng(6)
    ends = np.concatenate([draw.integers(0, 200, (2, 3000)), [np.arange(199), np.arange(1, 200)]], axis=1)
    weights = np.where(draw.random(3199) < 0.8, draw.integers(1, 50, 3199), 0)
    weights[3000:] = 0
    weights[[3050, 3100]] = 9
    return from_edges(f"zeros {directed}", *ends, weights, 200, directed)


def test_other_ways_refuse_arcs_that_need_64_bits(wide_arcs):
    with pytest.raises(UnsupportedLaunch, match="288 arcs; this algorithm numbers them in 32 bits"):
        check_from([0], NEAR_FAR, GRID, "d32")


# ---- regions


@pytest.mark.parametrize("delta", [1, 64])
def test_arcs_too_long_for_16_bits_are_read_from_global_memory(configure, delta):
    """A path with detours, whose lengths fit an answer and whose sums do not fit 31 bits."""
    configure(NEAR_FAR, likely=lambda graph: ("regions", delta), LEAST_REGION=1, is_mesh=lambda graph: True)
    steps, heaviest = np.arange(40), (2**31 - 2) // 40
    tails, heads = np.append(steps, [0, 5, 9]), np.append(steps + 1, [20, 31, 40])
    graph = from_edges("long_arcs", tails, heads, [heaviest] * 40 + [2**31 - 2] * 3, 41)
    check_from([0, 20, 40], NEAR_FAR, graph, "d0")


NOT_A_MESH = {"is_mesh": lambda graph: False, "SMALL": 80}


@pytest.mark.parametrize(
    ("name", "settings", "is_divided"),
    [
        ("grid", {"REGION_QUEUE": 8}, True),
        ("random_directed_100", {}, False),
        ("complete", {}, False),
        ("grid", NOT_A_MESH, False),
        ("grid", {"REGION_BYTES": devices.open("host").shared_memory - 100}, False),
        ("grid", {"has_metis": lambda: False}, False),
    ],
    ids=["grid", "directed", "too many arcs", "large and no mesh", "too little room", "no METIS"],
)
def test_graphs_that_do_not_fit_are_not_divided(configure, name, settings, is_divided):
    device = devices.open("host")
    configure(NEAR_FAR, **{"is_mesh": lambda graph: True, "ROAD_BLOCK": 64} | settings)
    assert bool(SETTINGS["divided"](device, Operand(tiny_graphs.GRAPHS[name], device))) == is_divided
