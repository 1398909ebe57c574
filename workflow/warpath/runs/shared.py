"""Graphs in memory that all measuring processes of a workflow share."""

import numpy as np

from warpath.graphs import csr
from warpath.warm.memory import shared

ARRAYS = ("offsets", "targets", "weights", "labels")


def graph(folder, key):
    """Read the graph in that folder, or map it where a process of this workflow has read it under the same key."""

    def read(empty):
        graph = csr.read(folder, empty)
        arrays = _arrays(graph)
        return _about(graph, arrays), list(arrays.values())

    about, buffers = shared(f"graph {key}", read)
    views = map(np.frombuffer, buffers, about["arrays"].values())
    arrays = dict(zip(about["arrays"], views, strict=True))
    columns = {name: arrays.pop(name) for name in about["columns"]}
    return csr.Graph(**arrays, columns=columns, **about["fields"])


def _about(graph, arrays):
    return {
        "fields": {"name": graph.name, "directed": graph.directed, "metadata": graph.metadata},
        "columns": list(graph.columns),
        "arrays": {name: str(array.dtype) for name, array in arrays.items()},
    }


def _arrays(graph):
    return {name: np.ascontiguousarray(getattr(graph, name)) for name in ARRAYS} | graph.columns
