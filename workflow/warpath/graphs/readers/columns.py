"""Edges from columns of ids and weights, of integers or text, as tables and arrays have them."""

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from warpath.base import processor
from warpath.base.errors import UserError, did_you_mean
from warpath.graphs import blocks, library
from warpath.graphs.edges import LARGEST, EdgeList
from warpath.graphs.readers.text import escaped

MEMORY_OF_AN_EDGE = 48  # bytes while columns become blocks
MEMORY_OF_A_NAME = 200
SOURCE = {"source", "src", "from", "u", "tail", "fromnode", "fromid", "fromnodeid", "node1", "id1", "vertex1"}
TARGET = {"target", "tgt", "dst", "dest", "destination", "to", "v", "tonode", "toid", "tonodeid", "node2", "id2"}
WEIGHT = {"weight", "w", "weights", "cost", "distance", "dist", "length", "rating"}
NAMES = {"source": SOURCE | {"sourceid"}, "target": TARGET | {"vertex2", "targetid"}, "weight": WEIGHT}


def role(name):
    """Return the role that a column's name fits, or None."""
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    return next((role for role, names in NAMES.items() if plain in names), None)


def match(place, names, given=None):
    """Return the position of each role's column: those `given` by name, else those that a role's names fit."""
    given = given or {}
    roles = {}
    for key, name in given.items():
        if name not in names:
            raise UserError(f"{place}: columns.{key}: no column '{name}'.{did_you_mean(name, names)} {_listed(names)}")
        roles[key] = names.index(name)
    for expected in () if given else NAMES:
        fitting = [name for name in names if role(name) == expected]
        if len(fitting) > 1:
            raise UserError(f"{place}: {' and '.join(fitting)} could each be the {expected}; name one under columns")
        if fitting:
            roles[expected] = names.index(fitting[0])
    missing = [end for end in ("source", "target") if end not in roles]
    if missing:
        raise UserError(
            f"{place}: which column is the {' and the '.join(missing)}? {_listed(names)}; name them, as in "
            "columns: {source: a, target: b, weight: c}"
        )
    return roles


def _listed(names):
    return "It has " + ", ".join(escaped(name.encode()) for name in names[:20])


def described(names, roles, used=True):
    """Say in one line which columns were taken for what."""
    taken = [f"{key} from {escaped(names[roles[key]].encode())}" for key in NAMES if key in roles]
    rest = [escaped(name.encode()) for place, name in enumerate(names) if place not in roles.values()]
    taken += [] if "weight" in roles or not used else ["no weight"]
    return ", ".join(taken) + (f"; ignored: {', '.join(rest[:20])}" if rest else "")


def edges(place, source, target, weight, use, vertices=None, **more):
    """Return the edges of two columns of ids, Arrow's or NumPy's, and one of weights or None.

    The column `vertices` has all vertices, if some lack edges.
    """
    processor.require_memory(len(source) * MEMORY_OF_AN_EDGE, f"{place}: {len(source):,} edges")
    columns = {"source": source, "target": target} | ({} if vertices is None else {"vertex": vertices})
    ids = [integers(place, column, role) for role, column in columns.items()]
    weights = None if weight is None or not use.used else converted_weights(place, _floats(place, weight), use)
    if any(column is None for column in ids):
        return _named(place, *columns.values(), weights=weights, **more)
    return numbered(place, *ids, weights=weights, **more)


def numbered(place, tails, targets, vertices=None, *, weights, **more):
    """Return the edges between integers."""
    if not len(tails):
        raise UserError(f"{place}: no edge found")
    ids = [tails, targets] if vertices is None else [tails, targets, vertices]
    if min(map(np.min, ids)) < 0:
        row = np.flatnonzero((tails < 0) | (targets < 0))
        where = f"edge {row[0] + 1:,}: " if len(row) else ""
        raise UserError(f"{place}: {where}a vertex is negative")
    largest = int(max(map(np.max, ids)))
    if largest > LARGEST:
        labels = np.unique(np.concatenate(ids)).astype(np.int64)
        return _compact(*(np.searchsorted(labels, end) for end in (tails, targets)), weights, labels, **more)
    listed, seen = blocks.cut(tails, targets, weights), library.bitmap(largest + 1)
    further = [] if vertices is None else [vertices.astype(np.uint32)]
    for marked in [*(end for block in listed for end in block[:2]), *further]:
        library.call("parse", "mark_ids", marked, len(marked), seen)
    return EdgeList(listed, ids=largest + 1, seen=seen, **more)


def _compact(tails, targets, weights, labels, **more):
    return EdgeList(blocks.cut(tails, targets, weights), len(labels), all_ids=True, labels=labels, **more)


