"""Graphs of 2^31 arcs and more, tried on small ones: their limit is lowered, so that arcs are numbered in 64 bits."""

import pytest
import tiny_graphs
from trial import KINDS, OURS, check_from

from warpath import devices
from warpath.devices.errors import UnsupportedLaunch
from warpath.runs import operand

GRAPHS = [tiny_graphs.GRAPHS[name] for name in ("random_directed_100", "grid", "no_arcs", "zero_weights")]
QUICK = ("bfs/persistent", "bfs/level", "bfs/scan", "sssp/two_flags", "sssp/tpe_incore")  # each layout of arcs
WIDE = [
    pytest.param(described, id=id, marks=() if id in QUICK else pytest.mark.slow)
    for id, described in OURS.items()
    if (described.paper and not id.startswith("apsp/")) or id == "bfs/persistent"
]
NARROW = {id: described for id, described in OURS.items() if id.startswith("apsp/") or described.device == "cpu"}


@pytest.fixture(autouse=True)
def _wide(monkeypatch):
    monkeypatch.setattr(operand, "MOST_NARROW_ARCS", -1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("described", WIDE)
def test_answers_are_right(described, kind):
    for graph in GRAPHS:
        check_from([0, graph.vertices - 1], described, graph, kind=kind)


@pytest.mark.parametrize("described", NARROW.values(), ids=NARROW)
def test_other_algorithms_refuse_before_they_read_the_graph(described):
    with pytest.raises(UnsupportedLaunch, match=r"^288 arcs; this algorithm numbers them in 32 bits"):
        check_from([0], described, tiny_graphs.GRAPHS["grid"])


def test_transposes_need_the_width_as_well():
    graph = tiny_graphs.GRAPHS["random_directed_100"]
    device = devices.open("host")
    with pytest.raises(UnsupportedLaunch, match="in 32 bits"):
        _ = operand.Operand(graph, device).transpose.offsets
    wide = operand.Operand(graph, device)
    assert wide.arc_width == {"wide_arcs": 1}
    assert wide.transpose.offsets.dtype == wide.offsets.dtype == "int64"
    assert wide.transpose.edge_list("source").dtype == "int32"


def test_below_the_limit_nothing_is_compiled_for_it(monkeypatch):
    graph = tiny_graphs.GRAPHS["grid"]
    for most, width, dtype in ((graph.arcs, {}, "int32"), (graph.arcs - 1, {"wide_arcs": 1}, "int64")):
        monkeypatch.setattr(operand, "MOST_NARROW_ARCS", most)
        on_device = operand.Operand(graph, devices.open("host"))
        assert (on_device.arc_width, on_device.arc_type, on_device.offsets.dtype) == (width, dtype, dtype)


def test_a_transposed_graph_has_every_arc_reversed():
    for graph in (tiny_graphs.GRAPHS["random_directed_100"], tiny_graphs.GRAPHS["kept_loops"]):
        arcs = sorted(zip(graph.targets, operand.arc_tails(graph), graph.weights, strict=True))
        reverse = operand.transposed(graph)
        assert list(zip(operand.arc_tails(reverse), reverse.targets, reverse.weights, strict=True)) == arcs
