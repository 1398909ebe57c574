"""All pairs in every regime of memory, in parts on several levels, tile by tile, and what is refused and when."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import tiny_graphs
import trial

from warpath.devices import host
from warpath.devices.errors import UnsupportedLaunch

BATCHED, ELIMINATED, TILED = (trial.ALGORITHMS[f"apsp/{name}"] for name in ("batched", "eliminated", "fw_tiled"))
LATTICE = tiny_graphs.lattice(12, 12)
LARGE = tiny_graphs.random(700, 2500, directed=True, seed=4)
SPARSE = [
    LATTICE,
    tiny_graphs.lattice(5, 60, hub=140),
    tiny_graphs.random(300, 420, directed=True, seed=4),
    tiny_graphs.random(300, 340, directed=False, seed=5),
    *tiny_graphs.GRAPHS.values(),
]
by_name = {"ids": lambda graph: graph.name}


def unweighted(graph):
    return replace(graph, weights=np.ones_like(graph.weights))


def check(described, graph, **trial_options):
    """Assert that all distances are right; return the solution and the number of launches."""
    solution, launches = trial.solve(described, graph, **trial_options)
    trial.compare(described, graph, None, solution)
    return solution, launches


@pytest.fixture
def small_memory(monkeypatch):
    monkeypatch.setattr(trial.device_of_kind("host"), "memory", 1000, raising=False)


# ---- batched


@pytest.mark.parametrize("weights", [lambda graph: graph, unweighted], ids=["own", "unit"])
@pytest.mark.parametrize("graph", [*map(tiny_graphs.GRAPHS.get, ("grid", "zero_weights")), LARGE, SPARSE[3]], **by_name)
def test_rows_stream_to_the_host_in_batches(small_memory, configure, graph, weights):
    configure(BATCHED, SLAB=1000)
    _, launches = check(BATCHED, weights(graph))
    assert launches >= -(-graph.vertices // 512)


@pytest.mark.parametrize("kind", trial.KINDS)
def test_the_warps_of_a_block_share_the_arcs_of_hubs(configure, kind):
    configure(BATCHED, HUB=7)
    check(BATCHED, unweighted(tiny_graphs.lattice(20, 30, hub=333)), kind=kind)


@pytest.mark.parametrize("graph", [LARGE, unweighted(LARGE)], ids=["own", "unit"])
def test_some_rows_do_not_take_memory_for_all_rows(small_memory, configure, graph):
    def refuse(vertices):
        raise MemoryError(f"no room for {vertices} rows")

    configure(BATCHED, SLAB=1000, answer_matrix=refuse)
    sources = [699, 0, 350]
    solution, _ = trial.solve(BATCHED, graph, sources)
    np.testing.assert_array_equal(solution.distance, tiny_graphs.right_answer(graph, "apsp", sources))
    with pytest.raises(MemoryError, match="no room for 700 rows"):
        trial.solve(BATCHED, graph)


# ---- eliminated


@pytest.fixture
def small_parts(configure):
    configure(ELIMINATED, PART=4, PART_ABOVE=8, DENSE=16, SHRINKS=0.9, MOST=1e9)


@pytest.mark.parametrize("kind", trial.KINDS)
@pytest.mark.parametrize("graph", SPARSE, **by_name)
def test_small_parts(small_parts, graph, kind):
    solution, _ = check(ELIMINATED, graph, kind=kind)
    assert graph is not LATTICE or solution.iterations > 3  # levels


@pytest.mark.parametrize("graph", SPARSE, **by_name)
def test_rows_of_small_parts_stream_to_the_host(small_parts, configure, request, graph):
    _, launches = check(ELIMINATED, graph) if graph is LATTICE else (None, 0)
    request.getfixturevalue("small_memory")
    configure(ELIMINATED, SLAB=4 * 32 * graph.vertices)
    _, in_slabs = check(ELIMINATED, graph)
    assert in_slabs > launches


@pytest.fixture
def plans(configure):
    """The plans that are made from now on."""
    plans, lay_out = [], ELIMINATED.prepare.__globals__["lay_out"]
    configure(ELIMINATED, lay_out=lambda *given: plans.append(lay_out(*given)) or plans[-1])
    return plans


def test_a_boundary_larger_than_what_registers_hold(plans):
    """In a complete bipartite graph the separators are one side, all of it on the boundary of every part."""
    side = 70
    ends = np.repeat(np.arange(side), side), np.tile(np.arange(side, 2 * side), side)
    graph = tiny_graphs.from_edges("bipartite", *ends, np.random.default_rng(1).integers(0, 100, side**2))
    check(ELIMINATED, graph)
    assert plans[0].fronts[:, 3].max() == side


def test_leaves_that_find_no_partner_share_parts(plans):
    check(ELIMINATED, tiny_graphs.big_star(900))
    assert len(plans[0].fronts) < 900 / 15


# ---- fw_tiled

STEPS = tiny_graphs.random(300, 900, directed=True, seed=6)  # nine tiles in 32 bits, six in 16; five steps of 64


@pytest.mark.parametrize("label", [pytest.param("w32-t64", marks=pytest.mark.slow), "w16-t128"])
def test_tiles_are_copied_without_bulk_copies_as_before_sm_90(configure, label):
    constants = TILED.prepare.__globals__["constants"]
    configure(TILED, constants=lambda *launch: constants(*launch) | {"bulk_copies": 0})
    check(TILED, STEPS, label=label)


@pytest.mark.parametrize("blocks", [2, 8, 34])  # few tiles are three for a block; else quarters of panels are tasks
@pytest.mark.parametrize("label", ["w32-t64", "w16-t64"])
def test_panels_wait_for_their_tiles_or_catch_up(monkeypatch, label, blocks):
    monkeypatch.setattr(host.Kernel, "resident_blocks", lambda *_: blocks)
    check(TILED, STEPS, label=label)


# ---- refused


def test_an_answer_that_fits_nowhere_is_refused_before_the_graph_is_divided(small_memory, configure, monkeypatch):
    configure(ELIMINATED, dissect=None)
    monkeypatch.setattr("warpath.base.processor.free_bytes", lambda: 1000)
    with pytest.raises(MemoryError, match="the answer takes"):
        trial.solve(ELIMINATED, LATTICE)


def test_a_graph_with_large_separators_is_refused_before_anything_is_allocated(configure):
    configure(ELIMINATED, DENSE=100, MOST=50, lay_out=None)
    with pytest.raises(UnsupportedLaunch, match=r"_400 has large separators, .* of 400 .*use apsp/batched$"):
        trial.solve(ELIMINATED, tiny_graphs.random(400, 4000, directed=False, seed=8))


NO_ROOM = SimpleNamespace(xp=SimpleNamespace(empty=None, zeros=None))  # a device that can neither allocate nor compile


def test_sweeps_over_more_arcs_than_an_int_counts_are_refused():
    graph = SimpleNamespace(vertices=60_000, arcs=2**31 - 1, max_weight=9, offsets=None, targets=None, weights=None)
    in_sweeps = BATCHED.prepare.__globals__["in_sweeps"]
    with pytest.raises(UnsupportedLaunch, match="2,147,483,647 arcs"):
        in_sweeps(NO_ROOM, graph, graph, 60_000, SimpleNamespace(block=512, coarsening=1))


@pytest.mark.parametrize(
    ("steps_of", "error", "message"),
    [(64, UnsupportedLaunch, "166,000 vertices in steps of 64"), (128, TypeError, ".")],  # which goes on to allocate
)
def test_more_tiles_than_there_are_tickets_are_refused(steps_of, error, message):
    graph = SimpleNamespace(vertices=166_000, arcs=1, max_weight=9)
    with pytest.raises(error, match=message):
        TILED.prepare.__globals__["Closure"](NO_ROOM, graph, 32, steps_of)
