"""Libraries of others as algorithms: names, versions, and whether they are installed, by the standard library alone."""

import functools
import importlib.util
import sys
from typing import NamedTuple

from warpath.devices import ON_GPU


class Library(NamedTuple):
    """What readers know a library as, and the modules beneath it whose versions matter as much as its own."""

    title: str
    beneath: tuple = ()


# By the module that an algorithm names as its `library`. requirements/peers.txt and cugraph-*.txt install the packages.
LIBRARIES = {
    "scipy": Library("SciPy"),
    "networkx": Library("NetworkX"),
    "igraph": Library("igraph"),
    "networkit": Library("NetworKit"),
    "graphblas": Library("SuiteSparse:GraphBLAS", ("suitesparse_graphblas",)),
    "pylibcugraph": Library("cuGraph", ("rmm", "cupy")),
}


def library(module):
    return LIBRARIES.get(module, Library(module))


def why_skipped(described, device):
    """Return in a few words why an algorithm cannot run beside kernels on `device`, or None where it can."""
    title = (described.program or library(described.library)).title
    if described.device in ON_GPU and device != "cuda":
        return f"{title} needs an NVIDIA GPU"
    if described.library and not installed(described.library):
        return f"{title} is not installed (make peers installs it)"
    return None


@functools.cache
def installed(module):
    """Tell whether a module can be imported, without importing it: plans of thousands of runs take seconds."""
    return importlib.util.find_spec(module) is not None


def versions(described):
    """Return the versions of what a peer has called, by module, or by the title of a program."""
    if described.program:
        return {described.program.title: described.program.commit or "own"}
    module = described.library
    names = [module, *library(module).beneath]
    return {name: sys.modules[name].__version__ for name in names if name in sys.modules}
