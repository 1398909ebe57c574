"""What a run will take of the device's memory is known before anything is allocated."""

import fcntl
import tracemalloc
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
from small_graphs import from_edges

from warpath import devices
from warpath.algorithms import discovery
from warpath.base.errors import UserError
from warpath.devices import host
from warpath.devices.errors import OutOfMemory, UnsupportedLaunch
from warpath.graphs import csr
from warpath.runs import experiment, judge, measure, operand, rehearsal

KERNELS = {id: described for id, described in discovery.find().items() if described.device == "kernel"}


def random_graph(vertices, arcs):
    draw = np.random.default_rng(1)
    return from_edges("random", *draw.integers(0, vertices, (2, arcs)), draw.integers(1, 9, arcs), vertices, True)


NARROW = "3,973 arcs; this algorithm numbers them in 32 bits, at most 2^31 - 1"
LARGE, DENSE = random_graph(30_000, 200_000), random_graph(600, 4000)


def taken(described, graph):
    """Return the bytes of arrays that preparing on the host device leaves allocated."""
    on_device = operand.Operand(graph, HOST)
    described.prepare(HOST, operand.Operand(graph, HOST), described.launches[0])  # modules and kernels are loaded
    tracemalloc.start()
    try:
        _solve = described.prepare(HOST, on_device, described.launches[0])
        of_arrays = tracemalloc.DomainFilter(True, np.lib.tracemalloc_domain)
        traces = tracemalloc.take_snapshot().filter_traces([of_arrays]).traces
        return sum(trace.size for trace in traces)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("described", KERNELS.values(), ids=KERNELS)
def test_what_an_algorithm_takes_is_known_before(described, monkeypatch):
    graph = DENSE if described.problem == "apsp" else LARGE
    monkeypatch.setattr(rehearsal, "SMALL", 4096)
    compiling = mock.Mock(wraps=host.compiled)
    monkeypatch.setattr(host, "compiled", compiling)
    builds = rehearsal.builds(described, devices.outlined("host"), graph, described.launches[0])
    try:
        sizes = rehearsal.rehearse(described, HOST, graph, described.launches[0])
    except NotImplementedError:
        pytest.skip("computes with the graph while preparing")
    temporary = 4 * graph.vertices  # an array that is freed while preparing
    remaining = taken(described, graph)
    compiled = [(stem, names, (*defines.items(),)) for (stem, names, defines), _ in compiling.call_args_list]
    assert builds and builds == compiled[: len(builds)] and set(builds) == set(compiled)
    of_matrix = 4 * graph.vertices**2 if described.name.startswith("repeated_") else 0  # which is not on the device
    beyond = remaining - of_matrix - sizes.bytes
    assert -temporary - 1000 <= beyond <= 60_000


def test_memory_that_depends_on_the_kind_of_graph_is_known_before(monkeypatch):
    tails = np.repeat(np.arange(30_000), 3)
    heads = (tails + np.tile([1, 2, 3], 30_000)) % 30_000
    mesh = from_edges("mesh", tails, heads, 1 + tails % 7, 30_000)
    monkeypatch.setattr(rehearsal, "SMALL", 4096)
    near_far = KERNELS["sssp/near_far"]
    sizes = rehearsal.rehearse(near_far, HOST, mesh, near_far.launches[0])
    assert sizes.bytes > 84 * mesh.vertices  # of a window that slides
    assert abs(taken(near_far, mesh) - sizes.bytes) < 60_000


def vast(arcs=10**9):
    return replace(LARGE, targets=np.zeros(arcs, "int32"))


HOST, GPU = devices.open("host"), SimpleNamespace(kind="cuda", multiprocessors=132, memory=1 << 37)
NEEDS = r" on random \(30,000 vertices, 1,000,000,000 arcs\) needs "
ON_DEVICE = NEEDS + r"4\.0 GB of device memory, 4\.0 GB of it for the graph, and {} GB are available"


@pytest.mark.parametrize(
    ("id", "device", "free", "placement", "message"),
    [
        ("bfs/level", HOST, 2 * 10**9, "device", f"{ON_DEVICE.format('2.0')}$"),
        ("bfs/persistent", HOST, 2 * 10**9, "device", NEEDS + r"4\.0 GB of device memory"),  # times kernels on a GPU
        ("bfs/level", GPU, 10**9, "device", ON_DEVICE.format("1.0") + "; `placement: host` in the study leaves arcs"),
        ("apsp/fw_pair", GPU, 10**9, "device", r"GB of it for the graph, and 1\.0 GB are available$"),
        (
            "sssp/bmf_incore",  # derives arcs from those of the graph
            GPU,
            10**9,
            "host",
            NEEDS + r"12\.0 GB of the host's memory beside the graph \(placement: host\), and 5\.0 GB are available$",
        ),
    ],
)
def test_a_refusal_says_what_is_needed_what_there_is_and_where_arcs_may_be(
    monkeypatch, id, device, free, placement, message
):
    monkeypatch.setattr(rehearsal.processor, "free_bytes", lambda: 5 * 10**9)
    described = KERNELS[id]
    with pytest.raises(OutOfMemory, match=rf"^{id}.*{message}"):
        rehearsal.require(described, device, vast(), described.launches[0], free, placement)


