"""Breadth-first trees of a graph of any size, for bounds and components; no answer is compared with them."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from warpath.base import processor
from warpath.graphs import library

SEARCHES = 64  # that go on at once: bits of a word; each level of theirs passes over all vertices

_call = partial(library.call, "breadth_first")


def lengths(graph, source):
    """Return the length of each vertex's path in a breadth-first tree, fractions rounded up; -1 where there is none."""
    weights = np.ceil(graph.weights).astype(np.int32) if graph.weights.dtype.kind == "f" else graph.weights
    weights = np.ascontiguousarray(weights, np.int32)
    length, queue = np.full(graph.vertices, -1, np.int64), np.empty(graph.vertices, np.int32)
    _call("tree_lengths", source, graph.offsets, graph.targets, weights, length, queue)
    return length


def depth(graph, sources, most):
    """Return the largest number of arcs on a shortest path from any of the sources; None if it is more than `most`."""
    targets, deepest = np.ascontiguousarray(graph.targets), 0
    with ThreadPoolExecutor(processor.cores()) as pool:

        def everywhere(function, *arrays):
            return library.in_slices(pool, lambda *part: _call(function, *part, *arrays), graph.vertices)

        for first in range(0, len(sources), SEARCHES):
            bits = np.zeros((3, graph.vertices), np.uint64)  # of the frontier, what was seen, and the next frontier
            for number, source in enumerate(sources[first : first + SEARCHES]):
                bits[2, source] |= np.uint64(1 << number)
            level = 0
            while any(everywhere("advance", *bits)):
                if level > most:
                    return None
                everywhere("pass_on", graph.offsets, targets, *bits)
                level += 1
            deepest = max(deepest, level - 1)
    return deepest
