"""Estimate the memory of each job in MB from the catalogue entry, to request it from a scheduler."""

import math
from pathlib import Path

from warpath.base import processor
from warpath.base.errors import UserError
from warpath.base.problems import CHECKED_ROWS, PROBLEMS

INTERPRETER = 500
AROUND = 300  # on a cluster's node, measured: 164 MB of the Snakemake that runs a job, 135 MB of its workers' server

SIZES = {  # the numbers of vertices and of edges drawn, by the parameters of a kind
    **dict.fromkeys(("uniform", "dense"), lambda vertices, edges, **_: (vertices, edges)),
    **dict.fromkeys(("path", "star", "tree", "random_tree"), lambda vertices, **_: (vertices, vertices)),
    **dict.fromkeys(
        ("rmat", "gap_kron", "gap_urand"), lambda scale, edge_factor, **_: (2**scale, round(edge_factor * 2**scale))
    ),
    "complete": lambda vertices, **_: (vertices, vertices**2 // 2),
    "edges": lambda vertices, edges, **_: (vertices, len(edges)),
    "road": lambda rows, columns, edges, both_ways=False, **_: (rows * columns, edges * (1 + both_ways)),
    "scale_free": lambda vertices, degree, **_: (vertices, round(vertices * degree / 2)),
    "geometric": lambda vertices, **_: (vertices, 10 * vertices),
    "small_world": lambda vertices, reach, shortcuts, **_: (vertices, vertices * reach + shortcuts),
    "web": lambda vertices, degree, **_: (vertices, vertices * degree),
    "nearest": lambda vertices, neighbours, **_: (vertices, vertices * neighbours),
    "delaunay": lambda vertices, **_: (vertices, 3 * vertices),
    "grid": lambda rows, columns, **_: (rows * columns, 2 * rows * columns),
    "mesh": lambda sides, **_: (math.prod(sides), math.prod(sides) * len(sides)),
    "hypercube": lambda dimension, **_: (2**dimension, 2**dimension * dimension // 2),
    "layered": lambda levels, extra, **_: (sum(levels), sum(levels) + extra),
    "bipartite": lambda left, right, edges, **_: (left + right, edges),
    "cliques": lambda count, size, **_: (count * size, count * (size * (size - 1) // 2 + 1)),
    "hairs": lambda scale, edge_factor, hairs, length, **_: (
        2**scale + hairs * length,
        round(edge_factor * 2**scale) + hairs * length,
    ),
    "caterpillar": lambda spine, leaves, every, **_: (spine + -(-spine // every) * leaves,) * 2,
}
BYTES_TO_GENERATE = {  # a vertex and an edge, measured; with the numbers of others a pair of kind and numbers
    "delaunay": (700, 24),
    "nearest": (100, 32),
    "web": (40, 8),
    "bipartite": (40, 8),
    ("delaunay", "numpy"): (700, 24),
    ("geometric", "numpy"): (60, 32),
    ("rmat", "cupy"): (16, 28),
    ("uniform", "cupy"): (16, 24),
}
PACKED = (".gz", ".bz2", ".xz", ".zip", ".zst", ".tgz", ".npz", ".parquet", ".npy")
MOST_GUESSED_VERTICES = 1 << 16  # a matrix of all pairs still fits a node
UNKNOWN_EDGES = 10**8
# Bytes an arc, measured; a program is taken to copy the graph, which it has in two widths, once more.
LIBRARIES = {"networkx": 420, "igraph": 200, "networkit": 200, "graphblas": 65, "program": 32}


def size(entry):
    """Return the numbers of vertices and edges: published or expected ones, else estimates.

    The size of a file is taken for too many edges rather than too few.
    """
    if entry.generator:
        vertices, edges = SIZES[entry.generator["kind"]](**entry.generator)
    elif (path := Path(entry.path())).exists():
        shortest_edge = 2 if path.suffix in PACKED else 8  # bytes
        edges = path.stat().st_size // shortest_edge
        vertices, edges = min(1 + edges // 3, MOST_GUESSED_VERTICES), 1 + edges
    else:
        vertices, edges = MOST_GUESSED_VERTICES, 30 * entry.vertices if entry.vertices else UNKNOWN_EDGES
    return entry.vertices or vertices, entry.published.get("edges") or entry.expected.get("edges") or edges


def _bytes_to_generate(spec):
    vertices, edges = SIZES[spec["kind"]](**spec)
    kind = (spec["kind"], spec["numbers"]) if "numbers" in spec else spec["kind"]
    a_vertex, an_edge = BYTES_TO_GENERATE.get(kind, (16, 8))
    return (a_vertex + 24 * ("shuffle" in spec)) * vertices + an_edge * edges


def preparing(entry):
    """Memory to prepare a graph, measured: for one from a file with weights, or what generating and cleaning take."""
    vertices, edges = size(entry)
    if not entry.generator:
        return INTERPRETER + 48 * edges // 10**6
    return INTERPRETER + max(24 * edges + 40 * vertices, _bytes_to_generate(entry.generator)) // 10**6


def threads(entry, cores):
    """Two, so that graphs are prepared side by side; all cores for one that takes minutes."""
    return max(2, cores) if size(entry)[1] > UNKNOWN_EDGES else 2


def require(entry):
    """Refuse a generated graph of too many vertices, or whose edges need more memory than there is."""
    kind = entry.generator["kind"]
    vertices, edges = SIZES[kind](**entry.generator)
    if vertices >= 2**31:
        raise UserError(f"{entry.name}: generator {kind}: {vertices:,} vertices; the limit is 2^31 - 1")
    what = f"{entry.name}: {vertices:,} vertices, about {edges:,} edges"
    processor.require_memory(_bytes_to_generate(entry.generator), what)


def answering(entry, problem):
    """Memory to compute answers: SciPy's matrix, a heap, and each row twice."""
    vertices, edges = size(entry)
    rows = CHECKED_ROWS if PROBLEMS[problem].all_pairs else 8
    return INTERPRETER + (48 * edges + vertices * (100 + 8 * rows)) // 10**6


def running(entry, problem, library=None, placement="device"):
    """Memory of a run: the graph, its transpose, another copy while that is made, pinned copies of both with placement
    host, a library's copy, and for all pairs two matrices."""
    vertices, edges = size(entry)
    answer = 8 * vertices**2 if PROBLEMS[problem].all_pairs else 100 * vertices
    pinned = 32 if placement == "host" else 0
    return INTERPRETER + ((48 + pinned + 2 * LIBRARIES.get(library, 0)) * edges + answer) // 10**6
