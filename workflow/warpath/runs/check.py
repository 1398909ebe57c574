"""The checker: deliberately plain code that shares nothing with the kernels.

Distances are right if they equal the oracle's, unreachable vertices included. Parents are right if
  1. the source is its own parent or has none (-1), and every unreached vertex has none;
  2. every other reached vertex v has a parent p with an arc p -> v of weight w and distance[p] + w == distance[v];
  3. following parents leads to the source (only zero weights could make a cycle that satisfies 2).
"""

import numpy as np

from warpath.algorithms import UNREACHABLE
from warpath.base.places import KERNELS
from warpath.base.problems import PROBLEMS
from warpath.graphs import csr
from warpath.runs import proof


def wrong_vertices(solution, device, graph, oracle, problem, number):
    """Count the wrong vertices of the answer from the oracle's source `number`; for all pairs, in the oracle's rows."""
    problem = PROBLEMS[problem]
    if problem.all_pairs:
        matrix, rows = solution.distance, oracle.sources
        rows = device.get(matrix[rows]) if hasattr(matrix, "shape") else device.get(matrix)[rows]
        return wrong_distances(rows, oracle.distance)
    distance = device.get(solution.distance)
    wrong = wrong_distances(distance, oracle.distance[number])
    if wrong or solution.parents is None:
        return wrong
    parents = device.get(solution.parents)
    return wrong_parents(parents, distance, graph, oracle.sources[number], unit_weights=not problem.weighted)


def wrong_distances(distance, expected):
    """Count the entries that differ from the oracle's."""
    distance = np.asarray(distance)
    if distance.shape != expected.shape:
        return int(expected.size)
    return int(np.count_nonzero(distance.astype(np.int64) != expected))


def wrong_parents(parents, distance, graph, source, unit_weights):
    """Count the vertices whose parent does not belong to a shortest-path tree of `source`."""
    parents, distance = np.asarray(parents, np.int64), np.asarray(distance, np.int64)
    parentless = distance == UNREACHABLE
    parentless[source] = True
    wrong = parentless & ~((parents == -1) | ((parents == source) & (np.arange(len(parents)) == source)))

    children = np.flatnonzero(~parentless)
    claimed = parents[children]
    valid = (claimed >= 0) & (claimed < len(parents))
    tails = np.where(valid, claimed, 0)
    weight = _arc_weights(graph, tails, children, unit_weights)
    tight = valid & (weight >= 0) & (distance[tails] + weight == distance[children])
    wrong[children[~tight]] = True
    if not wrong.any():
        wrong[children] = ~_lead_to(source, parents, children)
    return int(np.count_nonzero(wrong))


def wrong_parents_on_device(device, operand, parents, distance, source, weighted):
    """Count as wrong_parents does, where all arrays are on the device; None where only that can tell."""
    (judge,) = device.kernels(KERNELS / "parents", "judge_parents", **operand.arc_width)
    counts = device.xp.zeros(2, "uint64")
    arcs = operand.offsets, operand.targets, operand.weights if weighted else None
    judge[proof.grid(device)](operand.vertices, source, *arcs, distance, parents, counts)
    wrong, weightless = map(int, device.get(counts))
    return None if weightless and not wrong else wrong


def _arc_weights(graph, tails, heads, unit_weights):
    """Return the weight of the arc from each tail to its head, -1 where there is none."""
    arcs = csr.find_arcs(graph.offsets, graph.targets, tails, heads)
    weights = np.full(len(tails), -1, np.int64)
    there = arcs >= 0
    weights[there] = 1 if unit_weights else graph.weights[arcs[there]]
    return weights


def _lead_to(source, parents, children):
    """Whether each child's ancestors end at the source, by pointer jumping: log2(n) doublings."""
    ancestor = parents.copy()
    ancestor[source] = source
    for _ in range(max(1, int(np.ceil(np.log2(len(parents) + 1))))):
        ancestor = np.where(ancestor >= 0, ancestor[ancestor], ancestor)
    return ancestor[children] == source
