"""Kernels are compiled before runs need them."""

import fcntl
from pathlib import Path
from types import SimpleNamespace

import pytest
from runs.processes import gone
from small_graphs import from_edges

from warpath import devices
from warpath.base import places, processor
from warpath.base.errors import UserError
from warpath.graphs import csr
from warpath.lifetime import module, supervisor
from warpath.runs import ahead, experiment, measure
from warpath.runs.plan import Run

GPU = {"architecture": 90, "multiprocessors": 132, "shared_memory": 232448, "memory": 140 << 30}


def outlined(kind):
    return SimpleNamespace(kind=kind, **GPU)


def compile_kernels(kind, stem, names, defines, architecture):
    Path("compiled", f"{kind} {Path(stem).stem} {dict(defines).get('tile')} {architecture}").touch()


@pytest.fixture
def compiled(tmp_path, monkeypatch):
    """A folder to work in, on a machine with a GPU; returns a function that tells what was compiled."""
    (tmp_path / "compiled").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WARPATH_LOCKS", str(tmp_path))
    monkeypatch.setattr(devices, "compile_kernels", compile_kernels)
    monkeypatch.setattr(devices, "outlined", outlined)
    return lambda: sorted(file.name for file in Path("compiled").iterdir())


def prepare(name):
    csr.write(from_edges(name, [0, 1], [1, 2], [1, 1]), places.graph(name))


def test_what_runs_need_is_compiled_once_as_soon_as_their_graph_is_there(compiled, monkeypatch):
    monkeypatch.setattr(ahead.time, "sleep", lambda _: prepare("late"))
    prepare("early")
    runs = [
        ("cuda", "late", "apsp", "fw_blocked", "t16"),
        ("cuda", "early", "apsp", "fw_blocked", "t32"),
        ("cpu", "late", "bfs", "cpu_queue", "default"),
        ("host", "early", "sssp", "near_far", "d0"),
        ("peer", "never", "bfs", "peer_scipy", "default"),
    ]
    assert ahead.compile_for([*runs, runs[0]]) == 5
    assert compiled() == [
        "cpu cpu_queue None 90",
        "cuda fw_blocked 16 90",
        "cuda fw_blocked 32 90",
        "cuda proof None 90",
        "host near_far None 90",
    ]


@pytest.mark.parametrize("cores", [3, 4])
def test_a_workflow_has_its_due_runs_compiled_for_where_it_can_spare_cores(cores, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WARPATH_THREADS", str(cores))
    monkeypatch.setenv("PATH", str(tmp_path))
    Path(".snakemake").mkdir()
    Path("python").write_text('#!/bin/sh\n/bin/sleep 60 &\necho $! > child\necho "$@" > started\nwait\n')
    Path("python").chmod(0o755)
    runs = [Run("rome99", "bfs", "level", launch, "cuda", 4) for launch in ("b64", "b128", "b256")]
    due = [SimpleNamespace(output=[run.record]) for run in runs[1:]]
    workflow = SimpleNamespace(dag=SimpleNamespace(needrun_jobs=lambda: due), local_exec=True)
    part = supervisor.Part(module.Use(None, "", True), {}, lambda: runs, set())
    with supervisor._compiling_ahead(workflow, [part]):
        if not processor.can_spare_cores():
            assert not Path(supervisor.AHEAD).exists()
            return
        while not Path("started").exists() or not Path("started").read_text():
            pass
    assert gone(int(Path("child").read_text()))
    assert Path("started").read_text() == f"-m warpath ahead {supervisor.AHEAD}\n"
    assert Path(supervisor.AHEAD).read_text() == "".join(f"cuda {run.record}\n" for run in runs[1:])


def test_a_gpu_is_leased_after_the_graph_is_loaded_and_the_kernels_are_compiled(compiled, monkeypatch, tmp_path):
    def lease_gpu(report, clock, kept):
        events.append(("leased", {}))
        with pytest.raises(BlockingIOError):
            baseline()
        raise UserError("no GPU here")

    def baseline():
        with open(tmp_path / "warpath-machine.lock") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    events = []
    monkeypatch.setenv("WARPATH_LOCKS", str(tmp_path))
    prepare("path")
    graph = csr.read(places.graph("path"))
    inputs = graph, SimpleNamespace(graph_digest=graph.metadata["digest"])
    monkeypatch.setattr(ahead, "_outlined", devices.outlined)
    monkeypatch.setattr(ahead, "_compile_once", devices.compile_kernels)
    monkeypatch.setattr(experiment, "_load", lambda spec, kept: inputs)
    monkeypatch.setattr(experiment.exact, "require", lambda *_: None)
    monkeypatch.setattr(measure, "_lease_gpu", lease_gpu)
    names = {"graph": "path", "problem": "apsp", "algorithm": "fw_blocked", "launch": "t16", "device": "cuda"}
    files = {"graph_folder": places.graph("path"), "oracle": "", "kernels": str(measure.discovery.KERNELS)}
    times = {"warmup": 0, "repetitions": 1, "budget": 1, "time_limit": 20, "command": "", "started_s": 0}
    measure.measure(measure.Spec(**names, **files, **times), lambda kind, **fields: events.append((kind, fields)))
    costs = {name for kind, fields in events[: events.index(("leased", {}))] if kind == "costs" for name in fields}
    assert {"load_s", "prepare_s"} <= costs
    baseline()  # as the run has ended
    assert compiled() == ["cuda fw_blocked 16 90", "cuda proof None 90"]
