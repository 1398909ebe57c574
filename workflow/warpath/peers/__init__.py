"""Other people's libraries as algorithms: what they are called, and whether they can be had here.

Standard library only, for planning asks. `graphs` gives a library our graph, `answers` makes its answer ours.
"""

import functools
import importlib.util
import sys

from warpath.algorithms.description import ON_GPU

NAMES = {
    "scipy": "SciPy",
    "networkx": "NetworkX",
    "networkit": "NetworKit",
    "graphblas": "SuiteSparse:GraphBLAS",
    "pylibcugraph": "cuGraph",
}
# Modules whose versions matter as much as the library's own.
BEHIND = {"graphblas": ["suitesparse_graphblas"], "pylibcugraph": ["rmm", "cupy"]}


def why_skipped(described, device):
    """Why an algorithm cannot run where kernels run on `device`, in a few words; None where it can."""
    name = NAMES.get(described.library, described.library)
    if described.device in ON_GPU and device != "cuda":
        return f"{name} needs an NVIDIA GPU"
    if described.library and not installed(described.library):
        return f"{name} is not installed (make peers installs it)"
    return None


@functools.cache
def installed(library):
    """Looked up once, and not imported: thousands of runs are planned in seconds."""
    return importlib.util.find_spec(library) is not None


def versions(library):
    """Of a library that has been imported, and of what does its work."""
    names = [library, *BEHIND.get(library, [])]
    return {name: sys.modules[name].__version__ for name in names if name in sys.modules}
