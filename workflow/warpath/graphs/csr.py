"""A graph in compressed sparse rows, in memory and as two Parquet files.

`vertices.parquet` has a row a vertex (label, offset and perhaps x, y), `edges.parquet` a row an arc (target, weight).
Both carry the same metadata, and in it the same digest of the content: two files of different conversions are told
apart, so that a killed conversion never leaves a graph that loads. Pages carry checksums, verified on reading.
"""

import functools
import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from warpath.foundation import parquet
from warpath.foundation.errors import Damaged
from warpath.foundation.files import atomic

LAYOUT = 1
VERTICES, EDGES = "vertices.parquet", "edges.parquet"
ROWS_A_GROUP = 1 << 20
KIND = "a graph of ours"
NEEDED = ("name", "layout", "vertices", "arcs", "directed", "digest")


@dataclass(frozen=True)
class Graph:
    """`targets[offsets[v]:offsets[v + 1]]` are the neighbours of v in ascending order, `weights` the arcs' weights."""

    name: str
    offsets: np.ndarray  # int64, vertices + 1
    targets: np.ndarray  # int32
    weights: np.ndarray  # int32, or float32 where the source's are not whole numbers
    labels: np.ndarray  # int64, the ids in the source file
    directed: bool
    metadata: dict = field(default_factory=dict)
    columns: dict = field(default_factory=dict)  # further vertex columns: x and y

    @property
    def vertices(self):
        return len(self.offsets) - 1

    @property
    def arcs(self):
        return len(self.targets)

    @functools.cached_property
    def max_weight(self):
        return self.weights.max().item() if self.arcs else 0


def write(graph, folder, more=dict):
    """Both files, the vertices last: until then the folder holds no graph that loads. Returns the metadata.

    `more()` gives further metadata; it is called while the arcs are encoded, which keeps one core busy.
    """
    folder = Path(folder)
    counts = {"vertices": graph.vertices, "arcs": graph.arcs, "directed": graph.directed}
    described = {**graph.metadata, "layout": LAYOUT, "name": graph.name, **counts}
    (folder / VERTICES).unlink(missing_ok=True)
    with ThreadPoolExecutor(1) as thread:
        summed = thread.submit(lambda: described | more() | {"digest": digest(graph)})
        _write(folder / EDGES, {"target": graph.targets, "weight": graph.weights}, summed.result)
        _write(folder / VERTICES, {"label": graph.labels, "offset": graph.offsets[:-1], **graph.columns}, summed.result)
    return summed.result()


def digest(graph):
    """SHA-256 over the content: the same graph has the same wherever and whenever it is converted."""
    parts = [graph.offsets, graph.targets, graph.weights, graph.labels, *graph.columns.values()]
    sums = [_sha256(part) for part in parts]
    return hashlib.sha256("".join([str(graph.directed), *sums]).encode()).hexdigest()


def _sha256(array):
    array = np.ascontiguousarray(array)
    return hashlib.sha256(array.astype(array.dtype.newbyteorder("<"), copy=False).data).hexdigest()


def _write(path, columns, described):
    """Columns as one Parquet file; `described` is called for the metadata at the end. docs/graphs.md says what else was
    tried for the encoding."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {name: _arrow(column) for name, column in columns.items()}
    schema = pa.schema([pa.field(name, column.type, nullable=False) for name, column in columns.items()])
    delta = {name: "DELTA_BINARY_PACKED" for name, column in columns.items() if pa.types.is_integer(column.type)}
    options = {"compression": "none", "use_dictionary": False, "column_encoding": delta, "write_statistics": False}
    options |= {"write_page_checksum": True, "store_schema": False}  # so that the metadata below are the schema's
    with atomic(path) as temporary, pq.ParquetWriter(temporary, schema, **options) as writer:
        writer.write_table(pa.table(list(columns.values()), schema=schema), row_group_size=ROWS_A_GROUP)
        writer.add_key_value_metadata({"warpath": json.dumps(described())})


def _arrow(array):
    """An Arrow array over the same memory; Arrow's own conversion imports pandas, longer than writing most graphs."""
    import pyarrow as pa

    array = np.ascontiguousarray(array)
    return pa.Array.from_buffers(pa.from_numpy_dtype(array.dtype), len(array), [None, pa.py_buffer(array)])


def metadata(folder):
    """What the files say about the graph, without reading it."""
    return _described(Path(folder) / VERTICES)


def read(folder):
    folder = Path(folder)
    described, other = _described(folder / VERTICES), _described(folder / EDGES)
    if described["digest"] != other["digest"]:
        raise Damaged(folder / VERTICES, f"of another conversion than {EDGES}")
    if described["layout"] != LAYOUT:
        raise Damaged(folder / VERTICES, f"has layout {described['layout']}, not {LAYOUT}")
    vertices, edges = _columns(folder / VERTICES, "label", "offset"), _columns(folder / EDGES, "target", "weight")
    if (len(vertices["label"]), len(edges["target"])) != (described["vertices"], described["arcs"]):
        raise Damaged(folder / VERTICES, "the counts in the files differ")
    offsets = np.append(vertices.pop("offset"), described["arcs"]).astype(np.int64)
    return Graph(
        name=described["name"],
        offsets=offsets,
        targets=edges["target"],
        weights=edges["weight"],
        labels=vertices.pop("label"),
        directed=described["directed"],
        metadata=described,
        columns=vertices,
    )


def _described(path):
    with parquet.believed(path, KIND):
        return _complete(parquet.metadata(path), NEEDED)


def _columns(path, *needed):
    with parquet.believed(path, KIND):
        return _complete(parquet.columns(path), needed)


def _complete(found, needed):
    lacking = [name for name in needed if name not in found]
    if lacking:
        raise ValueError(f"lacks {', '.join(lacking)}")
    return found
