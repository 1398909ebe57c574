"""The certificate calls an answer right if and only if SciPy's distances say so, by kernels and by NumPy alike."""

import functools
import json
from unittest import mock

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra
from small_graphs import from_edges

from warpath import cli, devices
from warpath.algorithms import UNREACHABLE
from warpath.base import places
from warpath.devices import errors
from warpath.graphs import csr
from warpath.runs import certificate, check, operand
from warpath.runs.kept import Kept
from warpath.runs.operand import Operand

FAR = 2**31 - 2  # the longest distance that fits

open_device = functools.cache(devices.open)


@pytest.fixture(params=["host", pytest.param("cuda", marks=pytest.mark.gpu)])
def device(request):
    return open_device(request.param)


def right_distances(graph, source, weighted=True):
    weights = graph.weights.astype(float) if weighted else np.ones(graph.arcs)
    matrix = csr_array((weights, graph.targets, graph.offsets), shape=(graph.vertices, graph.vertices))
    return np.minimum(dijkstra(matrix, indices=source), UNREACHABLE).astype("uint32")


def verdict(device, graph, answer, source=0, weighted=True):
    """Return the verdict of NumPy and of the kernels with narrow and wide offsets, which must be the same."""
    answer = np.asarray(answer).astype("uint32")
    on_device = device.put(answer)
    by_numpy = certificate.by_numpy(graph, answer, source, weighted)
    for most_narrow_arcs, dtype in ((operand.MOST_NARROW_ARCS, "int32"), (-1, "int64")):
        with mock.patch.object(operand, "MOST_NARROW_ARCS", most_narrow_arcs):
            arrays = Operand(graph, device)
            assert certificate.by_kernels(device, arrays, on_device, source, weighted) == by_numpy
            assert arrays.offsets.dtype == dtype
    return by_numpy


def random_graph(draw, zeros):
    """Several components, isolated vertices, loops; light weights, so that many paths are equally long."""
    vertices = int(draw.integers(1, 70))
    ends = draw.integers(0, vertices, (2, int(draw.integers(0, 2 * vertices))))
    weights = draw.integers(0 if zeros else 1, 4, ends.shape[1])
    return from_edges("random", *ends, weights, vertices, bool(draw.integers(2)), loops=True)


# Ways to spoil an answer: functions of a draw, the graph, the source, whether arcs have weights, and the right answer.
# Where there is nothing to spoil they return the right answer, and random ones may hit on it.


def one_changed(draw, graph, source, weighted, right):
    vertex, answer = draw.integers(graph.vertices), right.copy()
    near = [right[vertex] + 1, max(right[vertex], 1) - 1, draw.integers(6)]
    answer[vertex] = draw.choice([*near, UNREACHABLE, draw.integers(UNREACHABLE + 1, 2**32)])
    return answer


def all_shifted(draw, graph, source, weighted, right):
    answer = np.where(right < UNREACHABLE, right + 1, right)
    answer[source] = draw.integers(2)
    return answer


def all_the_same(draw, graph, source, weighted, right):
    """All unreached, perhaps but for the source, or all at the source."""
    answer = np.full_like(right, draw.choice([0, UNREACHABLE]))
    answer[source] = draw.choice([0, answer[source]])
    return answer


def from_another_source(draw, graph, source, weighted, right):
    return right_distances(graph, int(draw.integers(graph.vertices)), weighted)


def another_component_reached(draw, graph, source, weighted, right):
    """Consistent in itself, but nothing leads there from the source."""
    others = np.flatnonzero(right == UNREACHABLE)
    return np.minimum(right, right_distances(graph, int(draw.choice(others)), weighted)) if len(others) else right


def equals_lowered(draw, graph, source, weighted, right):
    """All vertices at one distance: with them, whole cycles of zero weights."""
    by = draw.integers(3) * (right == right[draw.integers(graph.vertices)])
    return right - np.minimum(right, by.astype("uint32"))


def a_distance_and_beyond_lowered(draw, graph, source, weighted, right):
    beyond = (right >= right[draw.integers(graph.vertices)]) & (right < UNREACHABLE) & (right > 0)
    return right - beyond.astype("uint32")


def without_weights(draw, graph, source, weighted, right):
    return right_distances(graph, source, not weighted)


SPOILERS = [
    one_changed,
    all_shifted,
    all_the_same,
    from_another_source,
    another_component_reached,
    equals_lowered,
    a_distance_and_beyond_lowered,
    without_weights,
]
each_kind_of_weights = pytest.mark.parametrize("weighted, zeros", [(False, False), (True, False), (True, True)])


