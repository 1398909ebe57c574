"""Every record of a study as two tidy tables: a row per sample, and a row per run.

`results/timings.parquet` keeps every repetition; `results/summary.csv` is what figures, claims and the page read.
A run without a believable record is a row too, with status `missing` and the reason.
"""

import numpy as np
import pandas as pd

from warpath.algorithms import discovery
from warpath.foundation.files import atomic
from warpath.results import failures, limits, records, statistics, style
from warpath.runs import overhead

AXES = (*records.NUMBERED_AXES, "order")

SAMPLE_COLUMNS = {
    "source": "Int64",
    "repetition": "Int64",
    "solve_ms": "Float64",
    "wall_ms": "Float64",
    "kernel_launches": "Int64",
    "iterations": "Int64",
    "arcs_visited": "Int64",
}
MEASURED_COLUMNS = [
    *["sources", "samples", "median_ms", "low_ms", "high_ms", "q1_ms", "q3_ms", "min_ms", "max_ms", "wall_median_ms"],
    *["teps", "kernel_launches", "iterations", "arcs_visited"],
]


def gather(study, folder, rates=None):
    """The tables (timings, summary) of the planned runs of `study`, from the records under `folder`."""
    described = discovery.find()
    timings, summary = [], []
    for run in study.runs:
        path = _record_file(run, folder)
        record = _record(path, run)
        row = _row(study, run, described.get(run.id), record, path)
        samples = _samples(row, record)
        timings.extend(samples)
        summary.append({**row, **_measured(record), **_costs(record)})
    summary = limits.add(pd.DataFrame(summary), rates)
    return _typed(pd.DataFrame(timings)), summary


def write(table, path):
    """Parquet or CSV by the suffix, whole or not at all."""
    with atomic(path) as temporary:
        if str(path).endswith(".parquet"):
            table.to_parquet(temporary, index=False)
        else:
            table.to_csv(temporary, index=False, float_format="%.9g")


def read(timings, summary):
    """The two tables back from disk, text columns as text even where a name looks like a number."""
    named = ["study", "algorithm", "graph", "launch", "error", "flags", "stand_in_for", "order"]
    texts = dict.fromkeys([*named, "device_uuid", "commit", "started"], "str")
    summary = pd.read_csv(summary, dtype=texts, keep_default_na=False, na_values=[""])
    return pd.read_parquet(timings), summary.assign(flags=summary["flags"].fillna(""))


def _record_file(run, folder):
    """Where the run's record is, or that of its failure."""
    record, failure = records.places(run, folder)
    return failure if failure.exists() and not record.exists() else record


def _record(path, run):
    try:
        return records.read(path, run)
    except records.NotBelieved as reason:
        why = failures.why_absent(run) if isinstance(reason, records.Absent) else str(reason)
        return {"status": "missing", "error": why, "samples": [], "costs": {}}


def _row(study, run, described, record, path):
    parameters = record.get("parameters") or _planned_parameters(described, run.launch)
    row = {
        "study": study.name,
        "problem": run.problem,
        "algorithm": run.id,
        "paper": described.paper if described else record.get("paper"),
        "graph": run.graph,
        "stand_in_for": record.get("standin_for"),
        "vertices": record.get("vertices"),
        "arcs": record.get("arcs"),
        "directed": record.get("directed"),
        "launch": run.launch,
        **{axis: parameters.get(axis) for axis in AXES},
        "device": run.device,
        "device_label": style.DEVICES[run.device],
        "device_name": record.get("environment", {}).get("device_name"),
        "device_uuid": record.get("environment", {}).get("uuid"),
        "commit": record.get("environment", {}).get("commit"),
        "started": record.get("started"),
        "status": record["status"],
        "wrong_vertices": max((sample.get("wrong_vertices") or 0 for sample in record["samples"]), default=None),
        "error": record.get("error"),
        "flags": " ".join(map(str, record.get("flags", []))),
        "record": str(path),
    }
    return row | {axis: value for axis, value in parameters.items() if axis not in row}


def _planned_parameters(described, label):
    return described.launch(label).parameters if described else {}


def _samples(row, record):
    """One row a sample; a run without any keeps one row, so that no status is lost on the way."""
    row = {name: value for name, value in row.items() if name != "record"}
    return [
        {
            **row,
            **{name: sample.get(name) for name in SAMPLE_COLUMNS},
            "wrong_vertices": sample.get("wrong_vertices", row["wrong_vertices"]),
            **{f"phase_{name.removesuffix('_ms')}_ms": value for name, value in (sample.get("phases") or {}).items()},
        }
        for sample in record["samples"] or [{}]
    ]


def _measured(record):
    """Statistics over every sample of a run that finished; of a wrong one too, for nobody to compare with."""
    nothing = dict.fromkeys(MEASURED_COLUMNS)
    if record["status"] not in ("ok", "wrong"):
        return nothing
    samples = pd.DataFrame(record["samples"])
    sources = samples["source"].fillna(-1) if "source" in samples else pd.Series(-1, samples.index)
    median, low, high = statistics.median_interval(statistics.grouped(samples["solve_ms"], sources))
    first, third = np.percentile(samples["solve_ms"], [25, 75])
    counted = {
        name: pd.to_numeric(samples[name]).median() if name in samples else None
        for name in ("kernel_launches", "iterations", "arcs_visited")
    }
    phases = pd.DataFrame([sample.get("phases") or {} for sample in record["samples"]]).median()
    return nothing | {
        "sources": sources.nunique(),
        "samples": len(samples),
        "median_ms": median,
        "low_ms": low,
        "high_ms": high,
        "q1_ms": first,
        "q3_ms": third,
        "min_ms": samples["solve_ms"].min(),
        "max_ms": samples["solve_ms"].max(),
        "wall_median_ms": samples["wall_ms"].median(),
        "teps": _teps(samples, sources),
        **counted,
        **{f"phase_{name.removesuffix('_ms')}_ms": value for name, value in phases.items()},
    }


def _teps(samples, sources):
    if "arcs_visited" not in samples or not (samples["arcs_visited"].fillna(0) > 0).all():
        return None
    return statistics.traversed_per_second(samples["solve_ms"], samples["arcs_visited"], sources)


def _costs(record):
    """What the job took in all, what of it was measuring, what was prepared outside of that (memory, machine code, and
    all that an algorithm makes of the CSR before it solves), and the price of being a job."""
    costs = record["costs"]
    return {
        "memory_bytes": record.get("memory_bytes"),
        "total_s": costs.get("total_s"),
        "measure_s": costs.get("measure_s"),
        "prepare_s": costs.get("prepare_s"),
        "overhead_s": overhead.of(costs),
    }


def _typed(timings):
    """Columns of a fixed type, so that a study of time-outs alone has the same schema as any other."""
    for name, kind in SAMPLE_COLUMNS.items():
        timings[name] = pd.to_numeric(timings[name]).astype(kind)
    for name in ("vertices", "arcs", "wrong_vertices", *records.NUMBERED_AXES):
        timings[name] = pd.to_numeric(timings[name]).astype("Int64")
    for name in ("paper", "stand_in_for", "order", "device_name", "device_uuid", "commit", "started", "error"):
        timings[name] = timings[name].astype("str").where(timings[name].notna(), None)
    return timings
