"""The degrees and components of a prepared graph, computed once and kept beside it."""

import contextlib
import json
from pathlib import Path

import numpy as np

from warpath.base.files import write_json
from warpath.graphs import clean, csr

FILE = "shape.json"


def read(folder):
    """Return vertices, arcs, out-degrees and the number of (weakly connected) components."""
    file, digest = Path(folder) / FILE, csr.metadata(folder)["digest"]
    try:
        known = json.loads(file.read_text())
        if known["digest"] == digest:
            return known
    except (OSError, ValueError, KeyError, TypeError):
        pass
    graph = csr.read(folder)
    degrees = np.diff(graph.offsets)
    shape = {
        "vertices": graph.vertices,
        "arcs": graph.arcs,
        "least_degree": int(degrees.min()),
        "mean_degree": graph.arcs / graph.vertices,
        "largest_degree": int(degrees.max()),
        "components": clean.components(graph.offsets, graph.targets),
        "digest": digest,
    }
    with contextlib.suppress(OSError):  # a folder that may only be read
        write_json(file, shape)
    return shape
