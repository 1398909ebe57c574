"""A graph as an algorithm sees it: arrays on the device, each uploaded once, when it is first asked for."""

import functools
import time

import numpy as np


class Operand:
    """`graph.offsets`, `graph.targets`, ... on the device. `upload_s` adds up what the uploads took."""

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
    def arc_sources(self):
        """The source of every arc, in CSR order: with `targets` and `weights` it is the edge list."""
        return self._upload(arc_sources(self._graph), np.int32)

    @functools.cached_property
    def transpose(self):
        """The same graph with every arc reversed; an undirected graph is its own."""
        return self if not self.directed else Operand(transposed(self._graph), self._device)

    def edge_list(self, order):
        """Every arc as a row (source, target, weight), ascending by its "source" or by its "target"."""
        by_source = order == "source"
        graph = self._graph if by_source or not self.directed else transposed(self._graph)
        ends = (arc_sources(graph), graph.targets) if by_source else (graph.targets, arc_sources(graph))
        return self._upload(np.stack([*ends, graph.weights], axis=1), np.int32)

    def _upload(self, array, dtype):
        start = time.perf_counter()
        uploaded = self._device.put(np.ascontiguousarray(array, dtype))
        self._device.synchronize()
        self.upload_s += time.perf_counter() - start
        return uploaded


def arc_sources(graph):
    return np.repeat(np.arange(graph.vertices, dtype=np.int32), np.diff(graph.offsets))


def transposed(graph):
    """A graph like `graph` with arcs reversed, targets ascending within a vertex."""
    from dataclasses import replace

    order = np.argsort(graph.targets, kind="stable")  # stable: sources stay ascending within a target
    counts = np.bincount(graph.targets, minlength=graph.vertices)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(graph.offsets.dtype)
    return replace(graph, offsets=offsets, targets=arc_sources(graph)[order], weights=graph.weights[order])
