"""The checker: deliberately plain code that shares nothing with the algorithms.

Distances are right if they equal SciPy's, unreachable vertices included, or if the graph alone proves them:
runs/judge.py chooses, and kernels/certificate.cu has the rules of the proof. Parents are right if
  1. the source is its own parent or has none (-1), and every unreached vertex has none;
  2. every other reached vertex v has a parent p with an arc p -> v of weight w and distance[p] + w == distance[v];
  3. following parents leads to the source (only zero weights could make a cycle that satisfies 2).
"""

import contextlib
import functools
from typing import Any, NamedTuple

import numpy as np

from warpath import devices
from warpath.algorithms import UNREACHABLE
from warpath.base.errors import UserError
from warpath.base.places import KERNELS
from warpath.base.problems import PROBLEMS
from warpath.devices.errors import OutOfMemory
from warpath.runs import judge, oracle, proof

COMPARED = 4  # sources whose times are compared with those of sources that nobody could foresee

# Seconds of SciPy's search up to which it judges an unforeseen answer, on a GPU and elsewhere; beyond, a certificate.
QUICK, QUICK_ON_CPU = 0.002, 0.02

WIDE = {"wide_arcs": 1}  # what kernels are compiled with that take the offsets of a graph on the host


class Answer(NamedTuple):
    """What a solve returned, as it was when its time ended: copies that the algorithm does not know."""

    distance: Any  # for all pairs, the oracle's rows alone
    parents: Any = None


class Checker:
    """Checks answers where they are, if kernels can read them there, otherwise on the host.

    An answer that has the digest of one that was found right is not looked at again. Create it before the algorithm is
    prepared: a device that opens counts the host's memory from there on.
    """

    def __init__(self, device, operand, graph, answers, problem, is_unchecked=False):
        self._is_unchecked = is_unchecked  # because there are no answers to check
        self._device, self._operand, self._graph, self._answers = device, operand, graph, answers
        self._problem = PROBLEMS[problem]
        self._host, self._digest = devices.open("host"), proof.digester(device)
        self.last = None  # where the last solve wrote its answer
        self.reached, self.depths = None, {}  # what is reached from the first source, and how far the first ones reach

    def take(self, solution, rows=None):
        """Copy the answer, converted if it is a library's, and overwrite it: the next solve has to write its own."""
        if self._is_unchecked:
            return Answer(None)
        if callable(solution.distance) and self._device.kind in devices.PEERS:
            rows = self._answers.sources if rows is None else rows
            distance, *parents = distance if isinstance(distance := solution.distance(), tuple) else (distance,)
            self.last = distance  # as large as what was written
            return Answer(distance[rows] if self._problem.all_pairs else distance, *parents)
        arrays = [solution.distance] if solution.parents is None else [solution.distance, solution.parents]
        for array in arrays:
            require_plain(self._device.xp, array)
        taken = Answer(*(self._copy(array, rows) for array in arrays))
        for array in arrays:
            self._device.overwrite(array)
        self.last = solution.distance
        return taken

    def _copy(self, array, rows):
        if self._problem.all_pairs and len(array) == self._graph.vertices:
            return self._device.get(array[self._answers.sources if rows is None else rows])
        try:
            return array.copy()
        except (OutOfMemory, MemoryError):
            return self._device.get(array)

    def wrong_vertices(self, number, answer):
        """Count wrong vertices of the answer from source `number`, or in the oracle's rows; None without an answer."""
        if self._is_unchecked:
            return None
        source, right = self._answers.sources[number], self._answers.right
        if self._problem.all_pairs:
            return wrong_distances(answer.distance, self._answers.distance)
        distance = self._readable(answer.distance)
        expected = None if self._answers.distance is None else self._answers.distance[number]
        digest = self._digest(distance)
        if digest != right.get(number, (None,))[0]:
            if wrong := self._wrong_distances(source, distance, expected):
                return wrong
            right[number] = digest, self.arcs_visited(number) or self._arcs_visited(distance)
        if number < COMPARED and number not in self.depths:
            reached = self._device.get(distance) if expected is None else expected
            self.depths[number] = depth(reached)
            self.reached = reached if number == 0 else self.reached
        return self._wrong_parents(answer.parents, distance, source)

    def wrong_elsewhere(self, source, answer):
        """Count the wrong vertices of an answer from a source that nobody knew beforehand."""
        distance, expected = self._readable(answer.distance), None
        quick = QUICK if self._device.kind in devices.ON_GPU else QUICK_ON_CPU
        if judge.scipy_seconds(self._graph, self._problem, [source]) < quick:
            expected, _ = self._search(source)
        wrong = self._wrong_distances(source, distance, expected)
        return wrong or self._wrong_parents(answer.parents, distance, source)

    @functools.cached_property
    def _search(self):
        return oracle.search_by_scipy(self._graph, self._problem)

    def wrong_rows(self, graph, rows, answer):
        """Count the wrong entries of an all-pairs answer's rows on another graph."""
        search = oracle.search_by_scipy(graph, self._problem)
        return wrong_distances(answer.distance, np.stack([search(row)[0] for row in rows]))

    def digest(self, answer):
        return self._digest(self._readable(answer.distance))

    def depth(self, answer):
        return depth(self._device.get(self._readable(answer.distance)))

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
        runs_kernels = self._device.kind in ("cuda", "host", "peer_gpu")
        if not runs_kernels or not isinstance(array, self._device.xp.ndarray):
            return False
        is_answer = array.shape == (self._graph.vertices,) and array.dtype.kind in "iu"
        return is_answer and array.dtype.itemsize == 4 and array.flags.c_contiguous

    def _readable(self, array):
        """The array, on the host and in 32 bits where kernels of the device cannot read it."""
        return array if self._is_readable(array) else _words(self._device.get(array))

    def _wrong_distances(self, source, distance, expected):
        """Count what differs from SciPy's distances, or what the graph does not prove where they are not given."""
        if distance.shape != (self._graph.vertices,):
            return self._graph.vertices
        if expected is not None:
            return wrong_distances(self._device.get(distance), expected)
        weighted = self._problem.weighted
        if self._is_readable(distance):
            with contextlib.suppress(OutOfMemory, MemoryError):  # which a run that left no room must not be blamed for
                return sum(prove(self._device, self._operand, distance, source, weighted, **self._operand.arc_width))
        return sum(prove(self._host, self._graph, _words(self._device.get(distance)), source, weighted, **WIDE))

    def _wrong_parents(self, parents, distance, source):
        if parents is None:
            return 0
        if self._is_readable(parents) and self._is_readable(distance):
            device, graph, arrays, width = self._device, self._operand, (parents, distance), self._operand.arc_width
        else:
            arrays = [_words(self._device.get(array)) for array in (parents, distance)]
            device, graph, width = self._host, self._graph, WIDE
        if arrays[0].shape != (graph.vertices,):
            return graph.vertices
        return wrong_parents(device, graph, *arrays, source, self._problem.weighted, **width)


