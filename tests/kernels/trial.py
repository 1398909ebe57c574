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
        assert wrong_in_tree(graph, described.problem, source, distance, solution.parents) is None


def wrong_in_tree(graph, problem, source, distance, parents):
    """Return what is wrong with a shortest-path tree, or None: arcs of shortest paths lead from the source to all."""
    distance, parents = distance.astype(np.int64), parents.astype(np.int64)
    lengths = np.ones(graph.arcs, np.int64) if problem == "bfs" else graph.weights
    reached = distance != UNREACHABLE
    child = reached.copy()
    child[source] = False
    if (parents[~child] != -1).any() or (parents[child] < 0).any():
        return "a parent too many, or none"
    arcs = arc_tails(graph).astype(np.int64) * graph.vertices + graph.targets
    asked = parents[child] * graph.vertices + np.flatnonzero(child)
    order = np.argsort(arcs, kind="stable")
    found = order[np.minimum(np.searchsorted(arcs[order], asked), len(arcs) - 1)]
    if (arcs[found] != asked).any():
        return "a parent without an arc"
    if (distance[parents[child]] + lengths[found] != distance[child]).any():
        return "a parent that is not on a shortest path"
    ancestors = np.where(parents < 0, np.arange(graph.vertices), parents)
    for _ in range(graph.vertices.bit_length()):
        ancestors = ancestors[ancestors]
    return None if (ancestors[reached] == source).all() else "parents in a circle"
