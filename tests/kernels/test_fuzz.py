"""The random graphs' judge tells wrong answers from right ones."""

from types import SimpleNamespace

import fuzz
import numpy as np
import pytest
from small_graphs import from_edges
from trial import ALGORITHMS, wrong_in_tree

from warpath.algorithms import Solution

GRAPH = from_edges("diamond", [0, 0, 1, 2], [1, 2, 3, 3], [1, 5, 1, 1], 5, True)
RIGHT, PARENTS = np.array([0, 1, 5, 2, fuzz.UNREACHABLE]), [-1, 0, 0, 1, -1]


@pytest.mark.parametrize(
    ("vertex", "parent", "what"),
    [
        (0, -1, None),
        (3, -1, "a parent too many, or none"),
        (4, 0, "a parent too many, or none"),
        (1, 2, "a parent without an arc"),
        (3, 2, "a parent that is not on a shortest path"),
    ],
)
def test_wrong_parents_are_found(vertex, parent, what):
    parents = np.array(PARENTS)
    parents[vertex] = parent
    assert wrong_in_tree(GRAPH, "sssp", 0, RIGHT, parents) == what


def test_parents_in_a_circle_of_arcs_without_weight_are_found():
    graph = from_edges("circle", [0, 1, 2], [1, 2, 1], [0, 0, 0], 3, True)
    found = wrong_in_tree(graph, "sssp", 0, np.zeros(3, int), np.array([-1, 2, 1]))
    assert found == "parents in a circle"


@pytest.mark.parametrize("error", [0, 1])
def test_wrong_distances_are_found(error):
    def prepare(*_):
        distance = RIGHT.astype(np.uint32)
        distance[3] += error
        return lambda source: Solution(distance, iterations=1)

    described = SimpleNamespace(problem="sssp", device="kernel", prepare=prepare, launch=str)
    found = list(fuzz.wrong_answers(described, GRAPH, "d0", "host", [0, 0]))
    assert found == ["1 distances from 0"] * 2 * error


@pytest.mark.parametrize("problem", fuzz.SEARCHES)
def test_each_way_that_is_forced_exists(problem):
    module = fuzz.settings(ALGORITHMS[fuzz.SEARCHES[problem]])
    assert set(fuzz.DIRECTED_WAYS if problem == "bfs" else fuzz.SSSP_WAYS) <= set(module["WAYS"])
