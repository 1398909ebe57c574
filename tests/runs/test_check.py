"""An answer is called right if and only if it is, whoever judges, wherever the answer is."""

import functools
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
from small_graphs import distances, from_edges

from warpath import devices
from warpath.algorithms import UNREACHABLE
from warpath.devices import errors
from warpath.runs import check, operand
from warpath.runs.operand import Operand
from warpath.runs.oracle import Oracle

pytestmark = pytest.mark.usefixtures("compiled_once")
FAR = 2**31 - 2  # the longest distance that fits

open_device = functools.cache(devices.open)


@pytest.fixture(params=["host", pytest.param("cuda", marks=pytest.mark.gpu)])
def device(request):
    return open_device(request.param)


def in_both_widths(device, graph):
    """Yield the graph on the device with narrow and with wide offsets."""
    for most_narrow_arcs, dtype in ((operand.MOST_NARROW_ARCS, "int32"), (-1, "int64")):
        with mock.patch.object(operand, "MOST_NARROW_ARCS", most_narrow_arcs):
            arrays = Operand(graph, device)
            yield arrays, arrays.arc_width
            assert arrays.offsets.dtype == dtype


def verdict(device, graph, answer, source=0, weighted=True):
    """Return the verdict on an answer, which must be the same with narrow and wide offsets."""
    answer = device.put(np.asarray(answer).astype("uint32"))
    narrow, wide = (
        check.prove(device, arrays, answer, source, weighted, **width)
        for arrays, width in in_both_widths(device, graph)
    )
    assert narrow == wide
    return narrow


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


def all_the_same(draw, graph, source, weighted, right):
    """All unreached, perhaps but for the source, or all at the source."""
    answer = np.full_like(right, draw.choice([0, UNREACHABLE]))
    answer[source] = draw.choice([0, answer[source]])
    return answer


def from_another_source(draw, graph, source, weighted, right):
    return distances(graph, int(draw.integers(graph.vertices)), weighted)


def another_component_reached(draw, graph, source, weighted, right):
    """Consistent in itself, but nothing leads there from the source."""
    others = np.flatnonzero(right == UNREACHABLE)
    return np.minimum(right, distances(graph, int(draw.choice(others)), weighted)) if len(others) else right


def equals_lowered(draw, graph, source, weighted, right):
    """All vertices at one distance: with them, whole cycles of zero weights."""
    by = draw.integers(3) * (right == right[draw.integers(graph.vertices)])
    return right - np.minimum(right, by.astype("uint32"))


def unspoiled(draw, graph, source, weighted, right):
    return right


SPOILERS = [unspoiled, one_changed, all_the_same, from_another_source, another_component_reached, equals_lowered]


