"""Every algorithm that is found, on every small graph, against SciPy: a new one is tested with no new code."""

from dataclasses import replace

import pytest
import tiny_graphs
from trial import FOUND, check_from

from warpath import peers
from warpath.devices.errors import UnsupportedLaunch

KINDS = ["host", pytest.param("cuda", marks=pytest.mark.gpu)]
FOR_ALL_LAUNCHES = ("grid", "random_directed_100")
# A matrix of n x n would be too large for a wide graph, and V rounds of a launch each take hours where it is emulated.
FOR_WIDE = {id: described for id, described in FOUND.items() if described.problem != "apsp"}
LONG = ("sssp/bellman_ford", "sssp/two_flags")


def skip_where_absent(described, kind):
    """Libraries are tested where they are installed, those for the GPU where there is one."""
    if why := peers.why_skipped(described, kind):
        pytest.skip(why)


def refusal(sources, described, *trial):
    """Why a library declines a graph that it could not answer exactly, if it does. Ours answer every graph."""
    try:
        check_from(sources, described, *trial)
    except UnsupportedLaunch as error:
        if not described.library:
            raise
        return str(error)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("graph", tiny_graphs.GRAPHS.values(), ids=tiny_graphs.GRAPHS)
@pytest.mark.parametrize("described", FOUND.values(), ids=FOUND)
def test_tiny_graph(described, graph, kind):
    skip_where_absent(described, kind)
    first, middle, last = 0, graph.vertices // 2, graph.vertices - 1
    if why := refusal([first, middle, last, first], described, graph, None, kind):
        pytest.skip(why)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("graph", tiny_graphs.WIDE.values(), ids=tiny_graphs.WIDE)
@pytest.mark.parametrize("described", FOR_WIDE.values(), ids=FOR_WIDE)
def test_wide_graph(described, graph, kind):
    skip_where_absent(described, kind)
    if described.id in LONG and kind == "host":
        pytest.skip("as many rounds as vertices")
    if why := refusal([0], described, graph, None, kind):
        pytest.skip(why)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("described", "label"),
    [(described, launch.label) for described in FOUND.values() for launch in described.launches],
    ids=lambda it: getattr(it, "id", it),
)
def test_every_launch(described, label, kind):
    skip_where_absent(described, kind)
    graphs = [tiny_graphs.GRAPHS[name] for name in FOR_ALL_LAUNCHES]
    refused = [refusal([0, graph.vertices - 1], described, graph, label, kind) for graph in graphs]
    assert None in refused, f"no graph is answered: {refused}"


@pytest.mark.parametrize("library", [None, "numpy"])
def test_a_library_may_refuse_and_ours_may_not(library):
    def refuses(device, graph, launch):
        raise UnsupportedLaunch("too long")

    described = replace(FOUND["bfs/level"], prepare=refuses, library=library)
    trial = [0], described, tiny_graphs.GRAPHS["grid"]
    if library:
        assert refusal(*trial) == "too long"
    else:
        with pytest.raises(UnsupportedLaunch):
            refusal(*trial)


def test_more_rows_than_the_second_side_of_a_grid_holds(monkeypatch):
    described, graph = FOUND["apsp/fw_pair"], tiny_graphs.GRAPHS["random_undirected_130"]
    monkeypatch.setitem(described.prepare.__globals__, "ROWS", 7)
    check_from([None], described, graph)
