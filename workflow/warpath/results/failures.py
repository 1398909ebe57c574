"""What did not come out as it should, and why."""

import os
from pathlib import Path

from warpath.errors import UserError
from warpath.results import records


def of(study):
    """(what, why, where to read more) of each failure; a graph or an oracle once, for all the runs that wait for it."""
    told = {}
    for run in study.runs:
        if Path(run.record).exists():
            try:
                records.read(run.record)  # whatever its device: a login node has another one than the nodes
                continue
            except records.NotBelieved as reason:
                found = _name(run), str(reason), _log(run)
        elif Path(run.failure).exists():
            found = _name(run), _error(run), _log(run)
        else:
            found = _upstream(run)
        told.setdefault(found[0], found)
    return list(told.values())


def put_aside(study, folder):
    """Move each damaged record to where failures are kept, so that a rerun makes it anew; returns what was moved."""
    moved = []
    for run in study.runs:
        record, failure = records.places(run, folder)
        try:
            records.read(record, run)
        except records.NoRecord as reason:
            os.replace(record, failure)
            moved.append(f"{reason}; put aside as {failure.name}, running again makes it anew")
        except records.NotBelieved:
            continue
    return moved


def graphs(study):
    """Those that lack runs."""
    return sorted({run.graph for run in study.runs if not Path(run.record).exists()})


def only(study, graph):
    """The study with the runs of one graph alone."""
    from dataclasses import replace

    if graph not in study.graphs:
        raise UserError(f"study {study.name} has no graph '{graph}'; it has {', '.join(study.graphs)}")
    return replace(study, runs=tuple(run for run in study.runs if run.graph == graph))


def why_absent(run):
    """Why a run has no record: what it waits for, and what that step said."""
    what, why, _ = _upstream(run)
    return f"this run has not been made ({what}: {why})"


def _name(run):
    return f"{run.id} {run.launch} on {run.graph}"


def _log(run):
    return f"logs/runs/{run.graph}/{run.id}/{run.launch}.log"


def _error(run):
    try:
        return records.read(run.failure).get("error") or "its record does not say why"
    except records.NotBelieved as reason:
        return str(reason)


def _upstream(run):
    """Why a run was never tried: its graph, or its right answers, are missing, or nothing was started."""
    steps = [
        (f"{run.problem} answers for {run.graph}", f"resources/oracles/{run.graph}/{run.problem}.parquet", "oracle"),
        (f"graph {run.graph}", f"resources/graphs/{run.graph}/vertices.parquet", "prepare"),
    ]
    logs = {
        "oracle": [Path(f"logs/oracle/{run.graph}/{run.problem}.log")],
        "prepare": [*sorted(Path(f"logs/download/{run.graph}").glob("*.log")), Path(f"logs/prepare/{run.graph}.log")],
    }
    for what, file, step in reversed(steps):
        if not Path(file).exists():
            said = [(log, _last_line(log)) for log in logs[step]]
            log, line = next(((log, line) for log, line in said if "warpath: " in line), ("", "not made yet"))
            return what, line.removeprefix("warpath: "), str(log)
    return _name(run), "not run yet", _log(run) if Path(_log(run)).exists() else ""


def _last_line(log):
    try:
        lines = log.read_text(errors="replace").split("\n")
    except OSError:
        return ""
    return next((line for line in reversed(lines) if line.startswith("warpath: ")), "")
