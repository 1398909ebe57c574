"""The right answers, by SciPy's csgraph: computed once per graph and problem, kept, sharing no code with the kernels.

An oracle file is a Parquet file with one column, `distance`: one row of `vertices` entries after another, a row per
source. Its metadata say which sources these are, of which graph, and by which SciPy.
"""

import functools
import json
import os
import zlib
from typing import NamedTuple

import numpy as np

from warpath.algorithms import UNREACHABLE
from warpath.foundation.errors import UserError
from warpath.foundation.files import atomic
from warpath.lifetime import processes

# All-pairs answers are checked on every row up to this many vertices, beyond on as many rows spread evenly.
ALL_ROWS = 1024

ARCS_A_PROCESS = 10**7  # fewer to search than these are not worth another process


class Oracle(NamedTuple):
    sources: list
    distance: np.ndarray  # int32 [sources, vertices]
    graph_digest: str
    longest: int  # no distance of this problem is longer; one of 2^31 - 1 or more does not fit an answer
    scipy: str | None = None  # the version that found them


def compute(graph, problem, sources, seed, processes=1):
    """`sources` is how many to draw, or the labels of the vertices to take; all-pairs takes rows of its own."""
    from scipy.sparse import csr_array

    rows = _all_pairs_rows(graph.vertices) if problem == "apsp" else choose_sources(graph, sources, seed)
    weights = np.ones(graph.arcs) if problem == "bfs" else graph.weights.astype(np.float64)
    matrix = csr_array((weights, graph.targets, graph.offsets), shape=(graph.vertices, graph.vertices))
    search = functools.partial(_answer, _levels if problem == "bfs" else _costs, matrix)
    worthwhile = 1 + graph.arcs * len(rows) // ARCS_A_PROCESS
    distances, lengths = zip(*_each(search, rows, min(processes, worthwhile)), strict=True)
    longest = max(lengths)
    if problem == "apsp" and len(rows) < graph.vertices:
        longest = _bound(graph, rows, longest)
    return rows, np.stack(distances), longest


def _each(search, rows, processes):
    """The answers for all rows, by processes: csgraph does not let go of the interpreter's lock."""
    if processes == 1:
        return [search(row) for row in rows]
    import multiprocessing  # with what belongs to it a tenth of all that a run would import, which only reads answers
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    forked = multiprocessing.get_context("fork")  # what is in memory need not be sent
    try:
        with ProcessPoolExecutor(min(processes, len(rows)), forked, _inherit, [search, os.getpid()]) as pool:
            return list(pool.map(_inherited, rows))
    except BrokenProcessPool as error:
        raise UserError(
            "a process that looked for right answers was killed, perhaps for memory; give the command fewer --threads"
        ) from error


_INHERITED = []


def _inherit(search, parent):
    processes.die_with(parent)
    _INHERITED.append(search)


def _inherited(row):
    return _INHERITED[0](row)


def _answer(solve, matrix, row):
    """The row as it is stored, and its longest distance as it was."""
    distance = solve(matrix, row)
    longest = int(distance[distance < np.inf].max(initial=0))
    return np.minimum(distance, UNREACHABLE).astype(np.int32), longest


def _bound(graph, rows, longest):
    """No distance from a row that was not computed is longer than this: through a computed vertex of the same
    component, there and back; where a component has none, along all of its vertices."""
    simple_path = (graph.vertices - 1) * graph.max_weight
    if graph.directed:
        return simple_path
    component = _components(graph, "weak")
    sizes = np.bincount(component)
    sizes[component[rows]] = 1
    return min(simple_path, max(2 * longest, (int(sizes.max()) - 1) * graph.max_weight))


def choose_sources(graph, wanted, seed):
    """Seeded vertices of the largest strongly connected component, so that every source reaches as much.

    A graph with no cycle has no such component: there the sources come from the largest weakly connected one.
    """
    if isinstance(wanted, list):
        return _by_label(graph, wanted)
    candidates = _largest_component(graph, "strong")
    if len(candidates) < 2:
        candidates = _largest_component(graph, "weak")
        starts = candidates[np.diff(graph.offsets)[candidates] > 0]
        candidates = starts if len(starts) else candidates
    shuffled = np.random.default_rng(seed).permutation(candidates)
    return [int(vertex) for vertex in shuffled[:wanted]]


def _by_label(graph, labels):
    position = {int(label): vertex for vertex, label in enumerate(graph.labels)}
    missing = [label for label in labels if label not in position]
    if missing:
        raise UserError(f"graph {graph.name} has no vertex labelled {missing[0]} to start from")
    return [position[label] for label in labels]


def _largest_component(graph, connection):
    component = _components(graph, connection)
    return np.flatnonzero(component == np.bincount(component).argmax())


def _components(graph, connection):
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(graph.arcs, np.int8)
    matrix = csr_array((ones, graph.targets, graph.offsets), shape=(graph.vertices, graph.vertices))
    return connected_components(matrix, directed=True, connection=connection)[1]


def _all_pairs_rows(vertices):
    return [int(row) for row in np.unique(np.linspace(0, vertices - 1, min(vertices, ALL_ROWS)).astype(int))]


def _costs(matrix, source):
    from scipy.sparse.csgraph import dijkstra

    return dijkstra(matrix, indices=source)


def _levels(matrix, source):
    """Distances in hops. csgraph gives the order of the search and each vertex's predecessor, not the level; as
    the order is sorted by level and by predecessor, each level is one contiguous stretch."""
    from scipy.sparse.csgraph import breadth_first_order

    order, predecessors = breadth_first_order(matrix, source)
    place = np.empty(matrix.shape[0], np.int64)
    place[order] = np.arange(len(order))
    parent_place = place[predecessors[order[1:]]]
    distance = np.full(matrix.shape[0], np.inf)
    begin, end, level = 0, 1, 0
    while begin < end:
        distance[order[begin:end]] = level
        begin, end, level = end, 1 + int(np.searchsorted(parent_place, end)), level + 1
    return distance


def write(path, graph, problem, sources, distance, longest):
    import pyarrow as pa
    import pyarrow.parquet as pq
    import scipy

    described = {"problem": problem, "sources": sources, "longest": longest, "graph": digest(graph)}
    described["scipy"] = scipy.__version__
    described["check"] = _check(described)
    schema = pa.schema([("distance", pa.int32())], {"warpath": json.dumps(described)})
    with atomic(path) as temporary:
        table = pa.table({"distance": distance.reshape(-1)}, schema)
        pq.write_table(table, temporary, compression="zstd", write_page_checksum=True)


def read(path):
    from warpath.foundation import parquet

    with parquet.believed(path, "an oracle file"):
        described = parquet.metadata(path)
        if described.pop("check", None) not in (None, _check(described)):
            raise ValueError("what it says about itself has changed")
        distance = parquet.columns(path)["distance"].reshape(len(described["sources"]), -1)
        return Oracle(described["sources"], distance, described["graph"], described["longest"], described["scipy"])


def _check(described):
    """Pages of a Parquet file carry sums of their own, its metadata do not."""
    return zlib.crc32(json.dumps(described, sort_keys=True).encode())


def digest(graph):
    """What tells two graphs apart: the content's own digest where the file carries one."""
    return graph.metadata.get("digest") or f"{graph.vertices}-{graph.arcs}"


def arcs_visited(graph, distance):
    """The arcs that leave reached vertices: what a search must look at, the E of traversed edges per second."""
    return int(np.diff(graph.offsets)[distance != UNREACHABLE].sum())