@each_kind_of_weights
@pytest.mark.parametrize("spoil", SPOILERS)
def test_an_answer_is_right_if_and_only_if_scipy_says_so(device, spoil, weighted, zeros):
    draw, spoiled = np.random.default_rng(2), 0
    for _ in range(60):
        graph = random_graph(draw, zeros)
        source = int(draw.integers(graph.vertices))
        right = right_distances(graph, source, weighted)
        assert verdict(device, graph, right, source, weighted).wrong == 0
        answer = spoil(draw, graph, source, weighted, right).astype("uint32")
        wrong = verdict(device, graph, answer, source, weighted).wrong
        assert (wrong > 0) == (answer != right).any()
        spoiled += wrong > 0
    assert spoiled > 5


# 0 -> 1 and 4; a cycle of zero weights 1 -> 2 -> 3 -> 1; 4 -> 1
CYCLE = from_edges("cycle", [0, 1, 2, 3, 0, 4], [1, 2, 3, 1, 4, 1], [5, 0, 0, 0, 2, 1], directed=True)


@pytest.mark.parametrize(
    "answer, kinds",
    [
        ([0, 3, 3, 3, 2], (0, 0, 0)),
        ([0, 2, 2, 2, 2], (0, 0, 3)),  # the cycle hangs on itself
        ([0, 5, 5, 5, 2], (0, 1, 0)),  # vertex 1 misses the shorter way through 4
        ([0, 3, 3, 4, 2], (0, 1, 0)),
        ([0, 3, 3, UNREACHABLE, 2], (0, 1, 0)),
        ([1, 4, 4, 4, 3], (1, 0, 0)),
        ([UNREACHABLE] * 5, (1, 0, 0)),
        ([0, 3, 3, 3, 2**32 - 1], (0, 1, 3)),  # and the cycle has lost the arc that grounds it
    ],
)
def test_wrong_vertices_are_counted_by_kind(device, answer, kinds):
    assert verdict(device, CYCLE, answer) == kinds


def test_a_loop_of_weight_zero_grounds_nothing(device):
    graph = from_edges("loop", [0, 1], [1, 1], [7, 0], directed=True, loops=True)
    assert verdict(device, graph, [0, 7]).wrong == 0
    assert verdict(device, graph, [0, 6]).ungrounded == 1


@pytest.mark.parametrize("directed", [True, False])
def test_ground_spreads_along_a_path_of_zero_weights_in_any_order(device, directed):
    order = np.random.default_rng(3).permutation(200)
    graph = from_edges("path", order[:-1], order[1:], np.zeros(199, int), directed=directed)
    zeros = np.zeros(200, int)
    assert verdict(device, graph, zeros, int(order[0])).wrong == 0
    assert verdict(device, graph, zeros, int(order[7])).ungrounded == (7 if directed else 0)


@pytest.mark.parametrize("weight", [0, 1])
def test_vertices_with_more_arcs_than_a_warp_takes_and_long_runs_of_isolated_ones(device, weight):
    leaves = np.arange(7000, 20000)
    ends = np.append(leaves, [20001, 20002]), np.append(np.full(13000, 6000), [20002, 30000])
    graph = from_edges("hub", *ends, np.full(13002, weight), 33000)
    right = right_distances(graph, 6000)
    assert verdict(device, graph, right, 6000).wrong == 0
    right[19999] += 1
    assert verdict(device, graph, right, 6000).wrong > 0


@pytest.mark.parametrize("vertices", [1, 31, 32, 33, 64])
def test_graphs_without_arcs(device, vertices):
    graph = from_edges("empty", [], [], vertices=vertices)
    answer = np.full(vertices, UNREACHABLE)
    answer[-1] = 0
    assert verdict(device, graph, answer, vertices - 1).wrong == 0
    answer[-1] = 3
    assert verdict(device, graph, answer, vertices - 1) == (1, 0, 0)
    answer[:] = 0
    assert verdict(device, graph, answer, vertices - 1) == (0, 0, vertices - 1)


def test_sums_beyond_32_bits_do_not_wrap(device):
    graph = from_edges("long", [0, 1], [1, 2], [FAR, 2**31 - 1], directed=True)
    assert verdict(device, graph, [0, FAR, UNREACHABLE]).violated == 1  # its distance does not fit
    assert verdict(device, graph, [0, FAR, (2 * FAR + 1) % 2**32]).violated == 1
    assert verdict(device, from_edges("long", [0], [1], [FAR]), [0, FAR]).wrong == 0


@pytest.mark.parametrize("arcs_at_once", [1, 7, 1000])
def test_numpy_may_take_any_number_of_arcs_at_once(monkeypatch, arcs_at_once):
    monkeypatch.setattr(certificate, "ARCS_AT_ONCE", arcs_at_once)
    test_an_answer_is_right_if_and_only_if_scipy_says_so(open_device("host"), one_changed, True, True)


