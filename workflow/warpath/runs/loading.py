"""Graphs as runs load them: from the node's own disk, and into memory that all runs of a workflow share."""

import shutil
from pathlib import Path

import numpy as np

from warpath.base import variables
from warpath.base.files import atomic
from warpath.graphs import csr
from warpath.warm import memory

ARRAYS = ("offsets", "targets", "weights", "labels")


def local(folder):
    """Return the folder to read the graph from: that of a copy in the folder that WARPATH_SCRATCH names.

    A copy is named by the digest of its content, so it is never stale.
    """
    scratch = variables.value("WARPATH_SCRATCH")
    if not scratch:
        return folder
    copy = Path(scratch, csr.metadata(folder)["digest"])
    for file in csr.files(folder):
        own = copy / file.relative_to(folder)
        if not own.exists():
            with atomic(own) as temporary:
                shutil.copyfile(file, temporary)
    return copy


def graph(folder, key):
    """Read the graph in that folder, or map it where a process of this workflow has read it under the same key."""

    def read(empty):
        graph = csr.read(folder, empty)
        arrays = {name: np.ascontiguousarray(getattr(graph, name)) for name in ARRAYS} | graph.columns
        return {"name": graph.name, "directed": graph.directed, "metadata": graph.metadata}, arrays

    fields, arrays = memory.shared(f"graph {key}", read)
    return csr.Graph(**fields, **{name: arrays.pop(name) for name in ARRAYS}, columns=arrays)
