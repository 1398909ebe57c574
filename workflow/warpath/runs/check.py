"""The checker: the dullest possible code, sharing nothing with what it checks.

A distance is right if it equals the oracle's, unreachable vertices included. Parents are right if
  1. the source is its own parent, or has none (-1), and so has every unreached vertex;
  2. every other reached vertex v has a parent p with an arc p -> v of weight w and distance[p] + w == distance[v];
  3. following parents leads to the source (only zero weights could make a cycle that satisfies 2).
"""

import numpy as np

from warpath.algorithms import UNREACHABLE


def wrong_vertices(solution, device, graph, oracle, problem, number):
    """How many are wrong in the answer from the oracle's source of that number; of all pairs, in the oracle's rows."""
    if problem == "apsp":
        return wrong_distances(_rows(solution.distance, device, oracle.sources), oracle.distance)
    distance = device.get(solution.distance)
    wrong = wrong_distances(distance, oracle.distance[number])
    if wrong or solution.parents is None:
        return wrong
    parents = device.get(solution.parents)
    return wrong_parents(parents, distance, graph, oracle.sources[number], problem == "bfs")


def _rows(matrix, device, rows):
    """Of a matrix on the device no others are fetched."""
    return device.get(matrix[rows]) if hasattr(matrix, "shape") else device.get(matrix)[rows]


def wrong_distances(distance, expected):
    """How many entries differ from the oracle's."""
    distance = np.asarray(distance)
    if distance.shape != expected.shape:
        return int(expected.size)
    return int(np.count_nonzero(distance.astype(np.int64) != expected))


def wrong_parents(parents, distance, graph, source, unit_weights):
    """How many vertices have a parent that does not belong to a shortest-path tree of `source`."""
    parents, distance = np.asarray(parents, np.int64), np.asarray(distance, np.int64)
    reached = distance != UNREACHABLE
    outsiders = ~reached
    outsiders[source] = True
    wrong = outsiders & ~((parents == -1) | ((parents == source) & (np.arange(len(parents)) == source)))

    children = np.flatnonzero(~outsiders)
    claimed = parents[children]
    valid = (claimed >= 0) & (claimed < len(parents))
    weight = _arc_weights(graph, np.where(valid, claimed, 0), children, unit_weights)
    tight = valid & (weight >= 0) & (distance[np.where(valid, claimed, 0)] + weight == distance[children])
    wrong[children[~tight]] = True
    if not wrong.any():
        wrong[children] = ~_lead_to(source, parents, children)
    return int(np.count_nonzero(wrong))


def _arc_weights(graph, sources, targets, unit_weights):
    """The weight of the arc from each source to each target, -1 where there is none."""
    keys = np.repeat(np.arange(graph.vertices, dtype=np.int64), np.diff(graph.offsets)) * graph.vertices + graph.targets
    wanted = sources * graph.vertices + targets
    if not len(keys):
        return np.full(len(wanted), -1, np.int64)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    weights = np.ones(len(keys), np.int64) if unit_weights else graph.weights.astype(np.int64)
    return np.where(keys[at] == wanted, weights[at], -1)


def _lead_to(source, parents, children):
    """Whether each child's line of ancestors ends at the source: pointer jumping, log2(n) doublings."""
    ancestor = parents.copy()
    ancestor[source] = source
    for _ in range(max(1, int(np.ceil(np.log2(len(parents) + 1))))):
        ancestor = np.where(ancestor >= 0, ancestor[ancestor], ancestor)
    return ancestor[children] == source
