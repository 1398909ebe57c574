"""List the code files of every algorithm of a checkout and what its launches compile, as JSON.

Runs with the checkout's own package: prepares every launch on graphs of several kinds, with a device that allocates
and compiles nothing but records what it is asked to compile.
"""

import contextlib
import itertools
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from warpath.devices.errors import UnsupportedLaunch

try:
    from warpath.algorithms.discovery import code_files, find
except ImportError:  # an earlier layout of the package
    from warpath.algorithms import find
    from warpath.algorithms import sources as code_files


class Kernel:
    """A kernel that does nothing."""

    cooperative = property(lambda self: self)

    def __getitem__(self, shape):
        return self

    def resident_blocks(self, block, shared=0):
        return 4

    def bound(self, shape, *arguments):
        return None

    def __call__(self, *arguments):
        """Return at once: an algorithm may try its kernels while it prepares."""


class Arrays:
    """NumPy, except that arrays of any size take no memory."""

    def empty(self, shape, dtype):
        return np.broadcast_to(np.zeros((), dtype), shape)

    def __getattr__(self, name):
        return getattr(np, name)


class Timer:
    def start(self):
        pass

    def stop(self):
        pass

    def milliseconds(self):
        return 0


class Device:
    kind = "cuda"
    xp = Arrays()
    memory = 1 << 60
    shared_memory = 227 * 1024
    multiprocessors = 132

    def __init__(self):
        self.compiled = []

    def kernels(self, file, *names, **defines):
        source = next(path for suffix in (".cu", ".cpp") if (path := Path(file).with_suffix(suffix)).exists())
        self.compiled.append((str(source), sorted((name.upper(), value) for name, value in defines.items())))
        return tuple(Kernel() for _ in names)

    def put(self, array):
        return array

    def get(self, array):
        return array

    def flag(self, dtype="int32"):
        return SimpleNamespace(array=None)

    def words(self, count):
        return SimpleNamespace(array=None)

    def timer(self):
        return Timer()

    def loop(self, flag, *bound, **how):
        return SimpleNamespace(milliseconds=None)

    def repeat(self, *bound):
        return None


# What algorithms choose a configuration by: vertices and mean degree, and the largest weight.
SHAPES = ((500, 2), (500, 5), (500, 9), (20_000, 5), (70_000, 9), (130_000, 2))
WEIGHTS = (1, 100, 2**15)


def graphs():
    for (vertices, degree), weight in itertools.product(SHAPES, WEIGHTS):
        weights = np.full(8, weight)
        weights[-1] = 1
        graph = SimpleNamespace(
            name="recorded",
            vertices=vertices,
            arcs=vertices * degree,
            directed=False,
            max_weight=weight,
            offsets=np.zeros(vertices + 1, "int32"),
            targets=np.zeros(0, "int32"),
            weights=weights,
            arc_sources=None,
            arc_tails=None,
            arc_type="int32",
            over_link=False,
            arc_width={},
            edge_list=lambda order: None,
            trial_sources=(0,),
            regions=lambda count: None,
            by_weight=None,
        )
        graph.transpose = graph.on_host = graph
        yield graph


def configurations(algorithm):
    """Each (launch, source, defines) that is compiled; in the order of graphs and launches, which checkouts share."""
    device, found = Device(), []
    if algorithm.library:
        return []
    for graph, launch in itertools.product(graphs(), algorithm.launches):
        with contextlib.suppress(MemoryError, UnsupportedLaunch):
            algorithm.prepare(device, graph, launch)
        found += [(launch.label, *compiled) for compiled in device.compiled]
        device.compiled.clear()
    return found


def main():
    algorithms = {
        name: {
            "files": [str(path) for path in code_files(algorithm)],
            "configurations": configurations(algorithm),
        }
        for name, algorithm in find().items()
    }
    json.dump(algorithms, sys.stdout)


if __name__ == "__main__":
    main()
