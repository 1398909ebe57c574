"""Write a prepared graph for other programs: as arrays (npz), Matrix Market (mtx) or an edge list (tsv)."""

from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv

from warpath.base.errors import UserError
from warpath.base.files import atomic
from warpath.graphs import csr


def export(folder, path):
    suffix = Path(path).suffix.removeprefix(".")
    if suffix not in FORMATS:
        raise UserError(f"{path}: the name ends in none of .{', .'.join(FORMATS)}")
    graph, names = csr.read(folder), csr.names(folder)
    with atomic(Path(path)) as temporary:
        FORMATS[suffix](graph, names, temporary)


def _npz(graph, names, path):
    """The arrays of the graph: offsets, targets, weights, labels, directed, and names if ids are text."""
    more = {} if names is None else {"names": np.array(names, str)}
    arrays = {"offsets": graph.offsets, "targets": graph.targets, "weights": graph.weights, "labels": graph.labels}
    with open(path, "wb") as file:
        np.savez(file, **arrays, directed=graph.directed, **more)


def _mtx(graph, names, path):
    """A matrix whose rows are numbered from 1; it has neither labels nor names."""
    from scipy.io import mmwrite
    from scipy.sparse import csr_array

    matrix = csr_array((graph.weights, graph.targets, graph.offsets), (graph.vertices, graph.vertices))
    symmetry = "general" if graph.directed else "symmetric"
    with open(path, "wb") as file:
        mmwrite(file, matrix, f" {graph.name}, exported by warpath", symmetry=symmetry)


def _tsv(graph, names, path):
    """Lines `source target weight` of labels, or of names if there are any, below comments and a line of names.

    An undirected edge is there once, with its larger end first.
    """
    tails = np.repeat(np.arange(graph.vertices, dtype=np.int32), np.diff(graph.offsets))
    kept = slice(None) if graph.directed else tails >= graph.targets
    shown, kind = pa.array(graph.labels if names is None else names), "Directed" if graph.directed else "Undirected"
    ends = (shown.take(pa.array(ids[kept])) for ids in (tails, graph.targets))
    table = pa.table(dict(zip(("source", "target", "weight"), (*ends, graph.weights[kept]), strict=True)))
    with open(path, "wb") as file:
        above = f"# {kind} graph: {graph.name}\n# Nodes: {graph.vertices} Edges: {len(table)}\n"
        file.write(f"{above}source\ttarget\tweight\n".encode())
        options = arrow_csv.WriteOptions(include_header=False, delimiter="\t", quoting_style="needed")
        arrow_csv.write_csv(table, file, options)


FORMATS = {"npz": _npz, "mtx": _mtx, "tsv": _tsv}
