"""How much memory a graph takes in MB, guessed from its entry before it is there: what to ask a scheduler for."""

from pathlib import Path

from warpath.algorithms.problems import CHECKED_ROWS, PROBLEMS

INTERPRETER = 500
SNAKEMAKES = 350  # of 164 MB each, measured: on a cluster's node one starts another, and that the job's command


def size(entry):
    """Vertices and edges as published or expected, else as many as a generator will draw or as a file may hold."""
    vertices, edges = _drawn(entry.generator) if entry.generator else _read(entry)
    return entry.vertices or vertices, entry.published.get("edges") or entry.expected.get("edges") or edges


def _drawn(made):
    vertices = made.get("vertices") or made.get("rows", 0) * made.get("columns", 0) or 2 ** made.get("scale", 0)
    vertices = max(vertices, sum(made.get("levels", [])))
    edges = made.get("edges") or round(made.get("edge_factor", _DEGREES.get(made["kind"], 10)) * vertices)
    if made["kind"] == "complete":
        edges = vertices**2 // 2
    return vertices, len(edges) if isinstance(edges, list) else edges


_DEGREES = {"rmat": 16, "grid": 2, "scale_free": 3, "path": 1, "star": 1}  # edges a vertex where the generator decides


def _read(entry):
    """Of a file: rather too many edges than too few, but no more vertices than a node has room for their matrix."""
    path = Path(entry.inputs()[0])
    if path.exists():
        edges = path.stat().st_size // (2 if path.suffix in PACKED else 8)  # the fewest bytes an edge
        return min(1 + edges // 3, MOST_GUESSED), 1 + edges
    return MOST_GUESSED, 30 * entry.vertices if entry.vertices else UNKNOWN_EDGES


PACKED = (".gz", ".bz2", ".xz", ".zip")
MOST_GUESSED = 1 << 16
UNKNOWN_EDGES = 10**8


def preparing(entry):
    """48 bytes an edge, measured with weights in the file."""
    return INTERPRETER + 48 * size(entry)[1] // 10**6


def answering(entry, problem, processes):
    """SciPy's matrix, a heap for each process, and every row as it comes and as it is kept."""
    vertices, edges = size(entry)
    rows = CHECKED_ROWS if PROBLEMS[problem].all_pairs else 8
    return INTERPRETER + (48 * edges + vertices * (100 * processes + 8 * rows)) // 10**6


def running(entry, problem, library=None):
    """The graph as it is stored, turned and on its way to the device; a library's own; for all pairs two matrices."""
    vertices, edges = size(entry)
    answer = 8 * vertices**2 if PROBLEMS[problem].all_pairs else 100 * vertices
    return INTERPRETER + ((48 + 2 * _LIBRARIES.get(library, 0)) * edges + answer) // 10**6


_LIBRARIES = {"networkx": 420, "igraph": 200, "networkit": 200, "graphblas": 65}  # measured bytes an arc
