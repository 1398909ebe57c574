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
    """The arrays of the graph: offsets, targets, weights, labels, directed, and names or coordinates if known."""
    more = {} if names is None else {"names": np.array(names, str)}
    arrays = {"offsets": graph.offsets, "targets": graph.targets, "weights": graph.weights, "labels": graph.labels}
    with open(path, "wb") as file:
        np.savez(file, **arrays, directed=graph.directed, **graph.columns, **more)


def _edges(graph):
    """The tails, targets and weights of all arcs, or of each edge once, with its larger end first."""
    tails = np.repeat(np.arange(graph.vertices, dtype=np.int32), np.diff(graph.offsets))
    kept = slice(None) if graph.directed else tails >= graph.targets
    return tails[kept], graph.targets[kept], graph.weights[kept]


def _mtx(graph, names, path):
    """A matrix whose rows are numbered from 1; labels and names are a comment in none of them."""
    tails, targets, weights = _edges(graph)
    field = "real" if weights.dtype.kind == "f" else "integer"
    symmetry = "general" if graph.directed else "symmetric"
    header = f"%%MatrixMarket matrix coordinate {field} {symmetry}\n% {graph.name}, exported by warpath\n"
    header += f"{graph.vertices} {graph.vertices} {len(tails)}\n"
    _write(path, header, " ", [tails + np.int64(1), targets + np.int64(1), weights])


def _tsv(graph, names, path):
    """Lines `source target weight` of labels, or of names if there are any, below comments and a line of names."""
    tails, targets, weights = _edges(graph)
    shown = pa.array(graph.labels if names is None else names)
    kind = "Directed" if graph.directed else "Undirected"
    header = f"# {kind} graph: {graph.name}\n# Nodes: {graph.vertices} Edges: {len(tails)}\nsource\ttarget\tweight\n"
    _write(path, header, "\t", [*(shown.take(pa.array(ends)) for ends in (tails, targets)), weights])


def _write(path, header, separator, columns):
    table = pa.table({str(place): column for place, column in enumerate(columns)})
    options = arrow_csv.WriteOptions(include_header=False, delimiter=separator, quoting_style="needed")
    with open(path, "wb") as file:
        file.write(header.encode())
        arrow_csv.write_csv(table, file, options)


FORMATS = {"npz": _npz, "mtx": _mtx, "tsv": _tsv}
