"""Run an algorithm on a tiny graph and compare with SciPy: what the tests and sanitize.py have in common."""

import functools

import numpy as np
import tiny_graphs

from warpath import devices
from warpath.algorithms import UNREACHABLE, discovery
from warpath.runs.operand import Operand, arc_tails

FOUND = discovery.find()
# Without other people's libraries, which no sanitizer of ours watches.
OURS = {id: found for id, found in FOUND.items() if not found.library}

device_of_kind = functools.cache(devices.open)


def solutions(described, graph, sources, label=None, kind="host"):
    """For each source in turn, of one preparation: (solution with its arrays on the host, kernel launches)."""
    device = device_of_kind(kind if described.device == "kernel" else described.device)
    launch = described.launch(label) if label else described.launches[len(described.launches) // 2]
    solve = described.prepare(device, Operand(graph, device), launch)
    for source in sources:
        device.launches = 0
        solution = solve(source)
        device.synchronize()
        distance, parents = device.get(solution.distance), solution.parents
        parents = None if parents is None else device.get(parents)
        yield solution._replace(distance=distance, parents=parents), device.launches


def solve(described, graph, source=None, label=None, kind="host"):
    return next(solutions(described, graph, [source], label, kind))


def check_from(sources, described, graph, label=None, kind="host"):
    """Solve from each source with one preparation, so that what a solve leaves behind could reach into the next."""
    sources = [None, None] if described.problem == "apsp" else sources
    for source, (solution, _) in zip(sources, solutions(described, graph, sources, label, kind), strict=True):
        check(described, graph, source, solution)


def check(described, graph, source, solution):
    """Exactly the right distances, unreachable vertices included; parents that form a tree of shortest paths."""
    right = tiny_graphs.right_answer(graph, described.problem, source)
    distance = np.asarray(solution.distance)
    assert distance.dtype == np.uint32
    if described.exact:
        np.testing.assert_array_equal(distance, right)
    else:
        assert (distance >= right).all()
        np.testing.assert_array_equal(distance == UNREACHABLE, right == UNREACHABLE)
    if described.parents:
        check_tree(graph, source, distance, solution.parents)


def check_tree(graph, source, distance, parents):
    """Breadth-first trees only: every reached vertex but the source has a neighbour one step nearer as its parent."""
    arcs = set(zip(arc_tails(graph).tolist(), graph.targets.tolist(), strict=True))
    for vertex, parent in enumerate(parents.tolist()):
        if vertex == source or distance[vertex] == UNREACHABLE:
            assert parent == -1
        else:
            assert (parent, vertex) in arcs
            assert distance[parent] + 1 == distance[vertex]
