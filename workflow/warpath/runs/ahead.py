"""Compile what the runs of a workflow need while its first jobs prepare graphs, several files at a time.

What a run compiles depends on its graph's size, and on the device. A run that comes earlier compiles by itself.
"""

import collections
import contextlib
import functools
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from warpath import devices
from warpath.algorithms import discovery
from warpath.base import places, processor
from warpath.base.parent import die_with
from warpath.graphs import csr
from warpath.runs import lease, rehearsal

KINDS = ("cuda", "host", "cpu")  # of devices whose code is compiled
MOST = 8  # compilers at a time: some take a gigabyte
POLL = 0.1  # seconds between looks for graphs


def compile_for(runs):
    """Compile for these runs, (device, graph, problem, algorithm, launch) each, and return the number of files."""
    waiting, known = collections.defaultdict(list), set()
    for kind, graph, *run in runs:
        if kind in KINDS:
            waiting[graph].append((kind, *run))
    forked = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(max(1, min(MOST, processor.cores() // 2)), forked, _begin, [os.getpid()]) as pool:
        # In a process of the pool, as CUDA does not outlive a fork.
        outlines = {kind: pool.submit(devices.outlined, kind) for kind in KINDS}
        while waiting:
            prepared = [graph for graph in waiting if Path(places.prepared(graph)).exists()]
            for graph in prepared:
                for build in _builds(graph, waiting.pop(graph), outlines):
                    if build not in known:
                        known.add(build)
                        pool.submit(_compile, *build)
            if not prepared:
                time.sleep(POLL)
    return len(known)


def compile_now(kind, described, graph, launch):
    """Compile what a run will load, as far as a rehearsal tells; the process remembers what it has compiled."""
    with contextlib.suppress(Exception):  # the run meets the same error on the device
        device = _outlined(kind)
        for build in rehearsal.builds(described, device, graph, launch):
            _compile_once(kind, *build, device.architecture)


_outlined = functools.cache(devices.outlined)
_compile_once = functools.cache(devices.compile_kernels)


def _begin(parent):
    die_with(parent)
    os.nice(10)


def _builds(graph, runs, outlines):
    """Yield the arguments of each compilation that these runs on the graph ask for."""
    graph = _outline(places.graph(graph))
    for kind, problem, algorithm, label in runs:
        described, device = discovery.named(f"{problem}/{algorithm}"), outlines[kind].result()
        for build in rehearsal.builds(described, device, graph, described.launch(label)):
            yield kind, *build, device.architecture


def _outline(folder):
    """Return what is known of a graph without reading it."""
    metadata = csr.metadata(Path(folder))
    return SimpleNamespace(
        **{name: metadata[name] for name in ("name", "directed", "vertices", "arcs")},
        max_weight=1 if metadata.get("weights") == "unit" else 2,
        offsets=np.zeros(1, "int64"),
        targets=np.empty(0, "int32"),
        weights=np.empty(0, "int32"),
    )


def _compile(kind, stem, names, defines, architecture):
    with lease.beside():
        devices.compile_kernels(kind, stem, names, defines, architecture)
