"""Libraries of others: our graphs in their form, their answers in ours, and cuGraph through a stand-in for its module.

What the libraries answer is tested with every other algorithm's answers, where cuGraph needs a GPU.
"""

import importlib
import inspect
import os
import sys
from types import SimpleNamespace
from unittest.mock import MagicMock

import numpy as np
import pytest
import tiny_graphs
import trial
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from warpath import devices
from warpath.algorithms import UNREACHABLE, peers
from warpath.algorithms.peers import answers, graphs
from warpath.devices.errors import OutOfMemory, UnsupportedLaunch
from warpath.runs.operand import Operand

ALL = tiny_graphs.GRAPHS.values()
CUGRAPH = [trial.ALGORITHMS[id] for id in ("bfs/peer_cugraph", "sssp/peer_cugraph")]
EVERY_LAUNCH = [(described, launch) for described in CUGRAPH for launch in described.launches]


@pytest.mark.parametrize("value", [np.inf, np.finfo(np.float64).max, np.float64(UNREACHABLE), 2**62])
def test_values_that_stand_for_no_path_become_unreachable(value):
    distance = answers.distances([0, 7, UNREACHABLE - 1, value])
    assert distance.dtype == np.uint32
    assert distance.tolist() == [0, 7, UNREACHABLE - 1, UNREACHABLE]


def test_libraries_may_use_every_core(monkeypatch):
    """Snakemake sets a job's threads to the cores of the command line: one, by the README's command."""
    monkeypatch.setenv("WARPATH_THREADS", "3")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    device = devices.open("peer")
    assert device.environment()["threads"] == 3
    assert os.environ["OMP_NUM_THREADS"] == "3"


def test_versions_include_the_modules_beneath_a_library():
    pytest.importorskip("graphblas")
    graphs.graphblas(Operand(tiny_graphs.GRAPHS["detour"], devices.open("peer")))
    assert peers.versions(trial.ALGORITHMS["bfs/peer_graphblas"]).keys() == {"graphblas", "suitesparse_graphblas"}


# The signatures of pylibcugraph 26.8 and 26.10, from the sources in its wheel.


class SGGraph:
    """Of the many keywords of the real one, those that are used."""

    def __init__(  # noqa: PLR0913
        self,
        resource_handle,
        graph_properties,
        offsets,
        targets,
        *,
        weight_array,
        store_transposed,
        renumber,
        do_expensive_check,
        input_array_format,
    ):
        assert type(resource_handle) is object
        assert input_array_format == "CSR" and not store_transposed
        assert offsets.dtype == targets.dtype == np.int32
        count = len(offsets) - 1
        values = np.ones(len(targets)) if weight_array is None else weight_array.astype(np.float64)
        self.matrix = csr_array((values, targets, offsets), shape=(count, count))
        self.kind = np.dtype("int32") if weight_array is None else weight_array.dtype
        self.symmetric, self.renumbered = graph_properties, renumber

    def distances(self, source):
        """Return vertices and distances, in an arbitrary order if the vertices were renumbered."""
        values = dijkstra(self.matrix, indices=source)
        no_path = np.iinfo(self.kind).max if self.kind.kind == "i" else np.finfo(self.kind).max
        with np.errstate(over="ignore"):
            values = np.where(np.isinf(values), no_path, values).astype(self.kind)
        order = np.random.default_rng(5).permutation(len(values)) if self.renumbered else np.arange(len(values))
        return order.astype(np.int32), values[order]


def bfs(handle, graph, sources, direction_optimizing, depth_limit, compute_predecessors, do_expensive_check):
    assert sources.dtype == np.int32 and len(sources) == 1
    assert depth_limit <= 0, "the search must not be limited"
    assert graph.symmetric or not direction_optimizing
    vertices, distances = graph.distances(int(sources[0]))
    sources[0] = -7  # the C API's header allows the library to overwrite them
    return distances, np.full(len(vertices), -1, np.int32), vertices


def sssp(resource_handle, graph, source, cutoff, compute_predecessors, do_expensive_check):
    assert cutoff == np.inf
    assert compute_predecessors is True, "must be True for the current release"
    vertices, distances = graph.distances(source)
    return vertices, distances, np.full(len(vertices), -1, np.int32)