def _named(place, *columns, weights, **more):
    """Return the edges between names, which are numbered in their order and kept as the column `name`."""
    columns = [[_encoded(chunk) for chunk in _chunks(column)] for column in columns]
    distinct = pa.chunked_array([chunk.dictionary for column in columns for chunk in column]).unique()
    needed = len(distinct) * MEMORY_OF_A_NAME + 2 * distinct.nbytes
    processor.require_memory(needed, f"{place}: {len(distinct):,} vertices with names")
    if distinct.null_count or not pc.all(pc.greater(pc.binary_length(distinct), 0)).as_py():
        raise UserError(f"{place}: an edge has an empty vertex")
    names = distinct.take(pc.sort_indices(distinct))
    places = [
        [pc.index_in(chunk.dictionary, value_set=names).take(chunk.indices) for chunk in column] for column in columns
    ]
    tails, targets = (np.concatenate(list(map(_numpy, column))) for column in places[:2])
    edges = _compact(tails, targets, weights, np.arange(len(names), dtype=np.int64), **more)
    edges.columns["name"] = np.array(names.to_pylist(), object)
    edges.notes.append(f"vertices are text, such as '{escaped(str(names[0]).encode())}': numbered in their order")
    return edges


def _chunks(column):
    return column.chunks if isinstance(column, pa.ChunkedArray) else [pa.array(column)]


def _encoded(chunk):
    """Places in a dictionary of texts."""
    encoded = chunk if pa.types.is_dictionary(chunk.type) else chunk.dictionary_encode()
    return pa.DictionaryArray.from_arrays(encoded.indices, encoded.dictionary.cast(pa.string()))


def _require(place, right, reason, values=None):
    """Unless all rows are `right`, raise an error that names the first that is not."""
    if not right.all():
        row = int(np.argmin(right))
        found = "" if values is None else f" (found: {values[row]})"
        raise UserError(f"{place}: row {row + 1:,}: {reason}{found}")


def _refuse_nulls(place, column, role):
    if column.null_count:
        raise UserError(f"{place}: row {column.is_valid().index(False).as_py() + 1:,}: no {role}")


def integers(place, column, role):
    """Return whole numbers as int64; None if they are text."""
    if not isinstance(column, np.ndarray):
        _refuse_nulls(place, column, role)
        if pa.types.is_dictionary(column.type):
            return None
        try:
            column = _parsed(column, pa.int64())
        except pa.ArrowInvalid:
            return None
        if not _is_number(column.type):
            raise UserError(f"{place}: the {role} is of type {column.type}; ids are integers or text")
        column = _numpy(column)
    if column.dtype.kind == "f":
        whole = np.isfinite(column) & (column == np.floor(column)) & (np.abs(column) < 2.0**53)
        _require(place, whole, f"a {role} is not an integer", column)
    elif column.dtype == np.uint64 and len(column) and column.max() >= 2**63:
        raise UserError(f"{place}: a {role} is beyond 2^63 - 1")
    return column.astype(np.int64, copy=False)


def _parsed(column, kind):
    """The column, as numbers of this kind if it is text."""
    return column.cast(kind) if is_text(column.type) else column


def is_text(kind):
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _is_number(kind):
    return pa.types.is_integer(kind) or pa.types.is_floating(kind)


def _numpy(column):
    """A NumPy array of an Arrow column; `to_numpy` would import pandas."""
    chunks = getattr(column, "chunks", [column])
    arrays = [np.from_dlpack(chunk) for chunk in chunks if len(chunk)]
    return np.concatenate(arrays) if len(arrays) > 1 else arrays[0] if arrays else np.empty(0, np.int64)


def _floats(place, column):
    if isinstance(column, np.ndarray):
        return column
    _refuse_nulls(place, column, "weight")
    try:
        column = _parsed(column, pa.float64())
    except pa.ArrowInvalid as error:
        raise UserError(f"{place}: a weight is not a number ({escaped(str(error).encode())})") from None
    if not _is_number(column.type):
        raise UserError(f"{place}: the weight is of type {column.type}, not a number")
    return _numpy(column)


def converted_weights(place, values, use):
    """Return weights as int32, or as float32 if any is fractional, after the policy was applied."""
    values = np.asarray(values)
    if values.dtype.kind not in "iuf":
        raise UserError(f"{place}: the weights are of type {values.dtype}, not numbers")
    if values.dtype.kind == "f":
        _require(place, np.isfinite(values), "a weight is not a finite number", values)
    if len(values) and values.min() < 0:
        if use.negative == "refuse":
            reason = "a weight is negative, which shortest paths do not allow; weights: absolute drops the signs"
            _require(place, values >= 0, reason, values)
        values = np.abs(values.astype(np.float64)) if use.negative == "absolute" else values
    if use.scale:
        scaled = np.rint(values.astype(np.float64) * use.scale)
        kept = (scaled != 0) | (values == 0)
        _require(place, kept, "a weight becomes 0 when it is rounded; take a larger scale", values)
        values = scaled
    if len(values) and values.max() > LARGEST:
        _require(place, values <= LARGEST, "a weight is beyond 2^31 - 1", values)
    whole = values.dtype.kind != "f" or (values == np.floor(values)).all()
    return values.astype(np.int32 if whole else np.float32)
