"""Breadth-first trees of a graph of any size, for bounds and components; no answer is compared with them."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from warpath.base import processor
from warpath.graphs import library

TOGETHER = 1 << 12  # vertices of a level that a thread takes at a time
SEARCHES = 64  # that go on at once: bits of a word
SLICES = 256  # of the vertices, which threads take one by one

_call = partial(library.call, "breadth_first")


def lengths(graph, source):
    """Return the length of each vertex's path in a breadth-first tree, fractions rounded up; -1 where there is none."""
    weights = np.ceil(graph.weights).astype(np.int32) if graph.weights.dtype.kind == "f" else graph.weights
    weights = np.ascontiguousarray(weights, np.int32)
    length, queue = np.full(graph.vertices, -1, np.int64), np.empty(graph.vertices, np.int32)
    _call("tree_lengths", source, graph.offsets, graph.targets, weights, length, queue)
    return length


def depth(graph, source, visited):
    """Return the largest number of arcs on a shortest path; set the bits of the vertices that are reached."""
    queue, end = np.empty(graph.vertices, np.int32), np.ones(1, np.int64)
    queue[0], visited[source // 64] = source, visited[source // 64] | np.uint64(1 << source % 64)
    targets = np.ascontiguousarray(graph.targets)

    def expand(begin):
        level = queue[begin : min(begin + TOGETHER, stop)]
        _call("expand", level, len(level), graph.offsets, targets, visited, queue, end)

    start, levels = 0, 0
    with ThreadPoolExecutor(processor.cores()) as pool:
        while start < (stop := int(end[0])):
            pieces = range(start, stop, TOGETHER)
            list(pool.map(expand, pieces)) if len(pieces) > 1 else expand(start)
            start, levels = stop, levels + 1
    return levels - 1


def depth_from_all(graph, sources, most):
    """Return the largest number of arcs on a shortest path from any of the sources; None if it is more than `most`."""
    deepest = 0
    for first in range(0, len(sources), SEARCHES):
        depth = _depth_together(graph, sources[first : first + SEARCHES], most)
        if depth is None:
            return None
        deepest = max(deepest, depth)
    return deepest


def _depth_together(graph, sources, most):
    """Do so for up to 64 sources at once. Every level passes over all vertices."""
    targets = np.ascontiguousarray(graph.targets)
    frontier, seen, following = np.zeros((3, graph.vertices), np.uint64)
    for number, source in enumerate(sources):
        following[source] |= np.uint64(1 << number)
    bounds = np.linspace(0, graph.vertices, min(graph.vertices, SLICES) + 1).astype(int).tolist()
    slices, bits = list(itertools.pairwise(bounds)), (frontier, seen, following)
    with ThreadPoolExecutor(processor.cores()) as pool:
        for level in range(most + 2):
            if not any(list(pool.map(lambda each: _call("advance", *each, *bits), slices))):
                return level - 1
            list(pool.map(lambda each: _call("pass_on", *each, graph.offsets, targets, *bits), slices))
    return None
