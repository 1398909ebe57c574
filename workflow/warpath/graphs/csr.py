"""A graph in compressed sparse rows, in memory and as two Parquet files.

`vertices.parquet` has a row a vertex (label, offset and perhaps x, y), `edges.parquet` a row an arc (target, weight).
Both carry the same metadata, and in it the same digest of the content: two files of different conversions are told
apart, so that a killed conversion never leaves a graph that loads. Pages carry checksums, verified on reading.
"""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from warpath.errors import UserError
from warpath.files import atomic

LAYOUT = 1
VERTICES, EDGES = "vertices.parquet", "edges.parquet"
ROWS_A_GROUP = 1 << 22


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

    @property
    def max_weight(self):
        return self.weights.max().item() if self.arcs else 0


def from_edges(name, sources, targets, weights=None, vertices=None, directed=False):
    """A small graph from its edges in the plainest way: loops dropped, the lightest of duplicates kept."""
    sources, targets = np.asarray(sources, np.int64), np.asarray(targets, np.int64)
    weights = np.ones(len(sources), np.int32) if weights is None else np.asarray(weights)
    if not directed:
        sources, targets = np.concatenate([sources, targets]), np.concatenate([targets, sources])
        weights = np.concatenate([weights, weights])
    vertices = int(max(sources.max(initial=-1), targets.max(initial=-1)) + 1) if vertices is None else vertices
    order = np.lexsort((weights, targets, sources))
    sources, targets, weights = sources[order], targets[order], weights[order]
    first = np.ones(len(sources), bool)
    first[1:] = (sources[1:] != sources[:-1]) | (targets[1:] != targets[:-1])
    kept = first & (sources != targets)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(sources[kept], minlength=vertices))]).astype(np.int64)
    dtype = np.float32 if weights.dtype.kind == "f" else np.int32
    targets, weights = targets[kept].astype(np.int32), weights[kept].astype(dtype)
    return Graph(name, offsets, targets, weights, np.arange(vertices), directed)


def write(graph, folder):
    """Both files, the vertices last: until then the folder holds no graph that loads."""
    import pyarrow as pa

    folder = Path(folder)
    described = {
        **graph.metadata,
        "layout": LAYOUT,
        "name": graph.name,
        "vertices": graph.vertices,
        "arcs": graph.arcs,
        "directed": graph.directed,
        "digest": digest(graph),
    }
    metadata = {"warpath": json.dumps(described)}
    vertices = {"label": pa.array(graph.labels), "offset": pa.array(graph.offsets[:-1])}
    vertices |= {name: pa.array(column) for name, column in graph.columns.items()}
    edges = {"target": pa.array(graph.targets), "weight": pa.array(graph.weights)}
    (folder / VERTICES).unlink(missing_ok=True)
    _write(folder / EDGES, edges, metadata)
    _write(folder / VERTICES, vertices, metadata)
    return described


def digest(graph):
    """SHA-256 over the content: the same graph has the same wherever and whenever it is converted."""
    parts = [graph.offsets, graph.targets, graph.weights, graph.labels, *graph.columns.values()]
    with ThreadPoolExecutor() as threads:
        sums = list(threads.map(_sha256, parts))
    return hashlib.sha256("".join([str(graph.directed), *sums]).encode()).hexdigest()


def _sha256(array):
    array = np.ascontiguousarray(array)
    return hashlib.sha256(array.astype(array.dtype.newbyteorder("<"), copy=False).data).hexdigest()


def _write(path, columns, metadata):
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([pa.field(name, column.type, nullable=False) for name, column in columns.items()], metadata)
    with atomic(path) as temporary:
        pq.write_table(
            pa.table(list(columns.values()), schema=schema),
            temporary,
            row_group_size=ROWS_A_GROUP,
            compression="none",
            use_dictionary=False,
            write_page_checksum=True,
        )


def metadata(folder):
    """What the files say about the graph, without reading it."""
    return _described(Path(folder) / VERTICES)


def read(folder):
    folder = Path(folder)
    described, other = _described(folder / VERTICES), _described(folder / EDGES)
    if described["digest"] != other["digest"]:
        raise UserError(f"{folder}: {VERTICES} and {EDGES} are of different conversions; delete both and prepare again")
    if described["layout"] != LAYOUT:
        raise UserError(f"{folder}: has layout {described['layout']}, not {LAYOUT}; delete it and prepare again")
    vertices, edges = _read(folder / VERTICES), _read(folder / EDGES)
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
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return json.loads(pq.read_schema(path).metadata[b"warpath"])
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; prepare the graph first") from None
    except (OSError, pa.ArrowException, KeyError, ValueError, TypeError) as error:
        raise _damaged(path, error) from error


def _read(path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path, page_checksum_verification=True)
        return {name: table[name].to_numpy() for name in table.column_names}
    except (OSError, pa.ArrowException) as error:
        raise _damaged(path, error) from error


def _damaged(path, error):
    reason = str(error).splitlines()[0]
    return UserError(f"{path}: damaged, or not a graph of ours ({reason}); delete its folder and prepare again")
