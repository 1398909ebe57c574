"""Run an algorithm on a small graph and compare its answer with SciPy's."""

import functools

import numpy as np
import pytest
import tiny_graphs

from warpath import devices
from warpath.algorithms import UNREACHABLE, discovery
from warpath.runs import check
from warpath.runs.operand import Operand

KINDS = ["host", pytest.param("cuda", marks=pytest.mark.gpu)]  # of devices
ALGORITHMS = discovery.find()
# Without libraries, which are not compiled with sanitizers.
OURS = {id: described for id, described in ALGORITHMS.items() if not (described.library or described.program)}

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
        distance, parents = solution.distance, solution.parents
        if callable(distance):
            distance = distance()
            distance, parents = distance if isinstance(distance, tuple) else (distance, None)
        distance = device.get(distance)
        parents = None if parents is None else device.get(parents)
        yield solution._replace(distance=distance, parents=parents), device.launches


def solve(described, graph, source=None, label=None, kind="host"):
    return next(solutions(described, graph, [source], label, kind))


def check_from(sources, described, graph, label=None, kind="host"):
    """Solve from each source after one preparation, so that a solve which depends on the one before it fails."""
    sources = [None, None] if described.problem == "apsp" else sources
    for source, (solution, _) in zip(sources, solutions(described, graph, sources, label, kind), strict=True):
        compare(described, graph, source, solution)


def compare(described, graph, source, solution):
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
        assert solution.parents[source] in ((-1, source) if described.program else (-1,))
        arrays = solution.parents.astype("int32"), distance
        host, weighted = device_of_kind("host"), described.problem != "bfs"
        assert check.wrong_parents(host, graph, *arrays, source, weighted, **check.WIDE) == 0
