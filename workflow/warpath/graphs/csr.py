"""A graph in compressed sparse rows (CSR), in memory and as two Parquet files.

`vertices.parquet` has one row per vertex (label, offset, and name if ids are text), `edges.parquet` one row per arc
(target, weight). Both hold the same metadata with a digest of the content. Files with different digests do not load
together, so a conversion that was killed leaves no graph that loads. Page checksums are verified on reading.
"""

import contextlib
import functools
import hashlib
import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from warpath.base import parquet, processor
from warpath.base.errors import Damaged, UserError

LAYOUT = 1
VERTICES, EDGES = "vertices.parquet", "edges.parquet"
REQUIRED = ("name", "layout", "vertices", "arcs", "directed", "digest")


@dataclass(frozen=True)
class Graph:
    """`targets[offsets[v]:offsets[v + 1]]` are the neighbours of v, ascending; `weights` has one weight per arc."""

    name: str
    offsets: np.ndarray  # int64, vertices + 1
    targets: np.ndarray  # int32
    weights: np.ndarray  # int32, or float32 if any is fractional
    labels: np.ndarray  # int64, the ids in the file
    directed: bool
    metadata: dict = field(default_factory=dict)
    names: np.ndarray | None = None  # of the vertices, when written: jobs do not need them

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
    """Write both files and return their metadata. The vertices come last: until then the folder holds no graph.

    `more()` returns further metadata, and is called when the content is encoded.
    """
    folder = Path(folder)
    counts = {"vertices": graph.vertices, "arcs": graph.arcs, "directed": graph.directed}
    metadata = {**graph.metadata, "layout": LAYOUT, "name": graph.name, **counts}
    needed = sum(array.nbytes for array in (graph.offsets, graph.targets, graph.weights)) // 4  # encoded
    folder.mkdir(parents=True, exist_ok=True)
    if needed > (free := shutil.disk_usage(folder).free):
        needs = f"{graph.name} needs {needed:,} bytes or more, {free:,} are free"
        raise UserError(f"{folder}: No space left on device: {needs}")
    (folder / VERTICES).unlink(missing_ok=True)
    if (folder / EDGES).is_dir():  # parts, in which earlier versions kept long arrays
        shutil.rmtree(folder / EDGES)
    with ThreadPoolExecutor(1) as thread:
        content = thread.submit(digest, graph)

        @functools.cache
        def complete():
            return metadata | more() | {"digest": content.result()}

        parquet.write(folder / EDGES, {"target": graph.targets, "weight": graph.weights}, complete)
        named = {} if graph.names is None else {"name": graph.names}
        parquet.write(folder / VERTICES, {"label": graph.labels, "offset": graph.offsets[:-1], **named}, complete)
    return complete()


def digest(graph):
    """SHA-256 of the graph's content."""
    parts = [graph.offsets, graph.targets, graph.weights, graph.labels, *([] if graph.names is None else [graph.names])]
    with ThreadPoolExecutor(processor.cores()) as pool:
        sums = list(pool.map(_sha256, parts))
    return hashlib.sha256("".join([str(graph.directed), *sums]).encode()).hexdigest()


def _sha256(array):
    if array.dtype == object:
        return hashlib.sha256(json.dumps(array.tolist()).encode()).hexdigest()
    return hashlib.sha256(np.ascontiguousarray(array).data).hexdigest()


def metadata(folder):
    return _found(Path(folder, VERTICES), REQUIRED, parquet.metadata)


def require(folder, name):
    """Raise an error that says what to do if the graph `name` is not in the folder."""
    if missing := [file for file in (VERTICES, EDGES) if not Path(folder, file).exists()]:
        raise UserError(f"{folder}: no {' and '.join(missing)}; run `.venv/bin/warpath prepare {name}` first")


def read(folder):
    """Read the graph in a folder; files that are damaged or do not belong together are an error."""
    folder = Path(folder)
    metadata, other = (_found(folder / file, REQUIRED, parquet.metadata) for file in (VERTICES, EDGES))
    if metadata["digest"] != other["digest"]:
        raise Damaged(folder / VERTICES, f"does not match {EDGES}, which is of another conversion")
    if metadata["layout"] != LAYOUT:
        raise Damaged(folder / VERTICES, f"has layout {metadata['layout']}, not {LAYOUT}")
    vertices = _found(folder / VERTICES, ("label", "offset"), parquet.columns)
    edges = _found(folder / EDGES, ("target", "weight"), parquet.columns)
    if (len(vertices["label"]), len(edges["target"])) != (metadata["vertices"], metadata["arcs"]):
        raise Damaged(folder / VERTICES, "the files do not have as many rows as their metadata say")
    offsets = np.empty(metadata["vertices"] + 1, np.int64)
    offsets[:-1], offsets[-1] = vertices["offset"], metadata["arcs"]
    arrays = offsets, edges["target"], edges["weight"], vertices["label"]
    return Graph(metadata["name"], *arrays, metadata["directed"], metadata)


def names(folder):
    """Read the names of the vertices, which jobs do not need; None if the graph has none."""
    return _found(Path(folder, VERTICES), (), lambda file: parquet.texts(file, "name"))


def _found(file, names, read):
    """Return what `read` finds in the file, of which these names are required.

    Where the arcs are damaged put the vertices aside as well: a workflow prepares a graph again that lacks them.
    """
    try:
        with parquet.reading(file, "a prepared graph"):
            found = read(file)
            if missing := [name for name in names if name not in found]:
                raise ValueError(f"lacks {', '.join(missing)}")
            return found
    except Damaged:
        with contextlib.suppress(FileNotFoundError):
            os.replace(file.with_name(VERTICES), file.with_name(f"{VERTICES}.damaged"))
        raise
