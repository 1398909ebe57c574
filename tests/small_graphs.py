"""Small graphs from their edges in the plainest way, without files and catalogue."""

import numpy as np

from warpath.graphs.csr import Graph


def from_edges(name, sources, targets, weights=None, vertices=None, directed=False, loops=False):
    """Loops are dropped unless they are wanted, and of parallel edges the lightest stays."""
    sources, targets = np.asarray(sources, np.int64), np.asarray(targets, np.int64)
    weights = np.ones(len(sources), np.int32) if weights is None else np.asarray(weights)
    if not directed:
        sources, targets = np.concatenate([sources, targets]), np.concatenate([targets, sources])
        weights = np.concatenate([weights, weights])
    vertices = int(max(sources.max(initial=-1), targets.max(initial=-1)) + 1) if vertices is None else vertices
    order = np.lexsort((weights, targets, sources))
    sources, targets, weights = sources[order], targets[order], weights[order]
    first = np.ones(len(sources), bool)
    first[1:] = (sources[1:] != sources[:-1]) | (targets[1:] != targets[:-1])
    kept = first & (loops | (sources != targets))
    offsets = np.concatenate([[0], np.cumsum(np.bincount(sources[kept], minlength=vertices))]).astype(np.int64)
    dtype = np.float32 if weights.dtype.kind == "f" else np.int32
    targets, weights = targets[kept].astype(np.int32), weights[kept].astype(dtype)
    return Graph(name, offsets, targets, weights, np.arange(vertices), directed)
