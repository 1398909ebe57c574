"""A graph as each library has it. Built while preparing; nothing here is timed.

Parallel arcs become the lightest of them, because most libraries have no parallel arcs or add their weights up.
"""

import numpy as np


def edges(graph, weighted=True):
    """Sources, targets and (or None) weights: every arc once, an undirected edge in one of its directions."""
    kept = slice(None) if graph.directed else graph.arc_sources <= graph.targets
    sources, targets = graph.arc_sources[kept], graph.targets[kept]
    first = np.flatnonzero((np.diff(sources, prepend=-1) != 0) | (np.diff(targets, prepend=-1) != 0))
    weights = np.minimum.reduceat(graph.weights[kept], first) if weighted else None
    return sources[first], targets[first], weights


def scipy(graph, weighted=True):
    """The adjacency matrix, with weights as floats: csgraph would convert integers in every call."""
    from scipy.sparse import csr_array

    weights = graph.weights.astype(np.float64) if weighted else np.ones(graph.arcs)
    return csr_array((weights, graph.targets, graph.offsets), shape=(graph.vertices, graph.vertices))


def networkx(graph, weighted=True):
    from networkx import DiGraph, Graph

    made = DiGraph() if graph.directed else Graph()
    made.add_nodes_from(range(graph.vertices))
    sources, targets, weights = edges(graph, weighted)
    if weighted:
        made.add_weighted_edges_from(zip(sources.tolist(), targets.tolist(), weights.tolist(), strict=True))
    else:
        made.add_edges_from(zip(sources.tolist(), targets.tolist(), strict=True))
    return made


def igraph(graph, weighted=True):
    from igraph import Graph

    sources, targets, weights = edges(graph, weighted)
    made = Graph(n=graph.vertices, edges=np.stack([sources, targets], axis=1), directed=graph.directed)
    if weighted:
        made.es["weight"] = weights.tolist()
    return made


def networkit(graph, weighted=True):
    from networkit import GraphFromCoo

    sources, targets, weights = edges(graph, weighted)
    ends = sources.astype(np.uint64), targets.astype(np.uint64)
    entries = (weights.astype(np.float64), ends) if weighted else ends
    return GraphFromCoo(entries, n=graph.vertices, weighted=weighted, directed=graph.directed)


def graphblas(graph, weighted=True):
    """The adjacency matrix. Weights are int64: on the way a path may be longer than the 31 bits of an answer."""
    from graphblas import Matrix, binary

    shape = {"nrows": graph.vertices, "ncols": graph.vertices}
    entries = (graph.weights.astype(np.int64), binary.min) if weighted else (True, None)
    return Matrix.from_coo(graph.arc_sources, graph.targets, entries[0], dup_op=entries[1], **shape)
