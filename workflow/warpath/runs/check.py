"""The checker: deliberately plain code that shares nothing with the algorithms.

Distances are right if they equal SciPy's, unreachable vertices included, or if the graph alone proves them:
runs/judge.py chooses, and kernels/certificate.cu has the rules of the proof. Parents are right if
  1. the source is its own parent or has none (-1), and every unreached vertex has none;
  2. every other reached vertex v has a parent p with an arc p -> v of weight w and distance[p] + w == distance[v];
  3. following parents leads to the source (only zero weights could make a cycle that satisfies 2).
"""

import contextlib
from typing import NamedTuple

import numpy as np

from warpath import devices
from warpath.algorithms import UNREACHABLE
from warpath.base.places import KERNELS
from warpath.base.problems import PROBLEMS
from warpath.devices.errors import OutOfMemory
from warpath.runs import oracle, proof

WIDE = {"wide_arcs": 1}  # what kernels are compiled with that take the offsets of a graph on the host


class Verdict(NamedTuple):
    """The vertices that break a rule of the certificate, each counted once; without any, all distances are right."""

    source: int  # 1 if the distance of the source is not 0
    violated: int  # an arc shows that the distance is too large
    ungrounded: int  # no chain of tight arcs leads here from the source


class Checker:
    """Checks answers where they are, if kernels can read them there, otherwise on the host.

    An answer that has the digest of one that was found right is not looked at again. Create it before the algorithm is
    prepared: a device that opens counts the host's memory from there on.
    """

    def __init__(self, device, operand, graph, answers, problem):
        self._device, self._operand, self._graph, self._answers = device, operand, graph, answers
        self._problem = PROBLEMS[problem]
        self._host, self._digest = devices.open("host"), proof.digester(device)

    def wrong_vertices(self, number, solution):
        """Count the wrong vertices of the solution from source `number`; for all pairs, in the oracle's rows."""
        answer, source = solution.distance, self._answers.sources[number]
        if self._problem.all_pairs:
            rows = self._answers.sources
            found = self._device.get(answer[rows]) if hasattr(answer, "shape") else self._device.get(answer)[rows]
            return wrong_distances(found, self._answers.distance)
        if not self._is_readable(answer):
            answer = _words(self._device.get(answer))
        if answer.shape != (self._graph.vertices,):
            return self._graph.vertices
        digest = self._digest(answer)
        if digest != self._answers.right.get(number, (None,))[0]:
            if wrong := self._wrong_distances(number, answer):
                return wrong
            self._answers.right[number] = digest, self.arcs_visited(number) or self._arcs_visited(answer)
        return 0 if solution.parents is None else self._wrong_parents(solution.parents, answer, source)

    def arcs_visited(self, number):
        """Count the arcs that leave the vertices reached from source `number`; None while its answer is unknown."""
        right = self._answers.right
        if self._problem.all_pairs:
            return self._graph.vertices * self._graph.arcs
        if number not in right and self._answers.distance is not None:
            right[number] = None, self._arcs_visited(self._answers.distance[number])
        return right.get(number, (None, None))[1]

    def _arcs_visited(self, distance):
        offsets = self._graph.offsets if isinstance(distance, np.ndarray) else self._operand.offsets
        return oracle.arcs_visited(offsets, distance)

    def _is_readable(self, array):
        """Whether kernels of the device can read an answer: 32-bit integers on the device, one for each vertex."""
        device, shape = self._device, (self._graph.vertices,)
        if device.kind not in ("cuda", "host") or not isinstance(array, device.xp.ndarray) or array.shape != shape:
            return False
        return array.dtype.itemsize == 4 and array.dtype.kind in "iu" and array.flags.c_contiguous

    def _wrong_distances(self, number, answer):
        source, weighted = self._answers.sources[number], self._problem.weighted
        if self._answers.distance is not None:
            return wrong_distances(self._device.get(answer), self._answers.distance[number])
        if self._is_readable(answer):
            with contextlib.suppress(OutOfMemory, MemoryError):  # which a run that left no room must not be blamed for
                return sum(prove(self._device, self._operand, answer, source, weighted, **self._operand.arc_width))
        answer = _words(self._device.get(answer))
        return sum(prove(self._host, self._graph, answer, source, weighted, **WIDE))

    def _wrong_parents(self, parents, answer, source):
        if self._is_readable(parents) and self._is_readable(answer):
            device, graph, arrays, width = self._device, self._operand, (parents, answer), self._operand.arc_width
        else:
            arrays = [_words(self._device.get(array)) for array in (parents, answer)]
            device, graph, width = self._host, self._graph, WIDE
        if arrays[0].shape != (graph.vertices,):
            return graph.vertices
        return wrong_parents(device, graph, *arrays, source, self._problem.weighted, **width)


def wrong_distances(distance, expected):
    """Count the entries that differ from SciPy's."""
    distance = np.asarray(distance)
    if distance.shape != expected.shape:
        return int(expected.size)
    return int(np.count_nonzero(distance.astype(np.int64) != expected))


def prove(device, graph, distance, source, weighted, **arc_width):
    """Return the verdict on the distances of one search, from the graph alone; both are on the device."""
    visit, spread, judge = device.kernels(KERNELS / "certificate", "inspect", "spread", "judge", **arc_width)
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


def wrong_parents(device, graph, parents, distance, source, weighted, **arc_width):
    """Count the vertices whose parent does not belong to a shortest-path tree of `source`."""
    (judge,) = device.kernels(KERNELS / "parents", "judge_parents", **arc_width)
    counts = device.xp.zeros(2, "uint64")
    arcs = graph.offsets, graph.targets, graph.weights if weighted else None
    judge[proof.grid(device)](graph.vertices, source, *arcs, distance, parents, counts)
    wrong, weightless = map(int, device.get(counts))
    if weightless and not wrong:
        parents, distance = (device.get(array).view("int32") for array in (parents, distance))
        wrong = int(np.count_nonzero(~_lead_to(source, parents, np.flatnonzero(distance != UNREACHABLE))))
    return wrong


def _lead_to(source, parents, children):
    """Whether each child's ancestors end at the source, by pointer jumping: log2(n) doublings."""
    ancestor = parents.copy()
    ancestor[source] = source
    for _ in range(max(1, int(np.ceil(np.log2(len(parents) + 1))))):
        ancestor = np.where(ancestor >= 0, ancestor[ancestor], ancestor)
    return ancestor[children] == source


def _words(array):
    """Return integers as 32 bits; one that does not fit becomes one that is wrong in distances and parents."""
    wide = np.asarray(array).astype(np.int64)
    wide[(wide < -(2**31)) | (wide >= 2**32)] = -2
    return wide.astype(np.uint32)