@pytest.mark.parametrize("kind", ["host", "cpu", "peer"])
@pytest.mark.parametrize(
    "convert",
    [
        lambda answer: answer,
        lambda answer: answer.astype("int64"),
        lambda answer: np.repeat(answer, 2)[::2],
    ],
)
def test_answers_are_judged_wherever_and_whatever_they_are(kind, convert):
    graph, right = CYCLE, right_distances(CYCLE, 0)
    device = devices.open(kind)
    arrays = Operand(graph, device)
    assert certificate.prove(device, arrays, graph, convert(right), 0, True) == 0
    assert certificate.prove(device, arrays, graph, convert(right + 1), 0, True) > 0
    assert certificate.prove(device, arrays, graph, convert(right[1:]), 0, True) == 5


@pytest.mark.parametrize("error", [MemoryError, errors.OutOfMemory])
def test_a_device_without_room_for_a_proof_leaves_it_to_numpy(monkeypatch, error):
    monkeypatch.setattr(certificate, "by_kernels", mock.Mock(side_effect=error))
    device = devices.open("host")
    for answer, expected in [([0, 3, 3, 3, 2], 0), ([0, 2, 2, 2, 2], 3)]:
        on_device = device.put(np.array(answer, "uint32"))
        assert certificate.prove(device, Operand(CYCLE, device), CYCLE, on_device, 0, True) == expected
    assert certificate.by_kernels.call_count == 2


def test_a_conversion_by_a_library_is_asked_for_once():
    calls = []

    def answer():
        calls.append(1)
        return right_distances(CYCLE, 0)

    assert certificate.prove(devices.open("peer"), None, CYCLE, answer, 0, True) == 0
    assert len(calls) == 1


KERNEL = """
import numpy as np
from warpath.algorithms import Solution, algorithm

@algorithm(launches=[{"block": 64}], parents=True)
def mine(device, graph, launch):
    answers = iter(%s)
    def solve(source):
        distance, parents = next(answers)
        return Solution(np.array(distance, "uint32"), 2, np.array(parents, "int32") if parents else None)
    return solve
"""
RIGHT, SPOILED, TREE, NO_TREE = [0, 3, 3, 3, 2], [0, 2, 2, 2, 2], [-1, 4, 1, 2, 0], [-1, 0, 1, 2, 0]


@pytest.mark.parametrize(
    ("judge", "answers", "wrong", "arcs_visited"),
    [
        # the first right answer is proved, and the others are compared with it
        (
            "certificate",
            [(SPOILED, None), (RIGHT, None), (SPOILED, None), (RIGHT, TREE)],
            [3, 0, 3, 0],
            [None, 6, 6, 6],
        ),
        ("certificate", [(RIGHT, TREE), (RIGHT, NO_TREE)], [0, 1], [6, 6]),
        ("scipy", [(RIGHT, TREE), (SPOILED, TREE), (RIGHT, NO_TREE)], [0, 3, 1], [6, 6, 6]),
    ],
    ids=["proved once", "parents of a proved answer", "parents of an answer that is compared"],
)
def test_a_run_checks_answers_and_parents(tmp_path, kernel_cache, monkeypatch, judge, answers, wrong, arcs_visited):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WARPATH_CACHE", str(kernel_cache))
    monkeypatch.setenv("WARPATH_LOCKS", str(tmp_path))
    csr.write(CYCLE, places.graph("cycle"))
    right = places.oracle("cycle", "sssp")
    seconds = "0" if judge == "certificate" else "1e9"
    command = ["oracle", places.graph("cycle"), "sssp", "--sources", "0,", "--output", right]
    assert cli.main([*command, "--scipy-seconds", seconds]) == 0
    if judge == "scipy":  # as on a GPU, where nothing is fetched that is compared
        monkeypatch.setattr(Kept, "differences", lambda *arguments: int(np.count_nonzero(arguments[1] != arguments[4])))
        monkeypatch.setattr(check, "wrong_vertices", None)
    (tmp_path / "kernels/sssp").mkdir(parents=True)
    (tmp_path / "kernels/sssp/mine.py").write_text(KERNEL % answers)
    record = places.record("cycle", "sssp", "mine", "b64")
    options = ["--kernels", str(tmp_path / "kernels"), "--warmup", "0", "--repetitions", str(len(answers))]
    assert cli.main(["run", record, *options]) == 0
    found = json.loads((tmp_path / record).read_text())
    assert (found["judge"], found["status"]) == (judge, "wrong")
    assert [sample["wrong_vertices"] for sample in found["samples"]] == wrong
    assert [sample["arcs_visited"] for sample in found["samples"]] == arcs_visited
