"""Build small graphs from edges, without files, catalogue or native code; and their right answers, by SciPy."""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from warpath.algorithms import UNREACHABLE
from warpath.graphs.csr import Graph


def from_edges(name, tails, targets, weights=None, vertices=None, directed=False, loops=False):
    """Parallel edges are merged into the lightest; loops are dropped unless `loops`."""
    tails, targets = np.asarray(tails, np.int64), np.asarray(targets, np.int64)
    weights = np.ones(len(tails), np.int32) if weights is None else np.asarray(weights)
    if not directed:
        tails, targets = np.concatenate([tails, targets]), np.concatenate([targets, tails])
        weights = np.concatenate([weights, weights])
    vertices = int(max(tails.max(initial=-1), targets.max(initial=-1)) + 1) if vertices is None else vertices
    order = np.lexsort((weights, targets, tails))
    tails, targets, weights = tails[order], targets[order], weights[order]
    first = np.ones(len(tails), bool)
    first[1:] = (tails[1:] != tails[:-1]) | (targets[1:] != targets[:-1])
    kept = first & (loops | (tails != targets))
    offsets = np.concatenate([[0], np.cumsum(np.bincount(tails[kept], minlength=vertices))]).astype(np.int64)
    dtype = np.float32 if weights.dtype.kind == "f" else np.int32
    targets, weights = targets[kept].astype(np.int32), weights[kept].astype(dtype)
    return Graph(name, offsets, targets, weights, np.arange(vertices), directed)


def distances(graph, sources=None, weighted=True):
    """Return the row of distances from a source, those from several, or with None those from every vertex."""
    weights = graph.weights.astype(float) if weighted else np.ones(graph.arcs)
    matrix = csr_array((weights, graph.targets, graph.offsets), shape=(graph.vertices, graph.vertices))
    return np.minimum(dijkstra(matrix, indices=sources), UNREACHABLE).astype("uint32")
