"""sssp/near_far: which way is chosen, where its arcs are, and its parents."""

import numpy as np
import pytest
import tiny_graphs
from small_graphs import from_edges
from test_bounds import LOCKED_HUBS, ring
from trial import ALGORITHMS, check_from, compare, solutions

from warpath import devices
from warpath.algorithms import UNREACHABLE
from warpath.devices.errors import UnsupportedLaunch
from warpath.runs import rehearsal
from warpath.runs.operand import Operand, arc_tails

NEAR_FAR = ALGORITHMS["sssp/near_far"]
SETTINGS = NEAR_FAR.prepare.__globals__
GRAPHS = [*tiny_graphs.GRAPHS.values(), *tiny_graphs.DEEP.values()]
GRID = tiny_graphs.GRAPHS["grid"]


@pytest.fixture(autouse=True)
def _few_threads(configure):
    """As in test_bounds.py, so that nothing else is compiled."""
    configure(NEAR_FAR, BLOCK=64, HOPS=2, MEAN_ARCS=10**6, LOCK_LANES=8)


@pytest.fixture
def wide_arcs(monkeypatch):
    monkeypatch.setattr("warpath.runs.operand.MOST_NARROW_ARCS", -1)


# ---- the choice of a way


@pytest.mark.parametrize(
    ("label", "chosen"),
    [("d0", "two sets, delta 512"), ("d32", "two sets, delta 32"), ("d8-buckets", "buckets, delta 8")],
)
def test_the_choice_is_told(label, chosen):
    device = devices.open("host")
    assert NEAR_FAR.prepare(device, Operand(GRID, device), NEAR_FAR.launch(label)).chosen == chosen


def test_more_arcs_than_32_bits_count_are_searched_in_buckets(wide_arcs):
    device = devices.open("host")
    rehearsal.rehearse(NEAR_FAR, device, GRID, NEAR_FAR.launches[0])
    assert NEAR_FAR.prepare(device, Operand(GRID, device), NEAR_FAR.launches[0]).chosen == "buckets, delta 8"


def random(vertices, arcs):
    tails, heads = np.random.default_rng(1).integers(0, vertices, (2, arcs))
    return from_edges("random", tails, heads, None, vertices)


def hubs(vertices, number):
    """All vertices have arcs to the hubs only."""
    tails, heads = np.repeat(np.arange(vertices), number), np.tile(np.arange(number), vertices)
    return from_edges("hubs", tails, heads, None, vertices)


@pytest.mark.parametrize(
    ("graph", "placement", "way"),
    [
        (ring(5000, 5), "device", ("window", 0)),
        (ring(5000, 2), "device", ("two sets", 512)),
        (ring(5000, 2), "host", ("two sets", 512)),
        (from_edges("zeros", np.arange(4999), np.arange(1, 5000), np.zeros(4999, int)), "device", ("two sets", 64)),
        (random(20_000, 100_000), "device", ("two sets", 32)),
        (random(20_000, 50_000), "device", ("two sets", 128)),
        (random(20_000, 100_000), "host", ("buckets", 2)),
        (random(60_000, 250_000), "device", ("buckets", 8)),
        (hubs(2000, 60), "device", ("buckets", 4)),
        (tiny_graphs.GRAPHS["complete"], "device", ("window", 0)),
        (tiny_graphs.GRAPHS["no_arcs"], "device", ("window", 0)),
    ],
    ids=[
        *("mesh", "mesh of few arcs", "mesh over the link", "weights of 0", "random", "random of few arcs"),
        *("random over the link", "large", "hubs", "small", "no arcs"),
    ],
)
def test_the_way_is_chosen_by_the_kind_of_graph(configure, graph, placement, way):
    configure(NEAR_FAR, SMALL_ARCS=10_000, FEW_ARCS=120_000, MANY_ARCS=400_000)
    assert SETTINGS["likely"](Operand(graph, None, placement=placement)) == way


# ---- searches


def test_more_may_be_listed_than_the_lanes_of_all_blocks_read_at_once(configure):
    configure(NEAR_FAR, likely=lambda graph: ("window", 0))
    draw = np.random.default_rng(3)
    tails = draw.integers(0, 659, 3284)  # on a path, and three hubs
    heads = np.where(draw.random(3284) < 0.3, draw.integers(0, 3, 3284), (tails + 1) % 659)
    graph = from_edges("hubs", tails, heads, draw.integers(0, 3_000_000, 3284), 659)
    check_from([575, 100, 300, 575], NEAR_FAR, graph, "d0")


@pytest.mark.parametrize("directed", [False, True])
def test_two_sets_go_on_where_buckets_have_few_arcs_for_many_rounds(configure, directed):
    """From the end of a path that leads to the hub of a graph, and from the hub."""
    configure(NEAR_FAR, PATIENCE=20, FEW_IN_ROUND=100)
    draw = np.random.default_rng(4)
    skewed, path = np.floor(300 * draw.random((2, 3000)) ** 3).astype(int), np.arange(300, 420)
    ends = np.concatenate([skewed, [path, [*path[1:], 0]]], axis=1)
    graph, sources, handed_over = from_edges("tail", *ends, draw.integers(1, 50, 3120), 420, directed), [300, 0], []
    for source, (solution, _) in zip(sources, solutions(NEAR_FAR, graph, sources, "d8-buckets"), strict=True):
        compare(NEAR_FAR, graph, source, solution)
        settled, rounds_before = solution.iterations.base.view("uint32")[2:4]
        handed_over.append(0 < settled < UNREACHABLE and 20 <= rounds_before < solution.iterations)
    assert handed_over == [True, not directed]


@pytest.mark.parametrize("placement", ["device", "host"])
def test_arcs_are_divided_by_class_of_weight_where_they_are(monkeypatch, placement):
    graph, device = LOCKED_HUBS, devices.open("host")
    pinned, pin = [], device.pin
    monkeypatch.setattr(device, "pin", lambda array: pinned.append(array.shape) or pin(array))
    operand = Operand(graph, device, placement=placement)
    arcs = SETTINGS["by_class"](device, operand)
    assert SETTINGS["by_class"](device, operand) is arcs
    assert pinned.count((graph.arcs, 2)) == (placement == "host")
    tails, weights = arc_tails(graph), arcs[:, 1]
    borders = weights - weights % (1 << np.maximum(np.frexp(weights)[1] - 2, 0))  # all but the first two bits are 0
    assert (np.diff(tails * 256 + borders) >= 0).all()
    rows = [np.stack([tails, *columns]) for columns in (arcs.T, (graph.targets, graph.weights))]
    np.testing.assert_array_equal(*(row[:, np.lexsort(row)] for row in rows))


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
    ends, weights = np.append(ends, [[0], [200]], axis=1), np.append(weights, UNREACHABLE)  # reaches nothing
    return from_edges(f"zeros {directed}", *ends, weights, 201, directed)


def test_other_ways_refuse_arcs_that_need_64_bits(wide_arcs):
    with pytest.raises(UnsupportedLaunch, match="288 arcs; this algorithm numbers them in 32 bits"):
        check_from([0], NEAR_FAR, GRID, "d32")
