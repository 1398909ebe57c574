"""Proof that the distances of one search are right, from the graph alone; kernels/certificate.cu has the rules.

Twice, sharing no code: by kernels, for answers on a device that runs them, and by NumPy for all others.
"""

import contextlib
from typing import NamedTuple

import numpy as np

from warpath.algorithms import UNREACHABLE
from warpath.base.places import KERNELS
from warpath.devices.errors import OutOfMemory
from warpath.runs import proof

ARCS_AT_ONCE = 1 << 16  # of the NumPy version, so that its arrays stay in the cache
BEYOND = 1 << 40  # stands for the distance of unreached vertices: no path is as long


class Verdict(NamedTuple):
    """The vertices that break a rule, each counted once."""

    source: int  # 1 if the distance of the source is not 0
    violated: int  # an arc shows that the distance is too large
    ungrounded: int  # no chain of tight arcs leads here from the source

    @property
    def wrong(self):
        """0 if and only if all distances are right; not the number of those that are wrong."""
        return sum(self)


def prove(device, operand, graph, answer, source, weighted):
    """Return how many vertices of an answer break a rule; 0 if and only if it is right.

    `operand` is the graph as device arrays, which are uploaded only where kernels inspect the answer.
    """
    if proof.is_readable(answer, device, (graph.vertices,)):
        with contextlib.suppress(OutOfMemory, MemoryError):  # which a run that left no room must not be blamed for
            return by_kernels(device, operand, answer, source, weighted).wrong
    return by_numpy(graph, device.get(answer), source, weighted).wrong


def by_kernels(device, graph, distance, source, weighted):
    """Return the verdict on an answer on the device; `graph` is there too."""
    visit, spread, judge = device.kernels(KERNELS / "certificate", "inspect", "spread", "judge", **graph.arc_width)
    shape = proof.grid(device)
    xp, vertices = device.xp, graph.vertices
    arcs = graph.offsets, graph.targets, graph.weights if weighted else None
    violated, grounded, pass_on = (xp.zeros(vertices // 32 + 1, "uint32") for _ in range(3))
    grounded[source // 32] = np.uint32(1 << source % 32)

    def counts():
        sums = xp.zeros(3, "uint64")
        judge[shape](vertices, source, distance, violated, grounded, sums)
        return Verdict(*map(int, device.get(sums)))

    visit[shape](vertices, graph.arcs, *arcs, distance, violated, grounded, pass_on)
    verdict = counts()
    if weighted and verdict.ungrounded:
        changed, before = device.flag(), xp.zeros_like(grounded)
        changed.set(1)
        while changed.read():
            now = grounded.copy()
            changed.clear()
            spread[shape](vertices, *arcs, distance, pass_on, before, now, grounded, changed.array)
            before = now
        verdict = counts()
    return verdict


def by_numpy(graph, distance, source, weighted):
    """Return the verdict on an answer in host memory; `graph` is a graphs.csr.Graph."""
    distance = np.asarray(distance).astype(np.int64)
    if distance.shape != (graph.vertices,):
        return Verdict(0, graph.vertices, 0)
    reached = (distance >= 0) & (distance < UNREACHABLE)
    violated = ~reached & (distance != UNREACHABLE)
    grounded = np.zeros(graph.vertices, bool)
    grounded[source] = True
    distance[~reached] = BEYOND
    tails_of_zeros, heads_of_zeros = [], []
    for begin in range(0, graph.arcs, ARCS_AT_ONCE):
        arcs = slice(begin, begin + ARCS_AT_ONCE)
        heads, weights = graph.targets[arcs], graph.weights[arcs] if weighted else np.ones(1, np.int32)
        slack = _repeated(distance, graph.offsets, arcs) + weights - distance[heads]
        violated[heads[slack < 0]] = True
        grounded[heads[(slack == 0) & (weights > 0)]] = True
        zeros = np.flatnonzero((slack == 0) & (weights == 0))
        tails_of_zeros.append(np.searchsorted(graph.offsets, begin + zeros, "right") - 1)
        heads_of_zeros.append(heads[zeros])
    if graph.arcs and (reached & ~grounded).any():
        grounded = _spread(grounded, np.concatenate(tails_of_zeros), np.concatenate(heads_of_zeros))
    wrong_source = distance[source] != 0
    violated[source] &= not wrong_source
    ungrounded = reached & ~grounded & ~violated
    return Verdict(int(wrong_source), *(int(np.count_nonzero(each)) for each in (violated, ungrounded)))


def _repeated(distance, offsets, arcs):
    """Return the distance of the tail of each of these arcs."""
    first = np.searchsorted(offsets, arcs.start, "right") - 1
    beyond = np.searchsorted(offsets, arcs.stop)
    return np.repeat(distance[first:beyond], np.diff(offsets[first : beyond + 1].clip(arcs.start, arcs.stop)))


def _spread(grounded, tails, heads):
    """Return the vertices that these arcs lead to from grounded ones, and those: by a search from one more vertex."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    vertices = len(grounded)
    roots = np.flatnonzero(grounded)
    ends = np.append(tails, np.full(len(roots), vertices)), np.append(heads, roots)
    matrix = csr_array((np.ones(len(ends[0])), ends), shape=(vertices + 1, vertices + 1))
    order = breadth_first_order(matrix, vertices, return_predecessors=False)
    spread = np.zeros(vertices + 1, bool)
    spread[order] = True
    return spread[:vertices]