@pytest.fixture
def stand_in(monkeypatch):
    module = SimpleNamespace(ResourceHandle=object, SGGraph=SGGraph, bfs=bfs, sssp=sssp)
    module.GraphProperties = lambda is_symmetric, is_multigraph: is_symmetric
    monkeypatch.setitem(sys.modules, "pylibcugraph", module)
    monkeypatch.delitem(sys.modules, "warpath.algorithms.peers.cugraph", raising=False)
    rmm, allocator = MagicMock(), SimpleNamespace(rmm_cupy_allocator="through rmm")
    modules = {"rmm": rmm, "rmm.allocators": rmm.allocators, "rmm.allocators.cupy": allocator, "cupy": MagicMock()}
    for name, stand_in in modules.items():
        monkeypatch.setitem(sys.modules, name, stand_in)
    monkeypatch.setattr(trial, "device_of_kind", lambda kind: devices.open("peer"))
    yield
    sys.modules.pop("warpath.algorithms.peers.cugraph", None)


@pytest.mark.parametrize(("described", "launch"), EVERY_LAUNCH, ids=lambda it: getattr(it, "id", None) or it.label)
def test_calls_of_cugraph_satisfy_its_signatures(stand_in, described, launch):
    for graph in ALL:
        refused = graph.directed and launch.parameters.get("direction") == "switching"
        refused |= graph.name == "large_weights" and launch.parameters.get("precision") == "float32"
        if not refused:
            last = graph.vertices - 1
            trial.check_from([0, last, 0], described, graph, launch.label)


def test_cugraph_refuses_what_it_cannot_answer_exactly(stand_in):
    search, paths = CUGRAPH
    with pytest.raises(UnsupportedLaunch, match="undirected graphs only"):
        trial.solve(search, tiny_graphs.GRAPHS["detour"], 0, "given-switching")
    longest = tiny_graphs.from_edges("longest", [0], [1], [UNREACHABLE - 1], 2, directed=True)
    for graph in tiny_graphs.GRAPHS["large_weights"], longest:
        with pytest.raises(UnsupportedLaunch, match=r"about \d+, and float32 is exact below 16777216"):
            trial.solve(paths, graph, 0, "given-float32")


def test_float32_holds_every_distance_below_its_limit(stand_in):
    """A weight that float32 rounds does not matter on a path that is not the shortest."""
    heavy = 2**24 + 1
    graph = tiny_graphs.from_edges("heavy", [0, 0, 1], [1, 2, 2], [2**24 - 2, heavy, 1], 3, directed=True)
    solution, _ = trial.solve(CUGRAPH[1], graph, 0, "given-float32")
    assert solution.distance.tolist() == [0, 2**24 - 2, 2**24 - 1]


def test_cugraph_out_of_memory_is_an_outcome_and_other_errors_are_not(stand_in):
    from warpath.algorithms.peers import cugraph

    def fails(text):
        raise RuntimeError(f"non-success value returned from cugraph_bfs: CUGRAPH_UNKNOWN_ERROR {text}")

    with pytest.raises(OutOfMemory):
        cugraph.call(fails, "std::bad_alloc: out_of_memory: CUDA error")
    with pytest.raises(RuntimeError, match="illegal"):
        cugraph.call(fails, "an illegal memory access was encountered")


def test_one_pool_for_the_library_and_for_cupy(stand_in):
    cugraph = importlib.import_module("warpath.algorithms.peers.cugraph")
    rmm, cupy = sys.modules["rmm"], sys.modules["cupy"]
    cugraph.share_pool()
    cugraph.share_pool()
    rmm.mr.set_current_device_resource.assert_called_once_with(rmm.mr.PoolMemoryResource.return_value)
    cupy.cuda.set_allocator.assert_called_once_with("through rmm")


def test_the_stand_in_has_the_signatures_of_the_library():
    library = pytest.importorskip("pylibcugraph")
    for function in (bfs, sssp):
        original = getattr(library, function.__name__)
        assert list(inspect.signature(function).parameters) == list(inspect.signature(original).parameters)
