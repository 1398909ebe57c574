"""How much memory a graph takes in MB, guessed from its entry before it is there: what to ask a scheduler for."""

INTERPRETER = 500


def size(entry):
    """Vertices and edges, as near as the entry tells: as published, as expected, or as its generator will draw."""
    made = entry.generator or {}
    vertices = made.get("vertices") or made.get("rows", 0) * made.get("columns", 0) or 2 ** made.get("scale", 0)
    vertices = entry.vertices or max(vertices, sum(made.get("levels", [])))
    edges = made.get("edges") or round(made.get("edge_factor", _DEGREES.get(made.get("kind"), 10)) * vertices)
    edges = len(edges) if isinstance(edges, list) else edges
    return vertices, entry.published.get("edges") or entry.expected.get("edges") or edges


_DEGREES = {"rmat": 16, "grid": 2, "scale_free": 3, "path": 1, "star": 1}  # edges a vertex where the generator decides


def preparing(entry):
    """48 bytes an edge, measured with weights in the file."""
    return INTERPRETER + 48 * size(entry)[1] // 10**6


def answering(entry, problem, processes):
    """SciPy's matrix, a heap for each process, and every row as it comes and as it is kept."""
    vertices, edges = size(entry)
    rows = 1024 if problem == "apsp" else 8
    return INTERPRETER + (48 * edges + vertices * (100 * processes + 8 * rows)) // 10**6


def running(entry, problem, library=None):
    """The graph as it is stored, turned and on its way to the device; a library's own; for all pairs two matrices."""
    vertices, edges = size(entry)
    answer = 8 * vertices**2 if problem == "apsp" else 100 * vertices
    return INTERPRETER + ((48 + 2 * _LIBRARIES.get(library, 0)) * edges + answer) // 10**6


_LIBRARIES = {"networkx": 420, "igraph": 200, "networkit": 200, "graphblas": 65}  # measured bytes an arc
