"""Run an algorithm on a tiny graph and compare its answer with SciPy's, for the tests and sanitize.py."""

import functools

import numpy as np
import tiny_graphs

from warpath import devices
from warpath.algorithms import UNREACHABLE, discovery
from warpath.runs.operand import Operand, arc_tails

ALGORITHMS = discovery.find()
# Without libraries, which are not compiled with sanitizers.
OURS = {id: described for id, described in ALGORITHMS.items() if not described.library}

device_of_kind = functools.cache(devices.open)


def solutions(described, graph, sources, label=None, kind="host"):
    """Prepare once and solve from each source; yield the solution, its arrays on the host, and the kernel launches."""
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
    """Solve from each source after one preparation, so that a solve which depends on the one before it fails."""
    sources = [None, None] if described.problem == "apsp" else sources
    for source, (solution, _) in zip(sources, solutions(described, graph, sources, label, kind), strict=True):
        check(described, graph, source, solution)


def check(described, graph, source, solution):
    """Assert that all distances are right, also where there is no path, and that parents form a shortest-path tree."""
    right = tiny_graphs.right_answer(graph, described.problem, source)
    distance = np.asarray(solution.distance)
    assert distance.dtype == np.uint32
    if described.exact:
        np.testing.assert_array_equal(distance, right)
    else:
        assert (distance >= right).all()
        np.testing.assert_array_equal(distance == UNREACHABLE, right == UNREACHABLE)
    assert (solution.parents is not None) >= described.parents
    if solution.parents is not None:
        check_tree(graph, source, distance, solution.parents)


def check_tree(graph, source, distance, parents):
    """Assert that the parent of every reached vertex but the source is a neighbour one step nearer (BFS only)."""
    arcs = set(zip(arc_tails(graph).tolist(), graph.targets.tolist(), strict=True))
    for vertex, parent in enumerate(parents.tolist()):
        if vertex == source or distance[vertex] == UNREACHABLE:
            assert parent == -1
        else:
            assert (parent, vertex) in arcs
            assert distance[parent] + 1 == distance[vertex]
