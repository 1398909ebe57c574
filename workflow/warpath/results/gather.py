"""Collect the records of a study into two tables: one row per sample, and one row per run, over all of its processes.

A run is ok if each of its processes is. What a row has from a single record is that of the first process, or of the
first that is not ok. A run without a usable record is a row too, with status `missing` and the reason.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from warpath.algorithms import discovery
from warpath.base import places
from warpath.base.text import escaped
from warpath.results import columns, failures, frames, limits, select, statistics, style
from warpath.runs import overhead, records, statuses


def gather(study, folder, rates=None):
    return tabulate(study.name, ((run, *_record(run, folder)) for run in study.runs), rates)


def tabulate(study, recorded, rates=None):
    """The tables (timings, summary) of runs, each given with the path of its record and the record."""
    algorithms = discovery.find()
    of_sample = [column.name for column in columns.SAMPLE]
    timings, runs = [], {}
    for run, path, record in recorded:
        row = _run_columns(study, run, record, algorithms.get(run.id))
        process = record.get("process") or 1
        samples = [sample | {"process": process} for sample in record["samples"]]
        for sample in samples or [{"process": process}]:  # a run without samples keeps one row, which has its status
            timings.append(row | {name: sample.get(name) for name in ("process", *of_sample)} | _phases(sample))
        part = row | {"record": str(path)}, record | {"samples": samples}
        runs.setdefault((run.graph, run.id, run.launch), []).append(part)
    summary = [_summary_row(parts, algorithms.get(id), rates) for (_, id, _), parts in runs.items()]
    return frames.make(timings, columns.TIMINGS), frames.make(summary, columns.SUMMARY)


def _record(run, folder):
    """Return the path of the run's record, and the record; without a usable one, its status is `missing`."""
    path = Path(folder, Path(run.record).relative_to(places.RECORDS))
    try:
        record = records.read(path, run)
    except records.UnusableRecord as reason:
        record = {field: getattr(run, field) for field in records.RUN}
        record |= {"status": statuses.MISSING, "samples": [], "costs": {}, "flags": []}
        record["error"] = failures.NOT_RUN if isinstance(reason, records.MissingRecord) else str(reason)
    # For all pairs, what is prepared is part of the answer; records of earlier versions call it prepare_ms.
    if extra := record.get("again_ms", record.get("prepare_ms")):
        record["samples"] = [sample | {"solve_ms": sample["solve_ms"] + extra} for sample in record["samples"]]
    return path, record


def _repeated(record, described):
    return {column.name: _field(record, *column.path) for column in described if column.path}


def _field(values, name, *rest):
    value = values.get(name)
    return _field(value or {}, *rest) if rest else value


def _run_columns(study, run, record, algorithm):
    """What both tables say about a run."""
    row = {
        **(record.get("parameters") or (algorithm.launch(run.launch).parameters if algorithm else {})),
        **_repeated(record, columns.RUN),
        "study": study,
        "algorithm": run.id,
        "paper": algorithm.paper if algorithm else record.get("paper"),
        "placement": record.get("placement") or "device",
        "device_label": style.DEVICES[run.device],
        "error": record.get("error") or None,
        "flags": " ".join(record["flags"]),
    }
    return {name: escaped(value, "\n\t") if isinstance(value, str) else value for name, value in row.items()}


def _summary_row(parts, algorithm, rates):
    """What the summary says about a run whose processes are `parts`, pairs of a row of both tables and a record."""
    row, record = next((part for part in parts if part[0]["status"] != statuses.SOUND), parts[0])
    energy, samples = record.get("energy"), [sample for _, record in parts for sample in record["samples"]]
    row = row | {"flags": " ".join(dict.fromkeys(flag for part, _ in parts for flag in part["flags"].split()))}
    row |= _repeated(record, columns.SUMMARY[len(columns.RUN) :])
    wrong = (sample.get("wrong_vertices") or 0 for sample in samples)
    row |= {"wrong_vertices": max(wrong, default=None), "overhead_s": overhead.seconds(record["costs"])}
    row["unforeseen"] = len(record["unforeseen"]) if "unforeseen" in record else None
    if row["status"] in statuses.TIMED:
        row |= _statistics(samples)
        if prepared := [part["preparing"]["ms"] for _, part in parts if _field(part, "preparing", "ms") is not None]:
            row["prepare_ms"] = float(np.median(prepared))
            row["first_ms"] = row["median_ms"] + (0 if record.get("again_ms") else row["prepare_ms"])
    if energy:
        row |= {"energy_j": energy["joules"] / energy["solves"], "power_w": energy["joules"] / energy["seconds"]}
    return row | {"percent_of_limit": limits.percent_of_limit(row, algorithm, rates)}


def _statistics(samples):
    """Statistics over every sample of a run that finished; a wrong run has them too, but is never compared."""
    names = ["source", "process", "solve_ms", "wall_ms", *columns.COUNTS]
    table = pd.DataFrame(samples).reindex(columns=names).astype(float)
    numbers, times, sources = table[["process", "solve_ms", "source"]].fillna(-1).to_numpy().T
    of_each = table.groupby(sources)[["solve_ms", "arcs_visited"]].median()
    teps = 1000 / (of_each["solve_ms"] / of_each["arcs_visited"]).mean()
    each = [numbers == number for number in np.unique(numbers)]
    processes = [statistics.grouped(times[mine], sources[mine]) for mine in each]
    quartiles = dict(zip(("min_ms", "q1_ms", "q3_ms", "max_ms"), np.percentile(times, [0, 25, 75, 100]), strict=True))
    phases = pd.DataFrame([_phases(sample) for sample in samples], dtype=float)
    of_source = np.unique([numbers, sources], axis=1, return_inverse=True)[1]
    return {
        "sources": len(np.unique(sources)),
        "samples": len(samples),
        "processes": len(processes),
        "interval": statistics.interval_in_words(len(processes), len(samples)),
        "percent_between_processes": statistics.percent_between(times, sources, numbers),
        **dict(zip(select.INTERVAL, statistics.median_interval(*processes), strict=True)),
        **quartiles,
        "wall_median_ms": table["wall_ms"].median(),
        "teps": teps if (table["arcs_visited"] > 0).all() else None,
        **table[[*columns.COUNTS]].median(),
        **{name: statistics.even_median(statistics.grouped(phases[name], of_source)) for name in phases},
    }


def _phases(sample):
    return {f"phase_{name.removesuffix('_ms')}_ms": time for name, time in (sample.get("phases") or {}).items()}
