"""Refuse a run that does not fit into the memory of the device or the host, before anything is allocated.

Large graphs are prepared with a device that has the real one's properties, allocates nothing and adds up what it is
asked for.
"""

import contextlib
import math
from types import SimpleNamespace

import numpy as np

from warpath import devices
from warpath.base import processor
from warpath.base.problems import PROBLEMS
from warpath.devices.errors import OutOfMemory, UnsupportedLaunch
from warpath.runs import operand, proof

# Bytes a vertex, an arc and a pair of vertices: more than any algorithm here takes.
A_VERTEX, AN_ARC, A_PAIR = 200, 60, 16

SMALL = 1 << 20  # bytes of an array that is allocated nevertheless, and so can do all that arrays can
THREADS = 2048  # of a multiprocessor


def require(described, device, graph, launch, free, placement="device"):
    """Raise OutOfMemory if the run needs more than `free` bytes, UnsupportedLaunch if it cannot do the graph."""
    if device.kind not in ("cuda", "host"):
        return
    on_gpu = device.kind == "cuda"  # elsewhere there is one memory
    over_link, host_free = on_gpu and placement == "host", processor.free_bytes() if on_gpu else 0
    pairs = graph.vertices**2 if PROBLEMS[described.problem].all_pairs else 0
    most = A_VERTEX * graph.vertices + AN_ARC * graph.arcs + A_PAIR * pairs
    if most <= (min(free, host_free) if over_link else free) and graph.arcs <= operand.MOST_NARROW_ARCS:
        return
    try:
        sizes = rehearse(described, device, graph, launch, "host" if over_link else "device")
    except (UnsupportedLaunch, MemoryError):
        raise
    except Exception:  # it does something to its arrays that these cannot do: the device itself will tell
        return
    needs = f"{described.id} on {graph.name} ({graph.vertices:,} vertices, {graph.arcs:,} arcs) needs"
    if sizes.bytes > free:
        may_be_apart = on_gpu and not over_link and not pairs
        advice = "; `placement: host` in the study leaves arcs on the host" if may_be_apart else ""
        raise OutOfMemory(
            f"{needs} {_gigabytes(sizes.bytes)} of device memory, {_gigabytes(sizes.uploaded)} of it for the graph, "
            f"and {_gigabytes(free)} are available{advice}"
        )
    if sizes.on_host > host_free:
        which = "of the host's memory beside the graph (placement: host)"
        raise OutOfMemory(f"{needs} {_gigabytes(sizes.on_host)} {which}, and {_gigabytes(host_free)} are available")


def _gigabytes(count):
    return f"{count / 1e9:,.1f} GB"


def rehearse(described, device, graph, launch, placement="device"):
    """Prepare on a device that allocates nothing, and return it."""
    sizes = Sizes(device)
    sized = _Sized(graph, sizes, placement=placement)
    described.prepare(sizes, sized, launch)
    sized.require_counted()
    return sizes


def builds(described, device, graph, launch):
    """Return what a run compiles: the arguments of each call of `kernels`, as far as a rehearsal gets."""
    listing = Sizes(device)
    with contextlib.suppress(Exception):  # the run itself will tell
        proof.digester(listing)
        described.prepare(listing, _Sized(graph, listing), launch)
    return listing.builds


def compile_kernels(kind, described, graph, launch):
    """Compile what a run will load, as far as a rehearsal tells; the process remembers what it has compiled."""
    with contextlib.suppress(Exception):  # the run meets the same error on the device
        device = devices.outlined(kind)
        for build in builds(described, device, graph, launch):
            devices.compile_kernels(kind, *build, device.architecture)


class _Sized(operand.Operand):
    """A graph whose arrays have sizes only."""

    def _beside_arcs(self, name, shape):
        return self._array(name, None, shape=shape)

    def _array(self, name, on_host, dtype="int32", shape=None):
        self.require_counted()
        edges = (self.arcs, 3) if name.startswith("edges") else self.arcs
        shape = shape or {"offsets": self.vertices + 1}.get(name, edges)
        if self._is_pinned(name):
            loaded = name in ("targets", "weights") and not self._reverse
            return self._device.pinned_array(shape, dtype, loaded)
        array = self._device.array(shape, dtype)
        self._device.uploaded += array.nbytes
        return array


class Sizes:
    """A device that runs nothing: it adds up the bytes of arrays and lists what is compiled."""

    def __init__(self, device):
        self._device, self.builds = device, []
        self.bytes = self.uploaded = self.on_host = 0
        allocating = dict.fromkeys(("empty", "zeros", "ones"), self.array)
        allocating["full"] = lambda shape, value, dtype: self.array(shape, dtype)
        allocating["stack"] = lambda arrays, axis=0: self.array((len(arrays), *arrays[0].shape), arrays[0].dtype)
        self.xp = SimpleNamespace(**vars(np) | allocating)

    def __getattr__(self, name):
        return getattr(self._device, name)

    def array(self, shape, dtype=float):
        size = math.prod(shape if isinstance(shape, tuple) else (shape,)) * np.dtype(dtype).itemsize
        self.bytes += size
        if size <= SMALL:
            return np.zeros(shape, dtype)
        array = np.broadcast_to(np.zeros((), dtype), shape).view(_Array)
        array.device = self
        return array

    def pinned_array(self, shape, dtype, loaded):
        """Return an array of the host's memory; what is not `loaded` with the graph takes more of it."""
        before = self.bytes
        array = self.array(shape, dtype)
        size, self.bytes = self.bytes - before, before
        self.on_host += 0 if loaded else size
        return array

    def put(self, array):
        return self.array(array.shape, array.dtype)

    def get(self, array):
        return array

    def kernels(self, stem, *names, **defines):
        self.builds.append((str(stem), names, tuple(defines.items())))
        return tuple(_Kernel(self) for _ in names)

    def flag(self, dtype="int32"):
        return self.words(1)

    def words(self, count):
        return SimpleNamespace(array=self.array(count, "int64"), clear=_nothing, set=_nothing)

    def loop(self, *_, **how):
        return _nothing

    repeat = loop


def _nothing(*_):
    pass


class _Array(np.ndarray):
    """An array of any size that takes no memory: it has a single element."""

    device = None
    __setitem__ = fill = _nothing

    def __array_finalize__(self, base):
        self.device = getattr(base, "device", None)

    def __array_ufunc__(self, ufunc, method, *inputs, **_):
        if method == "reduce":
            return np.ones((), self.dtype)[()]
        shape = np.broadcast_shapes(*(getattr(each, "shape", ()) for each in inputs))
        return self.device.array(shape, np.result_type(*(getattr(each, "dtype", each) for each in inputs)))

    def __array_function__(self, function, types, arguments, named):
        raise NotImplementedError(function.__name__)


class _Kernel:
    """A kernel that is neither compiled nor launched."""

    bound = _nothing

    def __init__(self, device):
        self._device = device
        self.cooperative = self

    def __getitem__(self, shape):
        return _nothing

    def resident_blocks(self, block, shared=0):
        threads = math.prod(block if isinstance(block, tuple) else (block,))
        return self._device.multiprocessors * max(1, THREADS // threads)
