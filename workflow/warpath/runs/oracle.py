"""The right answers, by SciPy's csgraph: computed once per graph and problem, sharing no code with the kernels.

An oracle file is a Parquet file with one column, `distance`: a row of `vertices` entries per source, concatenated. Its
metadata name the sources, the graph and the version of SciPy. Where a certificate is the judge (runs/judge.py), the
metadata say so and the column is empty.
"""

import json
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from warpath.algorithms import UNREACHABLE
from warpath.algorithms.peers import graphs
from warpath.base import parquet
from warpath.base.errors import UserError
from warpath.base.problems import CHECKED_ROWS, PROBLEMS
from warpath.devices.errors import UnsupportedLaunch
from warpath.runs import judge
from warpath.runs.sources import choose_sources

SCIPY_SECONDS = 5  # predicted, beyond which runs prove their answers instead

MOST_ARCS = 2**31 - 1  # that csgraph numbers

COUNTED = 1 << 24  # vertices whose arcs are counted together


class Oracle(NamedTuple):
    sources: list
    distance: np.ndarray | None  # int32 [sources, vertices]; None where a certificate is the judge
    graph_digest: str
    longest: int  # an upper bound of all distances; from 2^31 - 1 on, answers do not fit
    scipy: str | None = None  # the version that computed them
    judge: str = judge.SCIPY
    right: dict | None = None  # by number of the source: the digest of an answer that was found right, and arcs_visited


def compute(graph, problem, sources, seed, scipy_seconds=SCIPY_SECONDS):
    """Return the rows' sources, their distances, and an upper bound of all distances of the problem on the graph.

    `sources` is how many to draw, or the labels of the vertices to start from; for all pairs it is ignored. Where SciPy
    would take longer than `scipy_seconds`, distances are None and the judge is a certificate.
    """
    problem = PROBLEMS[problem]
    if problem.all_pairs:
        rows = np.unique(np.linspace(0, graph.vertices - 1, min(graph.vertices, CHECKED_ROWS)).astype(int)).tolist()
    else:
        rows = choose_sources(graph, sources, seed)
    if judge.scipy_seconds(graph, problem, rows) > scipy_seconds:
        longest = judge.bound(graph, problem, rows)
        if longest < UNREACHABLE:
            return rows, None, longest
        if graph.arcs > MOST_ARCS:
            raise UserError(
                f"{graph.name}: no bound shows that distances fit 31 bits, and SciPy, which could tell, takes at most "
                f"{MOST_ARCS:,} of {graph.arcs:,} arcs; give the graph's catalogue entry lighter weights"
            )
    distances, lengths = zip(*map(search_by_scipy(graph, problem), rows), strict=True)
    longest = max(lengths)
    if len(rows) < graph.vertices and problem.all_pairs:  # distances from rows that were not computed count, too
        longest = max(longest, judge.bound(graph, problem, range(graph.vertices)))
    return rows, np.stack(distances), longest


def search_by_scipy(graph, problem):
    """Return a function from a row to its distances as int32, and the longest of them before they were capped."""
    from scipy.sparse.csgraph import dijkstra

    matrix = graphs.scipy(graph, problem.weighted)

    def search(row):
        distance = dijkstra(matrix, indices=row) if problem.weighted else levels(matrix, row)
        longest = int(distance[distance < np.inf].max(initial=0))
        return np.minimum(distance, UNREACHABLE).astype(np.int32), longest

    return search


def levels(matrix, source):
    """Return the number of arcs on a shortest path from the source to each vertex, infinite where there is none.

    csgraph gives the order of the search, not the levels. As the order is sorted by level and by parent, each level is
    one contiguous stretch of it.
    """
    from scipy.sparse.csgraph import breadth_first_order

    order, parents = breadth_first_order(matrix, source)
    place = np.empty(matrix.shape[0], np.int64)
    place[order] = np.arange(len(order))
    parent_place = place[parents[order[1:]]]
    level, begin, end = 0, 0, 1
    found = np.full(matrix.shape[0], np.inf)
    while begin < end:
        found[order[begin:end]] = level
        level, begin, end = level + 1, end, 1 + int(np.searchsorted(parent_place, end))
    return found


def write(path, graph, problem, sources, distance, longest):
    import scipy

    metadata = {"problem": problem, "sources": sources, "longest": longest, "graph": graph.metadata.get("digest")}
    metadata["scipy"] = scipy.__version__
    if distance is None:
        metadata |= {"judge": judge.CERTIFICATE, "vertices": graph.vertices}
        distance = np.empty(0, np.int32)
    metadata["check"] = _checksum(metadata)
    parquet.write(path, {"distance": distance.reshape(-1)}, lambda: metadata)


def require(path, graph_folder, problem):
    """Raise an error that says what to do if there is no such file of right answers."""
    if not Path(path).exists():
        command = f".venv/bin/warpath oracle {graph_folder} {problem} --output {path}"
        raise UserError(f"{path}: no right answers to compare with; run `{command}` first")


def read(path):
    with parquet.reading(path, "an oracle file"):
        metadata = parquet.metadata(path)
        if metadata.pop("check", None) not in (None, _checksum(metadata)):
            raise ValueError("its metadata do not match their checksum")
        sources, by = metadata["sources"], metadata.get("judge", judge.SCIPY)
        is_here = by != judge.CERTIFICATE
        distance = parquet.columns(path)["distance"].reshape(len(sources), -1) if is_here else None
        return Oracle(sources, distance, metadata["graph"], metadata["longest"], metadata["scipy"], by, {})


def require_exact(graph, answers, problem):
    """Refuse a graph whose distances are not integers of 31 bits: no answer is rounded, and no sum overflows."""
    if PROBLEMS[problem].weighted and graph.weights.dtype.kind == "f":
        exact = "shortest paths are exact in integers only"
        advice = "give its catalogue entry weights: {scale: 1000}, round or another policy"
        raise UnsupportedLaunch(f"graph {graph.name} has fractional weights and {exact}; {advice}")
    if answers.longest >= UNREACHABLE:
        limit = f"the longest that a 31-bit answer holds is {UNREACHABLE - 1}"
        raise UnsupportedLaunch(f"graph {graph.name} can have distances of {answers.longest}; {limit}")


def _checksum(metadata):
    """Return a checksum of the metadata; Parquet's own cover the pages alone."""
    return zlib.crc32(json.dumps(metadata, sort_keys=True).encode())


def arcs_visited(offsets, distance):
    """Count the arcs that leave reached vertices: the E of traversed edges per second."""
    arcs = 0
    for first in range(0, len(distance), COUNTED):
        reached = distance[first : first + COUNTED] != UNREACHABLE
        ends = offsets[first : first + COUNTED + 1]
        arcs += int(((ends[1:] - ends[:-1]) * reached).sum(dtype="int64"))
    return arcs
