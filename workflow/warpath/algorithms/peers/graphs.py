"""Our graphs in each library's own form. Built while preparing, so nothing here is timed.

No graph has parallel arcs, because cleaning merges them: most libraries lack them or would add their weights up.
"""

import numpy as np


def edges(graph, weighted=True):
    """Return sources, targets and weights (or None): every arc once, an undirected edge in one of its directions."""
    kept = slice(None) if graph.directed else graph.arc_tails <= graph.targets
    return graph.arc_tails[kept], graph.targets[kept], graph.weights[kept] if weighted else None


def scipy(graph, weighted=True):
    """Return the adjacency matrix. Weights are floats, which spares csgraph a conversion in every call."""
    from scipy.sparse import csr_array

    weights = graph.weights.astype(np.float64) if weighted else np.ones(graph.arcs)
    return csr_array((weights, graph.targets, graph.offsets), shape=(graph.vertices, graph.vertices))


def networkx(graph, weighted=True):
    from networkx import DiGraph, Graph, from_scipy_sparse_array

    return from_scipy_sparse_array(scipy(graph, weighted), create_using=DiGraph if graph.directed else Graph)


def igraph(graph, weighted=True):
    from igraph import Graph

    sources, targets, weights = edges(graph, weighted)
    converted = Graph(n=graph.vertices, edges=np.stack([sources, targets], axis=1), directed=graph.directed)
    if weighted:
        converted.es["weight"] = weights.tolist()
    return converted


def networkit(graph, weighted=True):
    from networkit import GraphFromCoo

    sources, targets, weights = edges(graph, weighted)
    ends = sources.astype(np.uint64), targets.astype(np.uint64)
    entries = (weights.astype(np.float64), ends) if weighted else ends
    return GraphFromCoo(entries, n=graph.vertices, weighted=weighted, directed=graph.directed)


def graphblas(graph, weighted=True):
    """Return the adjacency matrix. Weights are int64, because a path in progress may exceed an answer's 31 bits."""
    from graphblas import Matrix

    shape = {"nrows": graph.vertices, "ncols": graph.vertices}
    weights = graph.weights.astype(np.int64) if weighted else True
    return Matrix.from_coo(graph.arc_tails, graph.targets, weights, **shape)
