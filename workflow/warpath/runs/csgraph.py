"""Graphs as SciPy's csgraph takes them, and what several of its users need."""

import numpy as np

MOST_ARCS = 2**31 - 1  # that its searches number


def matrix(graph, weights=None):
    """Return the graph as a sparse matrix, in the types that csgraph would convert it to; weights default to 1."""
    from scipy.sparse import csr_array

    lengths = np.ones(graph.arcs) if weights is None else weights.astype(np.float64)
    offsets = graph.offsets.astype(np.int32) if graph.arcs <= MOST_ARCS else graph.offsets
    return csr_array((lengths, graph.targets, offsets), shape=(graph.vertices, graph.vertices))


def levels(matrix, source):
    """Return the number of arcs on a shortest path from the source to each vertex, infinite where there is none.

    csgraph gives the order of the search, not the levels. As the order is sorted by level and by parent, each level is
    one contiguous stretch of it.
    """
    from scipy.sparse.csgraph import breadth_first_order

    order, parents = breadth_first_order(matrix, source)
    place = np.empty(matrix.shape[0], np.int64)
    place[order] = np.arange(len(order))
    parent_place = place[parents[order[1:]]]
    level, begin, end = 0, 0, 1
    found = np.full(matrix.shape[0], np.inf)
    while begin < end:
        found[order[begin:end]] = level
        level, begin, end = level + 1, end, 1 + int(np.searchsorted(parent_place, end))
    return found
