"""Every algorithm that is found, on every small graph, against SciPy: a new one is tested with no new code."""

import pytest
import tiny_graphs
from trial import FOUND, check_from

from warpath import peers

KINDS = ["host", pytest.param("cuda", marks=pytest.mark.gpu)]
FOR_ALL_LAUNCHES = ("grid", "random_directed_100")
# A matrix of n x n, or V rounds of a launch each, would take long on a wide graph.
LONG = ("apsp/", "sssp/bellman_ford", "sssp/two_flags")
FOR_WIDE = {id: described for id, described in FOUND.items() if not id.startswith(LONG)}


def skip_where_absent(described, kind):
    """Libraries are tested where they are installed, those for the GPU where there is one."""
    if why := peers.why_skipped(described, kind):
        pytest.skip(why)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("graph", tiny_graphs.GRAPHS.values(), ids=tiny_graphs.GRAPHS)
@pytest.mark.parametrize("described", FOUND.values(), ids=FOUND)
def test_tiny_graph(described, graph, kind):
    skip_where_absent(described, kind)
    first, middle, last = 0, graph.vertices // 2, graph.vertices - 1
    check_from([first, middle, last, first], described, graph, kind=kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("graph", tiny_graphs.WIDE.values(), ids=tiny_graphs.WIDE)
@pytest.mark.parametrize("described", FOR_WIDE.values(), ids=FOR_WIDE)
def test_wide_graph(described, graph, kind):
    skip_where_absent(described, kind)
    check_from([0], described, graph, kind=kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("described", "label"),
    [(described, launch.label) for described in FOUND.values() for launch in described.launches],
    ids=lambda it: getattr(it, "id", it),
)
def test_every_launch(described, label, kind):
    skip_where_absent(described, kind)
    for name in FOR_ALL_LAUNCHES:
        graph = tiny_graphs.GRAPHS[name]
        check_from([0, graph.vertices - 1], described, graph, label, kind)


def test_more_rows_than_the_second_side_of_a_grid_holds(monkeypatch):
    described, graph = FOUND["apsp/fw_pair"], tiny_graphs.GRAPHS["random_undirected_130"]
    monkeypatch.setitem(described.prepare.__globals__, "ROWS", 7)
    check_from([None], described, graph)
