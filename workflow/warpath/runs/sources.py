"""The start vertices of a graph's searches: drawn by a seed, or named by their labels."""

import numpy as np

from warpath.foundation.errors import UserError


def choose_sources(graph, sources, seed):
    """Draw that many `sources`, or look up a list of labels.

    Drawn sources lie in the largest strongly connected component, so that all of them reach the same vertices. A graph
    without cycles has no such component: its sources lie in the largest weakly connected one and have outgoing arcs.
    """
    if isinstance(sources, list):
        return _by_label(graph, sources)
    candidates = _largest_component(graph, "strong")
    if len(candidates) < 2:
        candidates = _largest_component(graph, "weak")
        with_arcs = candidates[np.diff(graph.offsets)[candidates] > 0]
        candidates = with_arcs if len(with_arcs) else candidates
    shuffled = np.random.default_rng(seed).permutation(candidates)
    return [int(vertex) for vertex in shuffled[:sources]]


def _by_label(graph, labels):
    position = {int(label): vertex for vertex, label in enumerate(graph.labels)}
    missing = [label for label in labels if label not in position]
    if missing:
        raise UserError(f"graph {graph.name} has no vertex labelled {missing[0]} to start from")
    return [position[label] for label in labels]


def _largest_component(graph, connection):
    component = components(graph, connection)
    return np.flatnonzero(component == np.bincount(component).argmax())


def components(graph, connection):
    """Return the number of each vertex's component, strongly or weakly connected."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(graph.arcs, np.int8)
    matrix = csr_array((ones, graph.targets, graph.offsets), shape=(graph.vertices, graph.vertices))
    return connected_components(matrix, directed=True, connection=connection)[1]
