"""A graph on the device: each array is uploaded when it is first used."""

import functools
import time

import numpy as np


class Operand:
    """An algorithm's view of a graph: `graph.offsets`, `graph.targets`, ... `upload_s` is the time of all uploads."""

    def __init__(self, graph, device):
        self._graph, self._device = graph, device
        self.name, self.directed = graph.name, graph.directed
        self.vertices, self.arcs, self.max_weight = graph.vertices, graph.arcs, graph.max_weight
        self.upload_s = 0.0

    @functools.cached_property
    def offsets(self):
        return self._upload(self._graph.offsets, np.int32)

    @functools.cached_property
    def targets(self):
        return self._upload(self._graph.targets, np.int32)

    @functools.cached_property
    def weights(self):
        return self._upload(self._graph.weights, self._graph.weights.dtype)

    @functools.cached_property
    def arc_tails(self):
        """The tail of every arc, in CSR order; with `targets` and `weights` this is the edge list."""
        return self._upload(arc_tails(self._graph), np.int32)

    @functools.cached_property
    def transpose(self):
        """The graph with every arc reversed; an undirected graph is its own transpose."""
        return self if not self.directed else Operand(transposed(self._graph), self._device)

    def edge_list(self, order):
        """Every arc as a row (tail, head, weight), sorted by tail (order "source") or by head (order "target")."""
        by_tail = order == "source"
        graph = self._graph if by_tail or not self.directed else transposed(self._graph)
        ends = (arc_tails(graph), graph.targets) if by_tail else (graph.targets, arc_tails(graph))
        return self._upload(np.stack([*ends, graph.weights], axis=1), np.int32)

    def _upload(self, array, dtype):
        start = time.perf_counter()
        uploaded = self._device.put(np.ascontiguousarray(array, dtype))
        self._device.synchronize()
        self.upload_s += time.perf_counter() - start
        return uploaded


def arc_tails(graph):
    """Return the tail of every arc, in CSR order."""
    return np.repeat(np.arange(graph.vertices, dtype=np.int32), np.diff(graph.offsets))


def transposed(graph):
    """Return the graph with every arc reversed, targets ascending within a vertex."""
    from dataclasses import replace

    order = np.argsort(graph.targets, kind="stable")  # stable: tails stay ascending within a head
    counts = np.bincount(graph.targets, minlength=graph.vertices)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(graph.offsets.dtype)
    return replace(graph, offsets=offsets, targets=arc_tails(graph)[order], weights=graph.weights[order])
