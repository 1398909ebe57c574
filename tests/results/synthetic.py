"""Records as runs write them, with times of the test's choosing: no kernel, no graph, no device."""

import functools
import json
import re
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from warpath.algorithms import discovery
from warpath.algorithms.launches import AXES
from warpath.base import places, settings
from warpath.base.problems import PROBLEMS
from warpath.graphs import catalogue
from warpath.results import gather
from warpath.results.evidence import Evidence, published
from warpath.runs import plan
from warpath.runs.plan import Run, Study

KEPT = {"zoo": "zoo-(points|web|caterpillar)-.*"}  # graphs of a large study that stand for the others
RATES = {"copy_bytes_per_s": 4e12, "relaxations_per_s": 16e12, "environment": {"device_name": "NVIDIA H200"}}
TIME_LIMIT = 240
STAND_IN = ".stand-in"
TIMED_OUT = f"not finished after {TIME_LIMIT} s"

GRAPHS = {"rome99": (3353, 8870), "email-Eu-core": (1005, 24929), "p2p-Gnutella08": (6301, 20777)}
NAMES = dict.fromkeys(["cuda", "peer_gpu"], "NVIDIA H200") | dict.fromkeys(["host", "cpu", "peer"], "Example CPU")


def _parameters(launch):
    """The parameters that a label stands for, such as b256-g8-source."""
    letters = {axis.letter: axis.name for axis in AXES.values() if axis.letter}
    values = {letters[letter]: int(value) for letter, value in re.findall(r"\b([a-z]{1,2})(\d+)\b", launch)}
    last = launch.rpartition("-")[2]
    return values | ({"order": last} if last in ("source", "target") else {})


def record(graph="rome99", algorithm="bfs/level", launch="b256", device="host", median_ms=1.0, **changes):
    """A complete record of a run with samples around `median_ms`; `changes` replace any of its fields."""
    problem, name = algorithm.split("/")
    vertices, arcs = GRAPHS.get(graph, (1000, 6000))
    sources = [-1] if PROBLEMS[problem].all_pairs else [17, 3, 99, 250]
    times = median_ms * np.random.default_rng(7).lognormal(0, 0.03, (5, len(sources)))
    counts = {"kernel_launches": 40, "iterations": 40, "arcs_visited": arcs, "wrong_vertices": 0}
    samples = [
        {"source": source, "repetition": repetition, "solve_ms": time, "wall_ms": time + 0.01}
        | counts
        | {"phases": {"filter_ms": time / 4, "compute_ms": time / 2} if name.startswith("tpe_") else {}}
        for repetition in range(5)
        for source, time in zip(sources, times[repetition].tolist(), strict=True)
    ]
    environment = {"device_name": NAMES[device], "cores": 2, "python": "3.11.7", "packages": {"numpy": "2.4.6"}}
    energy = {"joules": 600.0, "solves": round(2000 / median_ms) or 1, "seconds": 2.0}
    complete = {
        "format": 1,
        **{"graph": graph, "problem": problem, "algorithm": name, "launch": launch, "device": device},
        **{"parameters": _parameters(launch), "paper": None, "exact": True, "status": "ok", "error": None},
        **{"vertices": vertices, "arcs": arcs, "directed": True, "weights": "file"},
        "stand_in_for": graph.removesuffix(STAND_IN) if graph.endswith(STAND_IN) else None,
        "samples": samples,
        "checked": {"sources": 4, "rows": None},
        "costs": {"start_s": 0.1, "measure_s": 0.2, "check_s": 0.01, "total_s": 0.6},
        "memory_bytes": 123456,
        "energy": energy if device == "cuda" else None,
        "environment": environment | {"commit": "0123456789ab"},
        "kernel_sources": {},
        "command": f"python -m warpath run results/runs/{graph}/{algorithm}/{launch}.json",
        "started": "2026-11-21T09:00:00+00:00",
        "leased": "2026-11-21T09:00:00.200+00:00",
        "finished": "2026-11-21T09:00:01+00:00",
        "flags": [],
    }
    if changes.get("status", "ok") not in ("ok", "wrong"):
        complete["samples"] = []
    return complete | changes


def runs(text, **changes):
    """Records of runs on a GPU, or on a CPU where the algorithm is for one.

    `text` has graphs, separated by semicolons, each as name[@vertices,arcs] with its runs as
    algorithm[:launch][!status]=milliseconds, and a * if these are all that it measured.
    """
    found = []
    for part in text.split(";"):
        graph, *words = part.split()
        graph, _, size = graph.partition("@")
        sizes = dict(zip(("vertices", "arcs"), map(int, size.split(",")), strict=True)) if size else {}
        for word in words:
            name, time = word.removesuffix("*").split("=")
            algorithm, launch, status = re.fullmatch(r"([^:!]+):?([^!]*)!?(.*)", name).groups()
            device = "cpu" if "/cpu_" in algorithm else "peer_gpu" if "/peer_cugraph" in algorithm else "cuda"
            fields = {"device": device, "median_ms": float(time)} | sizes
            fields |= {"status": status} if status else {}
            fields |= {"error": TIMED_OUT, "time_limit_s": TIME_LIMIT} if status == "timeout" else {}
            launch = launch or ("default" if device == "cpu" else "b256")
            found.append(record(graph, algorithm, launch, **fields | changes))
            if word.endswith("*"):
                found[-1]["samples"] = [found[-1]["samples"][0] | {"solve_ms": float(time)}]
    return found


