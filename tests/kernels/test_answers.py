"""Every algorithm on every small graph against SciPy. A new algorithm is tested without new test code."""

import contextlib
from dataclasses import replace

import numpy as np
import pytest
import tiny_graphs
from trial import ALGORITHMS, KINDS, check_from

from warpath.algorithms import UNREACHABLE, Solution, peers
from warpath.algorithms.programs import build
from warpath.devices.errors import UnsupportedLaunch

FOR_ALL_LAUNCHES = ("grid", "random_directed_100")
# On a wide graph a matrix is too large, and the algorithms with V rounds take hours in emulation.
WITH_MATRIX = ("bfs/matrix", *(id for id, described in ALGORITHMS.items() if described.problem == "apsp"))
FOR_WIDE = {id: described for id, described in ALGORITHMS.items() if id not in WITH_MATRIX}
LONG = ("sssp/bellman_ford", "sssp/cpu_all_rounds", "sssp/two_flags")


def skip_where_absent(described, kind):
    """Skip a library that is not installed, or that needs a GPU where there is none."""
    if why := peers.why_skipped(described, kind) or (described.program and build.why_absent(described.program)):
        pytest.skip(why)


def refusal(sources, described, *trial):
    """The reason why a library refuses a graph that it cannot answer exactly; None if it answers, as ours must."""
    try:
        check_from(sources, described, *trial)
    except UnsupportedLaunch as error:
        if not (described.library or described.program):
            raise
        return str(error)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("graph", tiny_graphs.GRAPHS.values(), ids=tiny_graphs.GRAPHS)
@pytest.mark.parametrize("described", ALGORITHMS.values(), ids=ALGORITHMS)
def test_tiny_graph(described, graph, kind):
    skip_where_absent(described, kind)
    first, middle, last = 0, graph.vertices // 2, graph.vertices - 1
    if why := refusal([first, middle, last, first], described, graph, None, kind):
        pytest.skip(why)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", tiny_graphs.wide("host"))
@pytest.mark.parametrize("described", FOR_WIDE.values(), ids=FOR_WIDE)
def test_wide_graph(described, name, kind):
    skip_where_absent(described, kind)
    if described.id in LONG and (kind == "host" or described.device == "cpu"):
        pytest.skip("as many rounds as vertices")
    if why := refusal([0], described, tiny_graphs.wide(kind)[name], None, kind):
        pytest.skip(why)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("described", "label"),
    [(described, launch.label) for described in ALGORITHMS.values() for launch in described.launches],
    ids=lambda value: getattr(value, "id", value),
)
def test_every_launch(described, label, kind):
    skip_where_absent(described, kind)
    graphs = [tiny_graphs.GRAPHS[name] for name in FOR_ALL_LAUNCHES]
    refused = [refusal([0, graph.vertices - 1], described, graph, label, kind) for graph in graphs]
    assert None in refused, f"no graph is answered: {refused}"


RIGHT, TREE = [0, 1, 2, UNREACHABLE], [-1, 0, 1, -1]


@pytest.mark.parametrize(
    ("distance", "parents", "is_right"),
    [
        (RIGHT, TREE, True),
        ([0, 1, 3, UNREACHABLE], TREE, False),
        (RIGHT, [-1, 0, 0, -1], False),
        (RIGHT, [0, 0, 1, -1], False),  # a source has no parent
        (RIGHT, None, False),
    ],
)
def test_wrong_answers_are_found(distance, parents, is_right):
    graph = tiny_graphs.from_edges("path", [0, 1], [1, 2], None, 4)
    solution = Solution(np.array(distance, "uint32"), 1, parents and np.array(parents))
    described = replace(ALGORITHMS["bfs/level"], parents=True, prepare=lambda *_: lambda source: solution)
    with contextlib.nullcontext() if is_right else pytest.raises(AssertionError):
        check_from([0], described, graph)


def test_a_graph_whose_adjacency_matrix_is_too_large_is_refused(configure):
    described = ALGORITHMS["bfs/matrix"]
    configure(described, MOST_VERTICES=20)
    with pytest.raises(UnsupportedLaunch, match="81 vertices; a matrix is made for 20 at most"):
        check_from([0], described, tiny_graphs.GRAPHS["grid"])


def test_more_rows_than_a_grid_has_in_its_second_dimension(configure):
    configure(ALGORITHMS["apsp/fw_pair"], ROWS=7)
    check_from([None], ALGORITHMS["apsp/fw_pair"], tiny_graphs.GRAPHS["random_undirected_130"])
