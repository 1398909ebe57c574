"""Edges from columns of ids and weights, of integers or text, as tables and arrays have them."""

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from warpath.base import processor
from warpath.base.errors import UserError, did_you_mean
from warpath.graphs import blocks, library
from warpath.graphs.blocks import LARGEST, EdgeList
from warpath.graphs.readers.text import WideIds, escaped

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
    given, roles = given if isinstance(given, dict) else {}, {}
    for key, name in given.items():
        if name not in names:
            raise UserError(f"{place}: columns.{key}: no column '{name}'.{did_you_mean(name, names)} {_listed(names)}")
        roles[key] = names.index(name)
    if len({*roles.values()}) < len(roles):
        raise UserError(f"{place}: columns: {given} names a column twice; source, target and weight differ")
    for expected in () if given else NAMES:
        fitting = [name for name in names if role(name) == expected]
        if len(fitting) > 1:
            raise UserError(f"{place}: {' and '.join(fitting)} could each be the {expected}; name one under columns")
        if fitting:
            roles[expected] = names.index(fitting[0])
    missing = [end for end in ("source", "target") if end not in roles]
    if missing:
        advice = "name them, as in columns: {source: a, target: b, weight: c}"
        raise UserError(f"{place}: which column is the {' and the '.join(missing)}? {_listed(names)}; {advice}")
    return roles


def _listed(names):
    return "It has " + ", ".join(map(escaped, names[:20]))


def described(names, roles):
    taken = [f"{key} from {escaped(names[roles[key]])}" for key in NAMES if key in roles]
    rest = [escaped(name) for place, name in enumerate(names) if place not in roles.values()]
    taken += [] if "weight" in roles else ["no weight"]
    return ", ".join(taken) + (f"; ignored: {', '.join(rest[:20])}" if rest else "")


def by_name(place, names, given, use, load):
    """Return the edges of a table with these columns. `load` gets the names of those that are needed, and returns them.

    `given` is the catalogue's key columns.
    """
    roles = match(place, names, given)
    needed = {role: names[number] for role, number in roles.items() if role != "weight" or use.used}
    table = load(list({*needed.values()}))
    chosen = (table[needed[role]] if role in needed else None for role in NAMES)
    return edges(place, *chosen, use, notes=[described(names, roles)])


def edges(place, source, target, weight, use, **more):
    """Return the edges of two columns of ids, Arrow's or NumPy's, and one of weights or None."""
    if not len(source):
        raise UserError(f"{place}: no edge found")
    if len({len(column) for column in (source, target, weight) if column is not None}) > 1:
        raise UserError(f"{place}: the columns of sources, targets and weights differ in length")
    processor.require_memory(len(source) * MEMORY_OF_AN_EDGE, f"{place}: {len(source):,} edges")
    ids = integers(place, source, "source"), integers(place, target, "target")
    weights, rounded = converted_weights(place, weight, use) if weight is not None and use.used else (None, 0)
    more["rounded"] = rounded
    if any(column is None for column in ids):
        return _named(place, source, target, weights=weights, **more)
    return _numbered(place, *ids, weights=weights, **more)


def _numbered(place, tails, targets, weights, **more):
    _require(place, (tails >= 0) & (targets >= 0), "a vertex is negative")
    largest = max(int(tails.max()), int(targets.max()))
    if largest > LARGEST:
        labels = np.unique(np.concatenate([tails, targets])).astype(np.int64)
        return _compact(*(np.searchsorted(labels, end) for end in (tails, targets)), weights, labels, **more)
    listed = blocks.cut(tails, targets, weights)
    return EdgeList(listed, ids=largest + 1, seen=seen(largest + 1, listed), **more)


def seen(ids, listed):
    """Return a bitmap of the ids that occur in these blocks."""
    bits = library.bitmap(ids)
    for end in (end for block in listed for end in block[:2]):
        library.call("parse", "mark_ids", end, len(end), bits)
    return bits


def _compact(tails, targets, weights, labels, **more):
    return EdgeList(blocks.cut(tails, targets, weights), len(labels), all_ids=True, labels=labels, **more)


def _named(place, tails, targets, weights, **more):
    """Return the edges between names, which are numbered in their order and kept as the column `name`."""
    chunks = [_encoded(chunk) for column in (tails, targets) for chunk in column.chunks]
    if any(chunk.dictionary.null_count or chunk.dictionary.index("").as_py() >= 0 for chunk in chunks):
        raise UserError(f"{place}: an edge has an empty vertex")
    joined = pa.chunked_array(chunks).unify_dictionaries().chunks
    distinct = joined[0].dictionary
    if pc.all(pc.match_substring_regex(distinct, r"^[+-]?\d+(\.0*)?$")).as_py():  # 1.0 would not be the vertex 1
        wrong = (
            name for name in distinct.to_pylist() if not re.fullmatch(r"-?\d{1,20}", name) or abs(int(name)) >= 2**63
        )
        odd = next(wrong, "")
        raise WideIds(f"{place}: a vertex is not an integer up to 2^63 - 1 (found: {escaped(odd)})", odd)
    needed = len(distinct) * MEMORY_OF_A_NAME + 2 * distinct.nbytes
    processor.require_memory(needed, f"{place}: {len(distinct):,} vertices with names")
    order = pc.sort_indices(distinct)
    names, ranks = distinct.take(order), np.empty(len(order), np.uint32)
    ranks[np.from_dlpack(order)] = np.arange(len(order), dtype=np.uint32)
    places = ranks[np.concatenate([np.from_dlpack(chunk.indices) for chunk in joined])]
    edges = _compact(*np.split(places, [len(tails)]), weights, np.arange(len(names), dtype=np.int64), **more)
    edges.names = np.array(names.to_pylist(), object)
    edges.notes.append(f"vertices are text, such as '{escaped(str(names[0]))}': numbered in their order")
    return edges