def test_what_fits_is_not_refused(monkeypatch):
    described = KERNELS["bfs/level"]
    rehearsal.require(described, HOST, vast(), described.launches[0], 5 * 10**9)
    sizes = rehearsal.rehearse(described, GPU, vast(), described.launches[0], "host")
    assert sizes.bytes < 10**7 and not sizes.on_host
    monkeypatch.setattr(rehearsal.processor, "free_bytes", lambda: 10**8)
    rehearsal.require(described, GPU, vast(), described.launches[0], 10**9, "host")


def test_an_algorithm_that_cannot_number_the_arcs_is_refused_before_it_allocates():
    def prepare(device, graph, launch):
        allocated.append(device.xp.empty(graph.vertices, "uint32"))
        return None if launch else lambda source: None

    allocated, graph = [], vast(2**31)
    described = replace(KERNELS["bfs/level"], prepare=prepare)
    with pytest.raises(UnsupportedLaunch, match=r"^2,147,483,648 arcs; this algorithm numbers them in 32 bits"):
        rehearsal.require(described, HOST, graph, described.launches[0], 10**15)


def test_an_algorithm_that_cannot_be_rehearsed_is_not_refused():
    def prepare(device, graph, launch):
        np.linalg.inv(device.xp.empty((9000, 9000), "float32"))

    rehearsal.require(replace(KERNELS["bfs/level"], prepare=prepare), HOST, LARGE, None, 1)


def test_small_graphs_are_not_rehearsed():
    rehearsal.require(replace(KERNELS["bfs/level"], prepare=None), HOST, LARGE, None, 10**9)


@pytest.mark.parametrize(
    ("id", "launch", "status", "error"),
    [("bfs/level", "b256", "ok", None), ("bfs/cpu_queue", "default", "unsupported", NARROW)],
    ids=["wide", "narrow"],
)
def test_a_whole_run_on_a_graph_with_wide_arcs(prepared, measured, monkeypatch, id, launch, status, error):
    monkeypatch.setattr(operand, "MOST_NARROW_ARCS", -1)
    monkeypatch.setattr(judge, "scipy_seconds", lambda *_: 9)
    prepared(DENSE, "bfs", "--sources", "gap:3")
    record = measured("random", id, launch, "--warmup", "0", "--repetitions", "1")
    assert (record["status"], record["error"]) == (status, error)
    assert len(record["samples"]) == (3 if status == "ok" else 0)


def test_a_gpu_is_leased_after_the_graph_is_loaded_and_the_kernels_are_compiled(monkeypatch, tmp_path):
    def lease_gpu(report, clock, kept):
        events.append("leased")
        with pytest.raises(BlockingIOError):
            baseline()
        raise UserError("no GPU here")

    def baseline():
        with open(tmp_path / "warpath-machine.lock") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def compile_kernels(kind, stem, names, defines, architecture):
        events.append(f"compiled {kind} {Path(stem).stem} {dict(defines).get('tile')} {architecture}")

    events, graph = [], DENSE
    monkeypatch.setenv("WARPATH_LOCKS", str(tmp_path))
    gpu = SimpleNamespace(kind="cuda", architecture=90, multiprocessors=132, shared_memory=232448, memory=140 << 30)
    monkeypatch.setattr(rehearsal.devices, "outlined", lambda kind: gpu)
    monkeypatch.setattr(rehearsal.devices, "compile_kernels", compile_kernels)
    for module, name in ((csr, "require"), (experiment.oracle, "require"), (experiment.oracle, "require_exact")):
        monkeypatch.setattr(module, name, lambda *_: None)
    answers = SimpleNamespace(graph_digest=None)
    monkeypatch.setattr(measure.Kept, "graph", lambda kept, folder: graph)
    monkeypatch.setattr(measure.Kept, "answers", lambda kept, path: answers)
    monkeypatch.setattr(measure, "_lease_gpu", lease_gpu)
    names = {"graph": "random", "problem": "apsp", "algorithm": "fw_blocked", "launch": "t16", "device": "cuda"}
    times = {"warmup": 0, "repetitions": 1, "budget": 1, "time_limit": 20, "command": "", "started_s": 0}
    times["kernels"] = str(measure.discovery.KERNELS)
    measure.measure(measure.Spec(**names, **times), lambda kind, **fields: events.extend(fields))
    before = events[: events.index("leased")]
    assert {"load_s", "prepare_s", "compiled cuda proof None 90", "compiled cuda fw_blocked 16 90"} <= set(before)
    baseline()  # as the run has ended