def depth(distance):
    """How far the last vertex is that a search has reached."""
    return int(distance[distance < UNREACHABLE].max())


def require_plain(xp, array):
    """Refuse answers that might change or be computed when they are looked at."""
    if type(array) not in (xp.ndarray, np.ndarray) or array.dtype.kind not in "iu":
        raise UserError(f"a solve returned a {type(array).__name__}; it must be an array of integers of the device")
    if isinstance(array, np.ndarray) and not array.flags.writeable:
        raise UserError("a solve returned an array that cannot be written to; it must be one of the solve's own")


def wrong_distances(distance, expected):
    distance = np.asarray(distance)
    if distance.shape != expected.shape:
        return int(expected.size)
    return int(np.count_nonzero(distance.astype(np.int64) != expected))


def prove(device, graph, distance, source, weighted, **arc_width):
    """Count the vertices that break each rule of the certificate, from the graph alone; both are on the device.

    These are the source, if its distance is not 0; those that an arc shows to be too far; and the others to which no
    chain of tight arcs leads from the source. Without any, all distances of the search are right.
    """
    visit, spread, decide = device.kernels(KERNELS / "certificate", "inspect", "spread", "judge", **arc_width)
    shape = proof.grid(device)
    xp, vertices = device.xp, graph.vertices
    arcs = graph.offsets, graph.targets, graph.weights if weighted else None
    violated, grounded, pass_on = (xp.zeros(vertices // 32 + 1, "uint32") for _ in range(3))
    grounded[source // 32] = np.uint32(1 << source % 32)

    def counts():
        sums = xp.zeros(3, "uint64")
        decide[shape](vertices, source, distance, violated, grounded, sums)
        return tuple(map(int, device.get(sums)))

    visit[shape](vertices, graph.arcs, *arcs, distance, violated, grounded, pass_on)
    broken = counts()
    if weighted and broken[-1]:
        changed, before = device.flag(), xp.zeros_like(grounded)
        changed.set(1)
        while changed.read():
            now = grounded.copy()
            changed.clear()
            spread[shape](vertices, *arcs, distance, pass_on, before, now, grounded, changed.array)
            before = now
        broken = counts()
    return broken


def wrong_parents(device, graph, parents, distance, source, weighted, **arc_width):
    """Count the vertices whose parent does not belong to a shortest-path tree of `source`."""
    (decide,) = device.kernels(KERNELS / "parents", "judge_parents", **arc_width)
    counts = device.xp.zeros(2, "uint64")
    arcs = graph.offsets, graph.targets, graph.weights if weighted else None
    decide[proof.grid(device)](graph.vertices, source, *arcs, distance, parents, counts)
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
