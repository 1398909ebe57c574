"""Breadth-first trees of a graph of any size, for bounds and components; no answer is compared with them."""

import numpy as np

from warpath.graphs import library
from warpath.graphs.library import int64, pointer


def lengths(graph, source):
    """Return the length of each vertex's path in a breadth-first tree, fractions rounded up; -1 where there is none."""
    weights = np.ceil(graph.weights).astype(np.int32) if graph.weights.dtype.kind == "f" else graph.weights
    weights = np.ascontiguousarray(weights, np.int32)
    length, queue = np.full(graph.vertices, -1, np.int64), np.empty(graph.vertices, np.int32)
    arrays = map(pointer, (graph.offsets, graph.targets, weights, length, queue))
    library.load("breadth_first").tree_lengths(int64(source), *arrays)
    return length