@pytest.mark.parametrize("weighted, zeros", [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("spoil", SPOILERS)
def test_an_answer_is_right_if_and_only_if_scipy_says_so(device, spoil, weighted, zeros):
    draw, spoiled = np.random.default_rng(2), 0
    for _ in range(60):
        graph = random_graph(draw, zeros)
        source = int(draw.integers(graph.vertices))
        right = distances(graph, source, weighted)
        answer = spoil(draw, graph, source, weighted, right).astype("uint32")
        is_wrong = any(verdict(device, graph, answer, source, weighted))
        assert is_wrong == (answer != right).any()
        spoiled += is_wrong
    assert spoiled > 5 or spoil is unspoiled


# 0 -> 1 and 4; a cycle of zero weights 1 -> 2 -> 3 -> 1; 4 -> 1
CYCLE = from_edges("cycle", [0, 1, 2, 3, 0, 4], [1, 2, 3, 1, 4, 1], [5, 0, 0, 0, 2, 1], directed=True)


LOOP = from_edges("loop", [0, 1], [1, 1], [7, 0], directed=True, loops=True)
LONG = from_edges("long", [0, 1], [1, 2], [FAR, 2**31 - 1], directed=True)
EMPTY = from_edges("empty", [], [], vertices=33)


@pytest.mark.parametrize(
    "graph, answer, kinds",
    [
        (CYCLE, [0, 3, 3, 3, 2], (0, 0, 0)),
        (CYCLE, [0, 2, 2, 2, 2], (0, 0, 3)),  # the cycle hangs on itself
        (CYCLE, [0, 5, 5, 5, 2], (0, 1, 0)),  # vertex 1 misses the shorter way through 4
        (CYCLE, [0, 3, 3, 4, 2], (0, 1, 0)),
        (CYCLE, [0, 3, 3, UNREACHABLE, 2], (0, 1, 0)),
        (CYCLE, [1, 4, 4, 4, 3], (1, 0, 0)),
        (CYCLE, [UNREACHABLE] * 5, (1, 0, 0)),
        (CYCLE, [0, 3, 3, 3, 2**32 - 1], (0, 1, 3)),  # and the cycle has lost the arc that grounds it
        (LOOP, [0, 7], (0, 0, 0)),
        (LOOP, [0, 6], (0, 0, 1)),  # a loop of weight zero grounds nothing
        (LONG, [0, FAR, UNREACHABLE], (0, 1, 0)),  # its distance does not fit
        (LONG, [0, FAR, (2 * FAR + 1) % 2**32], (0, 1, 0)),  # sums of 32 bits would wrap
        (EMPTY, [0] + 32 * [UNREACHABLE], (0, 0, 0)),
        (EMPTY, 33 * [0], (0, 0, 32)),
    ],
)
def test_wrong_vertices_are_counted_by_kind(device, graph, answer, kinds):
    assert verdict(device, graph, answer) == kinds


@pytest.mark.parametrize("directed", [True, False])
def test_ground_spreads_along_a_path_of_zero_weights_in_any_order(device, directed):
    order = np.random.default_rng(3).permutation(200)
    graph = from_edges("path", order[:-1], order[1:], np.zeros(199, int), directed=directed)
    zeros = np.zeros(200, int)
    assert not any(verdict(device, graph, zeros, int(order[0])))
    assert verdict(device, graph, zeros, int(order[7]))[2] == (7 if directed else 0)


@pytest.mark.parametrize("weight", [0, 1])
def test_vertices_with_more_arcs_than_a_warp_takes_and_long_runs_of_isolated_ones(device, weight):
    leaves = np.arange(7000, 20000)
    ends = np.append(leaves, [20001, 20002]), np.append(np.full(13000, 6000), [20002, 30000])
    graph = from_edges("hub", *ends, np.full(13002, weight), 33000)
    right = distances(graph, 6000)
    assert not any(verdict(device, graph, right, 6000))
    right[19999] += 1
    assert any(verdict(device, graph, right, 6000))


def checker(kind, graph=CYCLE, problem="sssp", source=0, certificate=True):
    """Check answers on a graph by a certificate, or by comparison with SciPy's answer."""
    right = None if certificate else distances(graph, source, problem == "sssp")[None].astype("int32")
    device = open_device(kind)
    return check.Checker(device, Operand(graph, device), graph, Oracle([source], right, "", 0, right={}), problem)


def solution(distance, parents=None):
    return SimpleNamespace(distance=distance, parents=parents)


@pytest.mark.parametrize("certificate", [True, False])
@pytest.mark.parametrize("kind", ["host", "cpu", "peer"])
@pytest.mark.parametrize(
    "convert", [lambda answer: answer, lambda answer: answer.astype("int64"), lambda answer: np.repeat(answer, 2)[::2]]
)
def test_answers_are_judged_wherever_and_whatever_they_are(kind, convert, certificate):
    judge, right = checker(kind, certificate=certificate), distances(CYCLE, 0)
    for spoiled in (convert(right + 1), convert(right[1:]), right - (np.arange(5) == 3) * 2**32, right[:, None]):
        assert judge.wrong_vertices(0, solution(spoiled)) > 0
    assert [judge.wrong_vertices(0, solution(convert(right))) for _ in range(2)] == [0, 0]
    assert judge.wrong_vertices(0, solution(convert(right[1:]))) == 5


def test_an_answer_with_the_digest_of_a_right_one_is_not_looked_at_again(monkeypatch):
    judge, right = checker("host"), distances(CYCLE, 0)
    assert judge.wrong_vertices(0, solution(right)) == 0
    monkeypatch.setattr(check, "prove", None)
    assert judge.wrong_vertices(0, solution(right.copy())) == 0


@pytest.mark.parametrize("error", [MemoryError, errors.OutOfMemory])
def test_a_device_without_room_for_a_proof_leaves_it_to_the_host(monkeypatch, error):
    def prove(device, *arguments, **width):
        if device is judge._device:
            tried.append(device)
            raise error
        return prove_on(device, *arguments, **width)

    tried, judge, prove_on = [], checker("host"), check.prove
    monkeypatch.setattr(check, "prove", prove)
    assert [judge.wrong_vertices(0, solution(np.array(each, "uint32"))) for each in (SPOILED, RIGHT)] == [3, 0]
    assert len(tried) == 2


def test_a_conversion_by_a_library_is_asked_for_once():
    answer = mock.Mock(side_effect=lambda: distances(CYCLE, 0))
    judge = checker("peer")
    assert judge.wrong_vertices(0, judge.take(solution(answer))) == 0
    assert answer.call_count == 1


DIAMOND = from_edges("diamond", [0, 0, 1, 2], [1, 2, 3, 3], [1, 1, 1, 5], vertices=5, directed=True)


def wrong_parents(parents, graph, distance, weighted):
    """Count the wrong parents from vertex 0 on the host device, and as a run on another device does."""
    parents, distance = np.array(parents), np.asarray(distance).astype("uint32")
    (wrong,) = {
        check.wrong_parents(open_device("host"), arrays, parents.astype("int32"), distance, 0, weighted, **width)
        for arrays, width in in_both_widths(open_device("host"), graph)
    }
    problem = "sssp" if weighted else "bfs"
    for kind in ("host", "peer"):
        assert checker(kind, graph, problem).wrong_vertices(0, solution(distance, parents)) == wrong
    return wrong


@pytest.mark.parametrize(
    ("parents", "wrong", "wrong_by_weight"),
    [
        ([-1, 0, 0, 1, -1], 0, 0),
        ([0, 0, 0, 1, -1], 0, 0),  # the source may be its own parent
        ([-1, 0, 0, 2, -1], 0, 1),  # the arc 2 -> 3 is heavy
        ([-1, 0, 0, 0, -1], 1, 1),  # no arc 0 -> 3
        ([-1, 0, 0, 3, -1], 1, 1),  # its own parent
        ([-1, 0, 0, -1, -1], 1, 1),  # reached, no parent
        ([-1, 0, 0, 7, -1], 1, 1),  # no such vertex
        ([-1, 0, 0, 1, 3], 1, 1),  # not reached, yet a parent
        ([1, 0, 0, 1, -1], 1, 1),  # the source has another parent
    ],
)
def test_parents_that_are_not_in_a_shortest_path_tree_are_counted(parents, wrong, wrong_by_weight):
    by_problem = {weighted: distances(DIAMOND, 0, weighted) for weighted in (False, True)}
    assert wrong_parents(parents, DIAMOND, by_problem[False], False) == wrong
    assert wrong_parents(parents, DIAMOND, by_problem[True], True) == wrong_by_weight


@pytest.mark.parametrize("parents", [[-1, 0, 0, 1], [-1, 0, 0, 1 + 2**32, -1]])
def test_parents_of_another_shape_or_beyond_32_bits_are_wrong(parents):
    right = distances(DIAMOND, 0)
    assert checker("host", DIAMOND).wrong_vertices(0, solution(right, np.array(parents))) > 0


def test_a_cycle_of_zero_weights_is_not_a_tree():
    graph = from_edges("cycle", [0, 1, 2], [1, 2, 1], [0, 0, 0], directed=True)
    assert wrong_parents([-1, 0, 1], graph, [0, 0, 0], True) == 0
    assert wrong_parents([-1, 2, 1], graph, [0, 0, 0], True) == 2


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("weighted", [False, True])
def test_every_spoiled_parent_is_found(seed, weighted):
    draw = np.random.default_rng(seed)
    graph = from_edges("random", *draw.integers(0, 60, (2, 150)), draw.integers(1, 5, 150), 60, bool(seed % 2))
    distance = distances(graph, 0, weighted).astype("int64")
    tails = np.repeat(np.arange(60), np.diff(graph.offsets))
    tight = distance[tails] + (graph.weights if weighted else 1) == distance[graph.targets]
    parents = np.full(60, -1)
    parents[graph.targets[tight]] = tails[tight]
    parents[(distance == UNREACHABLE) | (np.arange(60) == 0)] = -1
    assert wrong_parents(parents, graph, distance, weighted) == 0
    right = set(zip(tails[tight].tolist(), graph.targets[tight].tolist(), strict=True))
    for vertex, parent in draw.integers(1, 60, (40, 2)).tolist():
        spoiled = parents.copy()
        spoiled[vertex] = parent
        assert wrong_parents(spoiled, graph, distance, weighted) == ((parent, vertex) not in right)


RIGHT, SPOILED, TREE, NO_TREE = [0, 3, 3, 3, 2], [0, 2, 2, 2, 2], [-1, 4, 1, 2, 0], [-1, 0, 1, 2, 0]


@pytest.mark.parametrize(
    ("certificate", "answers", "wrong", "arcs_visited"),
    [
        # the first right answer is proved, and the others are compared with it
        (True, [(SPOILED, None), (RIGHT, None), (SPOILED, None), (RIGHT, TREE)], [3, 0, 3, 0], [None, 6, 6, 6]),
        (True, [(RIGHT, TREE), (RIGHT, NO_TREE)], [0, 1], [6, 6]),
        (False, [(SPOILED, TREE), (RIGHT, TREE), (SPOILED, TREE), (RIGHT, NO_TREE)], [3, 0, 3, 1], [6, 6, 6, 6]),
    ],
    ids=["proved once", "parents of a proved answer", "compared with SciPy's"],
)
def test_answers_one_after_the_other_have_wrong_vertices_and_arcs_visited(certificate, answers, wrong, arcs_visited):
    judge, found = checker("host", certificate=certificate), []
    for distance, parents in answers:
        one = solution(np.array(distance, "uint32"), parents and np.array(parents, "int32"))
        found.append((judge.wrong_vertices(0, one), judge.arcs_visited(0)))
    assert found == list(zip(wrong, arcs_visited, strict=True))
