"""Find out which runs and results of a study are missing, and why."""

import itertools
import os
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from warpath.base import places
from warpath.base.errors import UserError
from warpath.base.places import PROBE, REPORT, SUMMARY, TIMINGS
from warpath.base.text import escaped
from warpath.results import records

OUT_OF_DATE = "missing or out of date"
ANY_DEVICE = ("graph", "problem", "algorithm", "launch")  # a login node may lack the GPU that its cluster's nodes have


class Failure(NamedTuple):
    """What failed, why, and the log to read; `log` is empty where there is none."""

    what: str
    why: str
    log: str


def of(study):
    """The failures of a study. A graph or an oracle counts once, for all the runs that need it.

    Tables, figures and the report need every run, so they are looked at only where no run failed.
    """
    return [*_of_runs(study), *_of_probe()] or _of_results(study)


def begun(study):
    """Whether a run of the study has a result, or could have none because a step before it failed."""
    return any(Path(run.record).exists() or Path(run.failure).exists() or _failed_step(run) for run in study.runs)


def workflow_log():
    """Snakemake's log of the last workflow, empty if there is none; file names are dates."""
    return max(map(str, Path(places.SNAKEMAKE_LOGS).glob("*.snakemake.log")), default="")


def _of_runs(study):
    failures = {}
    for run in study.runs:
        if failure := _of_run(run):
            failures.setdefault(failure.what, failure)
    return failures.values()


def _of_run(run):
    if Path(run.record).exists():
        try:
            records.read(run.record, run, ANY_DEVICE)
        except records.UnusableRecord as reason:
            return Failure(name(run), str(reason), log(run))
        return _failed_step(run)  # the record is old: the run is due again, but a step before it failed
    if Path(run.failure).exists():
        return Failure(name(run), _error(run), log(run))
    return _upstream(run)


def _of_probe():
    return [] if Path(PROBE).exists() else [_from_log("the probe", places.log("probe"), "not made yet")]


def _of_results(study):
    """Every due result whose log has an error; without such a log the first due result, as the others depend on it."""
    due = [_from_log(what, log, OUT_OF_DATE) for what, files, inputs, log in _results(study) if _due(files, inputs)]
    return [failure for failure in due if failure.why != OUT_OF_DATE] or due[:1]


def _results(study):
    """(name, files, inputs, log) of the tables, each figure and the report, in this order."""
    measured = [PROBE, *(run.record for run in study.runs)]
    figures = {name: places.figure_files(name) for name in study.figures}
    tables = [TIMINGS, SUMMARY]
    yield "the tables", tables, measured, places.log("gather")
    for name, files in figures.items():
        yield f"figure {name}", files, measured + tables, places.log("figures", name)
    yield "the report", [REPORT], list(itertools.chain(measured, tables, *figures.values())), places.log("report")


def _due(files, inputs):
    """Whether a file is missing or older than its inputs; a workflow that failed dates back what it salvages."""
    dates = _dates(files)
    return len(dates) < len(files) or min(dates) < max(_dates(inputs))


def _dates(files):
    return [file.stat().st_mtime for file in map(Path, files) if file.exists()]


def put_aside(reason, record, failure):
    """Rename a damaged record to that of a failure, so that the next workflow repeats the run; return a message."""
    os.replace(record, failure)
    return f"{reason}; put aside as {failure.name}, run again to replace it"


def graphs(study):
    """The graphs that lack records."""
    return sorted({run.graph for run in study.runs if not Path(run.record).exists()})


def only(study, graph):
    """The study restricted to the runs on one graph."""
    if graph not in study.graphs:
        raise UserError(f"study {study.name} has no graph '{graph}'; it has {', '.join(study.graphs)}")
    return replace(study, runs=tuple(run for run in study.runs if run.graph == graph))


def why_missing(run):
    """Why a run has no record: the step that it waits for, and the error of that step."""
    what, why, _ = _upstream(run)
    return why if what == name(run) else f"not run yet ({what}: {why})"


def name(run):
    return f"{run.id} {run.launch} on {run.graph}"


def log(run):
    return places.log("runs", run.graph, run.id, run.launch)


def _error(run):
    try:
        return escaped(records.read(run.failure).get("error") or "", "\n\t") or "its record has no error message"
    except records.UnusableRecord as reason:
        return str(reason)


def _upstream(run):
    """Why a run did not start: its graph or its oracle is missing, or its job never began."""
    if failure := _failed_step(run):
        return failure
    for what, file, _ in _steps(run):
        if not Path(file).exists():
            return Failure(what, "not made yet", workflow_log())
    return _from_log(name(run), log(run), "not run yet")


def _from_log(what, log, otherwise):
    """A failure with the last error in its log.

    A log without an error may be of an earlier time: a cluster refused the job, or it was killed. The workflow's log
    tells more then.
    """
    error = _last_error(log)
    return Failure(what, error, log) if error else Failure(what, otherwise, workflow_log())


def of_step(run, since):
    """What failed of a run without a record since this time: itself, or a step before it; None if nothing did."""
    if Path(run.failure).exists() and Path(run.failure).stat().st_mtime >= since:
        return Failure(name(run), _error(run), log(run))
    failure = _failed_step(run)
    return failure if failure and Path(failure.log).stat().st_mtime >= since else None


def _failed_step(run):
    """The first step before a run whose file is missing and whose log has an error, or None."""
    for what, file, log in _steps(run):
        if not Path(file).exists() and (error := _last_error(log)):
            return Failure(what, error, log)
    return None


def _steps(run):
    """(name, file, log) of every step before a run, in order."""
    what = f"graph {run.graph}"
    for folder, file in run.downloads:
        yield what, places.download(folder, file), places.log("download", folder, file)
    yield what, places.prepared(run.graph), places.log("prepare", run.graph)
    oracle = places.oracle(run.graph, run.problem)
    yield f"{run.problem} answers for {run.graph}", oracle, places.log("oracle", run.graph, run.problem)


def _last_error(log):
    """The last error message in a log, or the end of a traceback; empty if the step did not fail."""
    try:
        lines = [escaped(line) for line in Path(log).read_text(errors="replace").split("\n") if line.strip()]
    except OSError:
        return ""
    if any(line.startswith("Traceback ") for line in lines):
        return lines[-1]
    message = next((line for line in reversed(lines) if line.startswith("warpath: ")), "")
    return message.removeprefix("warpath: ")