def write(folder, *records):
    """Write records where runs write them."""
    for record in records:
        part = places.part(record["launch"], record.get("process", 1))
        path = Path(folder, record["graph"], record["problem"], record["algorithm"], f"{part}.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record))


def study(*records, missing=(), **changes):
    """A study that plans exactly these records, and `missing` ones (tuples graph, algorithm, launch, device)."""
    fields = ("graph", "problem", "algorithm", "launch", "device")
    runs = [Run(*(record[field] for field in fields), 4, process=record.get("process", 1)) for record in records]
    runs += [Run(graph, *algorithm.split("/"), launch, device, 4) for graph, algorithm, launch, device in missing]
    return replace(Study("synthetic", "A study", "Invented.", None, tuple(runs), (), (), "host"), **changes)


def tables(*parts, folder=None, rates=None, missing=(), **changes):
    """The tables of a study of records, or texts of `runs`, and `missing` runs; records are kept in a given folder."""
    records = [each for part in parts for each in (runs(part, **changes) if isinstance(part, str) else [part])]
    with tempfile.TemporaryDirectory() as scratch:
        write(folder or scratch, *records)
        made = gather.gather(study(*records, missing=missing), folder or scratch, rates)
    return Evidence(*made, published())


COSTS = {  # nanoseconds an arc (bfs, sssp) or a relaxation (apsp), where it is not one
    "cpu_queue": 8,
    "cpu_dijkstra": 60,
    "cpu_floyd_warshall": 0.3,
    "cpu_repeated_dijkstra": 0.2,
    "fw_vertex": 0.05,
    "fw_pair": 0.004,
    "fw_blocked": 0.0002,
    "fw_tiled": 0.00007,
    "repeated_sssp": 0.002,
    "batched": 0.0000005,
}


def of_study(name, device="cuda"):
    """The plan of a real study with its kernels on this device, and records of its runs, timed by a rule of thumb."""
    study = planned(name, device)
    return study, [_of_run(run, *_size(graphs()[run.graph])) for run in study.runs]


@functools.cache
def planned(name, device="cuda"):
    """The plan of a real study, without most graphs of a large one."""
    study = plan.load(settings.read() | {"study": name, "device": "host", "programs": "fetch"}, dict(graphs()))
    runs = tuple(replace(run, device=device if run.device == "host" else run.device) for run in study.runs)
    return replace(study, runs=tuple(run for run in runs if re.match(KEPT.get(name, ""), run.graph)), device=device)


@functools.cache
def graphs():
    return catalogue.load(settings.GRAPHS)


def _size(entry):
    """Vertices and arcs of a graph, estimated from its catalogue entry."""
    generator = entry.generator or {}
    layers = sum(generator.get("levels", []))
    vertices = entry.vertices or generator.get("vertices") or layers or 2 ** generator.get("scale", 10)
    known = entry.expected.get("edges") or entry.published.get("edges")
    edges = known or generator.get("edges") or 3 * vertices
    edges = len(edges) if isinstance(edges, list) else edges
    return int(vertices), int(entry.expected.get("arcs") or edges * (1 if entry.directed else 2))


def _of_run(run, vertices, arcs):
    parameters = discovery.named(run.id).launch(run.launch).parameters
    work = vertices**3 if PROBLEMS[run.problem].all_pairs else arcs
    time = 0.02 + COSTS.get(run.algorithm, 1) * work / 1e6
    time *= 1 + abs(parameters.get("block", 256) - 256) / 2000 + parameters.get("coarsening", 1) / 10
    time *= 1.8 if parameters.get("order") == "target" else 1
    sizes = {"vertices": vertices, "arcs": arcs}
    complete = record(run.graph, run.id, run.launch, run.device, median_ms=time, parameters=parameters, **sizes)
    complete["preparing"] = {"ms": len(run.algorithm) * time / 4}
    if run.algorithm == "frontier_struct":
        for sample in complete["samples"]:
            sample["kernel_launches"] = {5: 3, 10: 5, 22: 7, 64: 13}.get(vertices, 20)
    if time > 1000 * TIME_LIMIT:
        complete |= {"status": "timeout", "error": TIMED_OUT, "time_limit_s": TIME_LIMIT, "samples": []}
    return complete
