"""Collect the records of a study into two tables: one row per sample, and one row per run.

A run without a usable record is a row too, with status `missing` and the reason.
"""

from pathlib import Path

import numpy as np

from warpath.algorithms import bounds, discovery
from warpath.base import places
from warpath.base.text import escaped
from warpath.results import columns, failures, frames, limits, statistics, style
from warpath.runs import overhead, records, statuses

COUNTS = ("calls", "kernel_launches", "iterations", "arcs_visited")
COSTS = ("total_s", "measure_s", "prepare_s")


def gather(study, folder, rates=None):
    """The tables (timings, summary) of the runs of `study`, from the records under `folder`."""
    algorithms = discovery.find()
    recorded = ((run, *_record(run, folder, algorithms.get(run.id))) for run in study.runs)
    return tabulate(study.name, recorded, rates)


def tabulate(study, recorded, rates=None):
    """The tables (timings, summary) of runs, each given with the path of its record and the record."""
    algorithms = discovery.find()
    timings, summary = [], []
    for run, path, record in recorded:
        algorithm = algorithms.get(run.id)
        row = _run_columns(study, run, record, algorithm)
        timings += _sample_rows(row, record)
        summary.append(_summary_row(row | {"record": str(path)}, record, algorithm, rates))
    return frames.make(timings, columns.TIMINGS), frames.make(summary, columns.SUMMARY)


def _record(run, folder, algorithm):
    """Return the path of the run's record, and the record; without a usable one, its status is `missing`."""
    path = Path(folder, Path(run.record).relative_to(places.RECORDS))
    try:
        record = records.read(path, run)
    except records.UnusableRecord as reason:
        error = failures.NOT_RUN if isinstance(reason, records.MissingRecord) else str(reason)
        record = {"status": "missing", "error": error, "samples": [], "costs": {}, "environment": {}, "flags": []}
    parameters = record.get("parameters") or (algorithm.launch(run.launch).parameters if algorithm else {})
    return path, record | {"parameters": parameters}


def _run_columns(study, run, record, algorithm):
    """What both tables say about a run."""
    environment = record["environment"]
    row = {
        **record["parameters"],
        "study": study,
        "problem": run.problem,
        "algorithm": run.id,
        "paper": algorithm.paper if algorithm else record.get("paper"),
        "graph": run.graph,
        "stand_in_for": record.get("stand_in_for"),
        "vertices": record.get("vertices"),
        "arcs": record.get("arcs"),
        "directed": record.get("directed"),
        "launch": run.launch,
        "chosen": record.get("chosen"),
        "device": run.device,
        "placement": record.get("placement") or "device",
        "device_label": style.DEVICES[run.device],
        "device_name": environment.get("device_name"),
        "device_uuid": environment.get("uuid"),
        "commit": environment.get("commit"),
        "started": record.get("started"),
        "status": record["status"],
        "time_limit_s": record.get("time_limit_s"),
        "error": record.get("error") or None,
        "flags": " ".join(record["flags"]),
    }
    return {name: escaped(value, "\n\t") if isinstance(value, str) else value for name, value in row.items()}


def _sample_rows(row, record):
    """One row per sample; a run without samples keeps one row, which has its status."""
    names = [column.name for column in columns.SAMPLE]
    return [
        row | {name: sample.get(name) for name in names} | _phase_columns(sample.get("phases") or {})
        for sample in record["samples"] or [{}]
    ]


def _summary_row(row, record, algorithm, rates):
    wrong = [sample.get("wrong_vertices") or 0 for sample in record["samples"]]
    row = row | {"wrong_vertices": max(wrong, default=None)} | _statistics(record) | _costs(record) | _energy(record)
    return row | {"percent_of_limit": limits.percent_of_limit(row, _least_work(row, record, algorithm), rates)}


def _statistics(record):
    """Statistics over every sample of a run that finished; a wrong run has them too, but is never compared."""
    if record["status"] not in statuses.TIMED:
        return {}
    samples = record["samples"]
    times, sources = _numbers(samples, "solve_ms"), np.nan_to_num(_numbers(samples, "source"), nan=-1)
    median, low, high = statistics.median_interval(statistics.grouped(times, sources))
    first, third = np.percentile(times, [25, 75])
    return {
        "sources": len(np.unique(sources)),
        "samples": len(samples),
        "median_ms": median,
        "low_ms": low,
        "high_ms": high,
        "q1_ms": first,
        "q3_ms": third,
        "min_ms": times.min(),
        "max_ms": times.max(),
        "wall_median_ms": _median(_numbers(samples, "wall_ms")),
        "teps": _teps(times, _numbers(samples, "arcs_visited"), sources),
        **{name: _median(_numbers(samples, name)) for name in COUNTS},
        **_phase_columns(_medians([sample.get("phases") or {} for sample in samples])),
    }


def _numbers(rows, name):
    """The values of a field; NaN where a row has none."""
    return np.array([row.get(name) for row in rows], float)


def _median(numbers):
    known = numbers[~np.isnan(numbers)]
    return np.median(known) if len(known) else None


def _medians(rows):
    """The median of each field that a row has."""
    return {name: _median(_numbers(rows, name)) for name in dict.fromkeys(name for row in rows for name in row)}


def _teps(times, arcs, sources):
    return statistics.traversed_per_second(times, arcs, sources) if (arcs > 0).all() else None


def _phase_columns(phases):
    return {f"phase_{name.removesuffix('_ms')}_ms": value for name, value in phases.items()}


def _costs(record):
    costs = {name: record["costs"].get(name) for name in COSTS}
    return costs | {"memory_bytes": record.get("memory_bytes"), "overhead_s": overhead.of(record["costs"])}


def _energy(record):
    energy = record.get("energy")
    if not energy:
        return {}
    return {"energy_j": energy["joules"] / energy["solves"], "power_w": energy["joules"] / energy["seconds"]}


def _least_work(row, record, algorithm):
    if algorithm is None or row["status"] != "ok":
        return None
    return bounds.least_work(algorithm, row["vertices"], row["arcs"], record["parameters"], row["placement"])
