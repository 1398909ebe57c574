"""The checker finds every kind of wrong answer."""

from unittest import mock

import numpy as np
import pytest
from small_graphs import from_edges

from warpath import devices
from warpath.algorithms import UNREACHABLE
from warpath.runs import check, operand, oracle

HOST = devices.open("host")

RIGHT = np.array([0, 1, 1, 2, UNREACHABLE], np.int32)
GRAPH = from_edges("diamond", [0, 0, 1, 2], [1, 2, 3, 3], [1, 1, 1, 5], vertices=5, directed=True)


@pytest.mark.parametrize("kind", [np.uint32, np.int64])
def test_wrong_distances_are_counted_whatever_their_type(kind):
    assert check.wrong_distances(RIGHT.astype(kind), RIGHT) == 0
    for vertex in range(5):
        assert check.wrong_distances(RIGHT.astype(kind) + (np.arange(5) == vertex).astype(kind), RIGHT) == 1
    assert check.wrong_distances(np.zeros(4, kind), RIGHT) == 5


def tree(parents, distance=RIGHT, unit_weights=True, graph=GRAPH):
    """Count the wrong parents by NumPy, and by kernels on devices that run them, with narrow and wide offsets."""
    wrong = check.wrong_parents(np.array(parents), distance, graph, 0, unit_weights)
    for most_narrow_arcs in (operand.MOST_NARROW_ARCS, -1):
        with mock.patch.object(operand, "MOST_NARROW_ARCS", most_narrow_arcs):
            arrays = np.array(parents, np.int32), distance.astype(np.uint32)
            view = operand.Operand(graph, HOST)
            found = check.wrong_parents_on_device(HOST, view, *map(HOST.put, arrays), 0, not unit_weights)
        assert found in (wrong, None) and (found is not None or (graph.weights == 0).any())
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
    assert (tree(parents), tree(parents, unit_weights=False)) == (wrong, wrong_by_weight)


def test_a_cycle_of_zero_weights_is_not_a_tree():
    graph = from_edges("cycle", [0, 1, 2], [1, 2, 1], [0, 0, 0], directed=True)
    distance = np.zeros(3, np.int32)
    assert tree([-1, 0, 1], distance, False, graph) == 0
    assert tree([-1, 2, 1], distance, False, graph) == 2


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weighted", [False, True])
def test_every_spoiled_parent_is_found(seed, weighted):
    draw = np.random.default_rng(seed)
    graph = from_edges("random", *draw.integers(0, 60, (2, 150)), draw.integers(1, 5, 150), 60, bool(seed % 2))
    distance = oracle.compute(graph, "sssp" if weighted else "bfs", [0], 1)[1][0]
    tails = np.repeat(np.arange(60), np.diff(graph.offsets))
    tight = distance[tails] + (graph.weights if weighted else 1) == distance[graph.targets]
    parents = np.full(60, -1)
    parents[graph.targets[tight]] = tails[tight]
    parents[(distance == UNREACHABLE) | (np.arange(60) == 0)] = -1
    assert tree(parents, distance, not weighted, graph) == 0
    right = set(zip(tails[tight].tolist(), graph.targets[tight].tolist(), strict=True))
    for vertex, parent in draw.integers(1, 60, (40, 2)).tolist():
        spoiled = parents.copy()
        spoiled[vertex] = parent
        assert tree(spoiled, distance, not weighted, graph) == ((parent, vertex) not in right)
