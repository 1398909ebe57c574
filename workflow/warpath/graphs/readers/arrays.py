"""Arrays of NumPy: `.npz` with a matrix of SciPy, with offsets and targets or with columns, and `.npy` of edges."""

import io
import zipfile
from dataclasses import replace

import numpy as np

from warpath.base import processor
from warpath.base.errors import UserError
from warpath.graphs import blocks
from warpath.graphs.blocks import LARGEST, EdgeList
from warpath.graphs.readers import columns, packed


def read(name, path, opened, use, given=None):
    file = path if opened.plain else io.BytesIO(packed.content(path, opened.file))
    if name == "npy":
        return _pairs(path, np.load(file, mmap_mode="r" if opened.plain else None), use, given)
    members = zipfile.ZipFile(file).infolist()
    for info in members:
        packed.check_member(path, info, opened.stated)
        if not info.filename.endswith(".npy"):
            raise UserError(f"{path}: packed twice; unpack it once")
    size = sum(info.file_size for info in members)
    processor.require_memory(2 * size, f"{path}: {size:,} unpacked bytes")
    with np.load(file) as arrays:
        return _named(path, arrays, use, given)


def _named(path, arrays, use, given):
    names = {*arrays}
    is_compressed, is_listed = {"indptr", "indices"} <= names, {"row", "col"} <= names
    vertices = _side(path, arrays["shape"]) if (is_compressed or is_listed) and "shape" in names else None
    if is_compressed:
        kind = arrays["format"].item() if "format" in names else b"csr"
        kind = kind.decode() if isinstance(kind, bytes) else kind
        if kind not in ("csr", "csc"):
            raise UserError(f"{path}: a sparse matrix of the format {kind}; save it as csr, csc or coo")
        return _rows(path, arrays, ("indptr", "indices", "data"), use, kind == "csc", vertices)
    if is_listed:
        read = columns.edges(path, arrays["row"], arrays["col"], _weights(arrays, "data"), use, directed=True)
        if vertices and (read.labels is not None or read.ids > vertices):
            raise UserError(f"{path}: a row or a column is not below the {vertices:,} of the shape")
        return replace(read, ids=vertices, all_ids=True) if vertices else read
    if {"offsets", "targets"} <= names:
        return _exported(path, arrays, _rows(path, arrays, ("offsets", "targets", "weights"), use))
    return _columns(path, arrays, arrays.files, use, given)


def _side(path, shape):
    """The number of vertices by the shape of a matrix."""
    sides = np.atleast_1d(shape).tolist()
    if len(sides) != 2 or sides[0] != sides[1] or not 0 < sides[0] <= LARGEST or sides[0] != int(sides[0]):
        found = " x ".join(map(str, sides)) or shape
        raise UserError(f"{path}: the shape is {found}; the matrix of a graph is square, with 1 to 2^31 - 1 rows")
    return int(sides[0])


def _columns(path, arrays, names, use, given):
    def load(chosen):
        return {name: np.ascontiguousarray(arrays[name]) for name in chosen}

    return columns.by_name(path, names, given, use, load)


def _weights(arrays, name):
    """The values of a matrix as weights; a matrix of booleans has none."""
    values = arrays.get(name)
    return None if values is None or values.dtype == bool else values


def _rows(path, arrays, names, use, transposed=False, stated=None):
    """Return the arcs of a matrix in compressed rows, or columns; the matrix states every direction."""
    offsets = columns.integers(path, arrays[names[0]], "offset")
    targets = columns.integers(path, arrays[names[1]], "target")
    weights = _weights(arrays, names[2]) if use.used else None
    vertices = len(offsets) - 1
    if stated not in (None, vertices):
        raise UserError(f"{path}: offsets of {vertices:,} vertices, and the shape says {stated:,}")
    degrees = np.diff(offsets)
    if not 0 < vertices <= LARGEST or offsets[0] != 0 or (degrees < 0).any() or offsets[-1] != len(targets):
        raise UserError(f"{path}: offsets do not ascend from 0 to the {len(targets):,} targets")
    if len(targets) and (int(targets.min()) < 0 or int(targets.max()) >= vertices):
        raise UserError(f"{path}: a target is not below the {vertices:,} vertices")
    if weights is not None and len(weights) != len(targets):
        raise UserError(f"{path}: {len(weights):,} weights for {len(targets):,} targets")
    needed = len(targets) * columns.MEMORY_OF_AN_EDGE + 8 * vertices
    processor.require_memory(needed, f"{path}: {vertices:,} vertices, {len(targets):,} arcs")
    ends = np.repeat(np.arange(vertices, dtype=np.uint32), degrees), targets.astype(np.uint32)
    ends = ends[::-1] if transposed else ends
    weights, rounded = (None, 0) if weights is None else columns.converted_weights(path, weights, use)
    return EdgeList(blocks.cut(*ends, weights), vertices, all_ids=True, directed=True, rounded=rounded)


def _exported(path, arrays, edges):
    """Add what `warpath export`, or another program, stores besides the rows."""
    if "directed" in arrays:
        edges.directed = bool(arrays["directed"])
    elif "symmetric" in arrays and bool(arrays["symmetric"]):
        edges.directed, edges.listed_twice = False, True
    if "sources" in arrays:
        edges.notes.append(f"sources in the file, for the key sources of a study: {arrays['sources'].tolist()}")
    for name in ("labels", "names"):
        if name in arrays and len(arrays[name]) != edges.ids:
            raise UserError(f"{path}: {len(arrays[name]):,} {name} for {edges.ids:,} vertices")
    if "labels" in arrays:
        edges.labels = columns.integers(path, arrays["labels"], "label")
        if len(np.unique(edges.labels)) < edges.ids:
            raise UserError(f"{path}: two vertices have the same label")
    if "names" in arrays:
        edges.names = arrays["names"].astype(object)
    return edges


def _pairs(path, array, use, given):
    """Return the edges of an array with a row, or a field, for each end and perhaps the weight."""
    if array.dtype.names:
        return _columns(path, array, list(array.dtype.names), use, given)
    if array.ndim == 2 and array.shape[1] not in (2, 3) and array.shape[0] in (2, 3):
        array = array.T
    if array.ndim != 2 or array.shape[1] not in (2, 3) or array.dtype.kind not in "iuf":
        shape = " x ".join(map(str, array.shape))
        raise UserError(f"{path}: an array of {shape} {array.dtype}; edges are m x 2 numbers, or m x 3 with weights")
    places = {role: place for place, role in enumerate(given)} if isinstance(given, list) else {}
    order = [places.get(role, place) for place, role in enumerate(columns.NAMES)][: array.shape[1]]
    source, target, *weight = (np.ascontiguousarray(array[:, place]) for place in order)
    return columns.edges(path, source, target, weight[0] if weight else None, use)