def _encoded(chunk):
    """Places in a dictionary of the texts that occur."""
    if pa.types.is_dictionary(chunk.type):
        used = chunk.indices.unique()
        places, texts = pc.index_in(chunk.indices, value_set=used), chunk.dictionary.take(used)
    else:
        encoded = chunk.dictionary_encode()
        places, texts = encoded.indices, encoded.dictionary
    return pa.DictionaryArray.from_arrays(places, texts.cast(pa.string()))


def _require(place, right, reason, values=None):
    """Unless all rows are `right`, raise an error that names the first that is not."""
    if not right.all():
        row = int(np.argmin(right))
        found = "" if values is None else f" (found: {values[row]})"
        raise UserError(f"{place}: row {row + 1:,}: {reason}{found}")


def integers(place, column, role):
    """Return whole numbers as int64; None if they are text."""
    try:
        column = _numbers(place, column, role, pa.int64())
    except pa.ArrowInvalid:
        return None
    if column.dtype.kind not in "iuf":
        raise UserError(f"{place}: the {role} is of type {column.dtype}; ids are integers")
    if column.dtype.kind == "f":
        _require(place, np.isfinite(column) & (column == np.floor(column)), f"the {role} is not an integer", column)
        bits = min(np.finfo(column.dtype).nmant + 1, 63)
        reason = f"the {role} is beyond 2^{bits}, from where {column.dtype} leaves out integers; store ids as int64"
        _require(place, np.abs(column) < 2.0**bits, reason, column)
    elif column.dtype == np.uint64:
        _require(place, column < 2**63, f"the {role} is beyond 2^63 - 1", column)
    return column.astype(np.int64, copy=False)


def _numbers(place, column, role, kind):
    """Return an array of a column's numbers, which are parsed as `kind` if they are text."""
    if isinstance(column, np.ndarray):
        if column.ndim != 1:
            raise UserError(f"{place}: the {role} has {column.ndim} dimensions; a column has one")
        return column
    if column.null_count:
        raise UserError(f"{place}: row {column.is_valid().index(False).as_py() + 1:,}: no {role}")
    if pa.types.is_dictionary(column.type) and is_text(column.type.value_type):
        chunks = [_encoded(chunk) for chunk in column.chunks]
        column = pa.chunked_array([chunk.dictionary.cast(kind).take(chunk.indices) for chunk in chunks])
    elif is_text(column.type):
        column = column.cast(kind)
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        raise UserError(f"{place}: the {role} is of type {column.type}; ids are integers or text, weights are numbers")
    arrays = [np.from_dlpack(chunk) for chunk in column.chunks]  # `to_numpy` would import pandas
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


def is_text(kind):
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def converted_weights(place, values, use):
    """Return weights by the policy as int32, or as float32 if any is fractional, and how many of them were rounded."""
    if isinstance(values, pa.ChunkedArray) and pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    texts = values if isinstance(values, pa.ChunkedArray) and is_text(values.type) else None
    try:
        values = _numbers(place, values, "weight", pa.float64())
    except pa.ArrowInvalid as error:
        raise UserError(f"{place}: a weight is not a number ({escaped(str(error))})") from None
    if values.dtype.kind not in "iuf":
        raise UserError(f"{place}: the weights are of type {values.dtype}, not numbers")
    given = values
    if values.dtype.kind == "f":
        values = values.astype(np.promote_types(values.dtype, np.float64), copy=False)
        _require(place, np.isfinite(values), "a weight is not a finite number", given)
    if len(values) and values.min() < 0:
        if use.negative == "refuse":
            reason = "a weight is negative, which shortest paths do not allow; weights: absolute drops the signs"
            _require(place, values >= 0, reason, values)
        values = values.astype(np.float64)
    exact = np.abs(values) * use.scale if use.scale else np.abs(values)  # no -0, which would sort behind all others
    values = np.rint(exact) if use.scale else exact
    _require(place, values <= LARGEST, "a weight is beyond 2^31 - 1", given)
    whole = values.dtype.kind != "f" or (values == np.floor(values)).all()
    stored = values.astype(np.int32 if whole else np.float32)
    zero = pc.invert(pc.match_substring_regex(texts, "^[^eE]*[1-9]")).to_numpy() if texts is not None else given == 0
    reason = "a weight becomes 0 when it is rounded; weights: {scale: ...} takes a larger factor"
    _require(place, (stored != 0) | zero, reason, given if texts is None else texts)
    return stored, int(np.count_nonzero(stored != exact))
