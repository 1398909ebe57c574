"""Iterations and kernel launches, where the papers say how many there are."""

import functools

import numpy as np
import pytest
import tiny_graphs
import trial
from trial import ALGORITHMS

from warpath.algorithms import UNREACHABLE
from warpath.runs.operand import arc_tails

SAMPLE = ["path", "disconnected", "one_vertex", "no_arcs", "detour", "zero_weights"]
SAMPLE += ["random_directed_100", "random_undirected_130"]
each_sample = pytest.mark.parametrize("graph", [tiny_graphs.GRAPHS[name] for name in SAMPLE], ids=SAMPLE)


@pytest.fixture(params=trial.KINDS)
def solve(request):
    return functools.partial(trial.solve, kind=request.param)


def levels(graph, source=0):
    distance = tiny_graphs.right_answer(graph, "bfs", source)
    return distance[distance != UNREACHABLE].max() + 1


def rounds(graph, source=0):
    """Rounds of a relaxation that uses only the distances of the round before; the last round changes nothing."""
    cost = np.full(graph.vertices, UNREACHABLE, np.int64)
    cost[source] = 0
    number, changed = 0, True
    while changed:
        after = cost.copy()
        np.minimum.at(after, graph.targets, cost[arc_tails(graph)] + graph.weights)
        changed = (after != cost).any()
        cost, number = after, number + 1
    return number


def vertices(graph):
    return graph.vertices


def rounds_below_v(graph):
    return min(rounds(graph), graph.vertices - 1)


def rounds_from_all(graph):
    return sum(rounds(graph, source) for source in range(graph.vertices))


