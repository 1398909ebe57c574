"""A graph on the device: each array is uploaded when it is first used."""

import functools
import time
from dataclasses import replace

import numpy as np

from warpath.devices.errors import UnsupportedLaunch

MOST_NARROW_ARCS = 2**31 - 1  # the most that 32 bits count


class Operand:
    """An algorithm's view of a graph: `graph.offsets`, `graph.targets`, ... `upload_s` is the time of all uploads.

    `keep(name, make)` returns an array that was uploaded before, or makes it. With placement "host" the graph is
    `over_link`: arrays of arcs are in pinned memory of the host, which kernels read over the link; these are not kept.
    """

    def __init__(self, graph, device, keep=lambda _, make: make(), reverse=False, counted=False, placement="device"):
        self._graph, self._device, self._keep, self._reverse = graph, device, keep, reverse
        self._derived = {}
        self._placement, self.over_link = placement, placement == "host"
        self._counted = counted or graph.arcs <= MOST_NARROW_ARCS
        self.name, self.directed = graph.name, graph.directed
        self.vertices, self.arcs, self.max_weight = graph.vertices, graph.arcs, graph.max_weight
        self.upload_s = 0.0

    @functools.cached_property
    def on_host(self):
        """The graph itself, whose arrays are NumPy's."""
        return transposed(self._graph) if self._reverse else self._graph

    @property
    def arc_type(self):
        """The type of offsets and of other numbers of arcs: arc_t in kernels."""
        return "int64" if self.arcs > MOST_NARROW_ARCS else "int32"

    @property
    def arc_width(self):
        """What kernels that number arcs by arc_t are compiled with. Other kernels are refused graphs that need it."""
        self._counted = True
        return {"wide_arcs": 1} if self.arc_type == "int64" else {}

    @functools.cached_property
    def offsets(self):
        return self._array("offsets", lambda: self.on_host.offsets, self.arc_type)

    @functools.cached_property
    def targets(self):
        return self._array("targets", lambda: self.on_host.targets)

    @functools.cached_property
    def weights(self):
        return self._array("weights", lambda: self.on_host.weights, self._graph.weights.dtype)

    @functools.cached_property
    def arc_tails(self):
        """The tail of every arc, in CSR order; with `targets` and `weights` this is the edge list."""
        return self._array("arc_tails", lambda: arc_tails(self.on_host))

    @functools.cached_property
    def transpose(self):
        """The graph with every arc reversed; an undirected graph is its own transpose."""
        if not self.directed:
            return self
        return type(self)(self._graph, self._device, self._keep, not self._reverse, self._counted, self._placement)

    def edge_list(self, order):
        """Every arc as a row (tail, head, weight), sorted by tail (order "source") or by head (order "target")."""
        by_tail = order == "source"

        def edges():
            graph = self.on_host if by_tail or not self.directed else transposed(self.on_host)
            ends = (arc_tails(graph), graph.targets) if by_tail else (graph.targets, arc_tails(graph))
            return np.stack([*ends, graph.weights], axis=1)

        return self._array(f"edges by {order}", edges)

    def derive(self, name, shape, fill):
        """Return an array of int32 where arrays of arcs are, which `fill(array)` derives from the graph once."""
        if name not in self._derived:
            self._derived[name] = self._beside_arcs(name, shape)
            fill(self._derived[name])
        return self._derived[name]

    def _beside_arcs(self, name, shape):
        if self.over_link:
            return self._device.pin(np.empty(shape, "int32"))
        return self._device.xp.empty(shape, "int32")

    def _array(self, name, on_host, dtype="int32"):
        self.require_counted()
        if self._is_pinned(name):
            return self._upload(on_host(), dtype, self._device.pin)
        name = f"{name} reversed" if self._reverse else name
        return self._keep(name, lambda: self._upload(on_host(), dtype, self._device.put))

    def _is_pinned(self, name):
        return self.over_link and name != "offsets"

    def require_counted(self):
        """Refuse a graph whose arcs the algorithm cannot number."""
        if not self._counted:
            raise UnsupportedLaunch(f"{self.arcs:,} arcs; this algorithm numbers them in 32 bits, at most 2^31 - 1")

    def _upload(self, array, dtype, put):
        start = time.perf_counter()
        uploaded = put(np.ascontiguousarray(array, dtype))
        self._device.synchronize()
        self.upload_s += time.perf_counter() - start
        return uploaded


def arc_tails(graph):
    return np.repeat(np.arange(graph.vertices, dtype=np.int32), np.diff(graph.offsets))


def transposed(graph):
    """Return the graph with every arc reversed, targets ascending within a vertex; takes 8 bytes an arc."""
    from warpath.graphs import library

    offsets = np.zeros(graph.vertices + 1, np.int64)
    arrays = graph.offsets, np.ascontiguousarray(graph.targets), np.ascontiguousarray(graph.weights)
    reverse = offsets, np.empty_like(arrays[1]), np.empty_like(arrays[2])
    library.call("transpose", "transpose", graph.vertices, *arrays, *reverse)
    return replace(graph, offsets=offsets, targets=reverse[1], weights=reverse[2])