def tiles(side, graph):
    return -(-graph.vertices // side)


ALL_LEVELS = ("level", "frontier", "frontier_struct", "queue", "queue_struct", "matrix", "one_frontier_struct")
# The iterations of an algorithm, the launches of each, and those before.
COUNTS = [
    *((f"bfs/{name}", None, levels, 1, 0) for name in ALL_LEVELS),
    ("bfs/scan", None, levels, 4, 0),
    *((f"sssp/{name}", None, rounds, 2, 0) for name in ("two_kernel", "coarsened", "coarsened_strided")),
    ("sssp/bellman_ford", None, vertices, 1, 1),
    ("sssp/two_flags", None, vertices, 2, 1),
    *(("sssp/bmf_outcore", label, rounds_below_v, 1, 0) for label in ("b256-g8-source", "b1024-g2-target")),
    ("sssp/bmf_shared", "b384-g5", rounds_below_v, 1, 0),
    ("apsp/fw_pair", None, vertices, 1, 1),
    ("apsp/fw_vertex", None, vertices, 1, 1),
    *(("apsp/fw_blocked", f"t{tile}", functools.partial(tiles, tile), 3, 1) for tile in (8, 16, 32, 64)),
    ("apsp/repeated_sssp", None, rounds_from_all, 2, 0),
    ("bfs/persistent", "a16-be64", levels, 0, 1),
    ("sssp/cpu_all_rounds", None, vertices, 0, 1),
]

# The most iterations, where fewer may do, the launches of each, and those before.
LIMITS = [
    ("bfs/one_frontier", None, lambda graph: 2 * graph.vertices, 1, 0),
    ("sssp/racy", None, vertices, 2, 0),
    ("sssp/bugged", None, vertices, 2, 0),
    *(("sssp/bmf_incore", label, rounds_below_v, 1, 0) for label in ("b256-g8-source", "b1024-g2-target")),
    ("sssp/cpu_bellman_ford", None, rounds_below_v, 0, 1),
]


@each_sample
@pytest.mark.parametrize(("id", "label", "iterations", "launches", "before"), COUNTS)
def test_iterations_and_launches(solve, graph, id, label, iterations, launches, before):
    solution, launched = solve(ALGORITHMS[id], graph, 0, label)
    assert (int(solution.iterations), launched) == (iterations(graph), before + launches * iterations(graph))


@each_sample
@pytest.mark.parametrize(("id", "label", "most", "launches", "before"), LIMITS)
def test_no_more_iterations(solve, graph, id, label, most, launches, before):
    solution, launched = solve(ALGORITHMS[id], graph, 0, label)
    assert launched == before + launches * solution.iterations
    assert solution.iterations <= most(graph)


@each_sample
def test_parents_take_a_launch_at_most(solve, graph):
    solution, launches = solve(ALGORITHMS["bfs/persistent"], graph, 0, "a16-be64-tree")
    assert (int(solution.iterations), launches <= 2) == (levels(graph), True)


@pytest.mark.parametrize("name", ["one_frontier", "one_frontier_struct"])
def test_one_frontier_gives_costs_that_are_too_high(monkeypatch, name):
    """Vertices 1 and 600 are neighbours of the source, and of each other: 1 finds 600 before that is marked visited."""
    monkeypatch.setattr(trial.device_of_kind("host"), "multiprocessors", 1)  # blocks one after the other
    source = 1099  # in the last block, so that the others meet its neighbours in the second launch
    arcs = [source, source, 1, 600], [1, 600, 600, 601]
    graph = tiny_graphs.from_edges("shortcut", *arcs, None, source + 1, directed=True)
    solution, _ = trial.solve(ALGORITHMS[f"bfs/{name}"], graph, source)
    assert solution.distance[[source, 1, 600, 601]].tolist() == [0, 1, 2, 3]


def test_singhs_count(solve):
    """The report counts a call a level of its first graph."""
    solution, launches = solve(ALGORITHMS["bfs/frontier_struct"], tiny_graphs.GRAPHS["singh_figure_1"], 0, "default")
    assert solution.iterations == launches == 3


@pytest.mark.parametrize(("vertices", "shape"), [(10, (1, 10)), (512, (1, 512)), (513, (2, 512))])
def test_singhs_blocks(monkeypatch, vertices, shape):
    """One block of as many threads as vertices; section 4.4 has at most 512."""
    shapes = []
    device, graph = trial.device_of_kind("host"), tiny_graphs.of_levels(vertices, 5)
    kernels = device.kernels(trial.discovery.KERNELS / "bfs" / "frontier_struct", "expand")
    original = type(kernels[0]).bound
    monkeypatch.setattr(type(kernels[0]), "bound", lambda *given: shapes.append(given[1]) or original(*given))
    trial.solve(ALGORITHMS["bfs/frontier_struct"], graph, 0, "default")
    assert shapes == [shape, shape]


@pytest.mark.parametrize("name", ["frontier_struct", "one_frontier_struct"])
def test_the_clock_of_a_compiled_loop_has_all_calls(solve, name):
    graph = tiny_graphs.of_levels(64, 13)
    solution, _ = solve(ALGORITHMS[f"bfs/{name}"], graph, 0, "default")
    phases = solution.phases()
    assert 0 < phases["last_call_ms"] < phases["calls_ms"]


@each_sample
@pytest.mark.parametrize(
    ("name", "kernels"),
    [(f"tpe_{core}{scans}", 4 - bool(scans)) for core in ("outcore", "incore") for scans in ("", "_one_scan")],
)
def test_tpe_times_its_phases_apart(solve, name, kernels, graph):
    solution, launches = solve(ALGORITHMS[f"sssp/{name}"], graph, 0)
    assert solution.iterations <= graph.vertices - 1
    assert 0 <= launches - kernels * solution.iterations < kernels
    phases = solution.phases()
    assert phases.keys() == {"filter_ms", "compute_ms"}
    assert (phases["filter_ms"] > 0) == (launches > 0)
    assert (phases["compute_ms"] > 0) == (solution.iterations > 0)


@pytest.mark.parametrize("id", [id for id, described in ALGORITHMS.items() if described.device == "cpu"])
def test_baselines_may_be_called_many_times_for_a_sample(id):
    """They initialise what they change, so that further calls do what the first did."""
    described, graph, device = ALGORITHMS[id], tiny_graphs.GRAPHS["detour"], trial.device_of_kind("cpu")
    once, launches = trial.solve(described, graph, 0, kind="cpu")
    device.calls = 3
    try:
        again, _ = trial.solve(described, graph, 0, kind="cpu")
    finally:
        device.calls = 1
    assert launches == 1
    assert (again.distance == once.distance).all()
    assert again.iterations == once.iterations
