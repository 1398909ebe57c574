"""Find out which runs and results of a study are missing, failed or wrong, and why."""

import collections
import contextlib
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from warpath.base import folder, outcome, places, slurm
from warpath.base.errors import UserError
from warpath.base.text import escaped
from warpath.results import repeat
from warpath.runs import records, statuses

ANY_DEVICE = ("graph", "problem", "algorithm", "launch")  # a login node may lack the GPU that its cluster's nodes have

NOT_RUN = "not run yet"


class Failure(NamedTuple):
    """What failed, why, and the log to read; `log` is empty where there is none."""

    what: str
    why: str
    log: str


def find(study):
    """The failures of a study. A graph or an oracle counts once, for all the runs that need it.

    Tables, figures and the report need every run, so they are looked at only where no run failed.
    """
    failures = find_of_runs(study)
    if why := outcome.error(places.outcome(places.PROBE)):
        failures.append(Failure("the probe", why, places.log("probe")))
    return failures or _of_results(study)


def find_of_runs(study):
    return list(dict.fromkeys(filter(None, map(of_run, study.runs))))


def of_run(run):
    """Why a run has no right answer that was measured; None if it has one, or ended in a way that it may."""
    if failed := records.failed_step(run):
        return Failure(*failed)
    try:
        record = records.read(run.record, run, ANY_DEVICE)
    except records.MissingRecord:
        submitted = repeat.cluster() and not folder.running_since()
        why, slurms = (submitted and slurm.fate(run)) or (NOT_RUN, "")
        return Failure(name(run), why, slurms or workflow_log())
    except records.UnusableRecord as reason:
        return Failure(name(run), str(reason), log(run))
    if record["status"] in statuses.FAILING or is_wrong(record):
        error = escaped(record["error"] or "", "\n\t") or "its record has no error message"
        return Failure(name(run), error, log(run))
    return None


def is_wrong(record):
    """Whether a run has answered wrongly that should be exact."""
    return record["status"] == statuses.WRONG and record.get("exact") is not False


def wrong(study):
    """Name each algorithm that should be exact and has wrong answers, with the number of its runs."""
    counts = collections.Counter()
    for run in study.runs:
        with contextlib.suppress(records.UnusableRecord):
            counts[run.id] += is_wrong(records.read(run.record))
    return ", ".join(f"{name} ({count})" for name, count in counts.items() if count)


def begun(study):
    """Whether a run of the study has a record, or could have none because a step before it failed."""
    return any(Path(run.record).exists() or records.failed_step(run) for run in study.runs)


def workflow_log():
    """Snakemake's log of the last workflow, empty if there is none; file names are dates."""
    return max(map(str, Path(places.SNAKEMAKE_LOGS).glob("*.snakemake.log")), default="")


def only(study, graph):
    """The study restricted to the runs on one graph."""
    if graph not in study.graphs:
        raise UserError(f"study {study.name} has no graph '{graph}'; it has {', '.join(study.graphs)}")
    return replace(study, runs=tuple(run for run in study.runs if run.graph == graph))


def name(run):
    return f"{run.id} {run.part} on {run.graph}"


def log(run):
    return places.log("runs", run.graph, run.id, run.part)


def _of_results(study):
    """Each result that is missing because of an error; without one the first that is missing at all."""
    figures = [(f"figure {name}", places.figure_files(name), places.log("figures", name)) for name in study.figures]
    for what, (picture, *_), log_of_step in figures:
        if why := outcome.error(places.outcome(picture)):
            return [Failure(what, why, log_of_step)]
    tables = "the tables", [places.TIMINGS, places.SUMMARY], places.log("gather")
    results = [tables, *figures, ("the report", [places.REPORT], places.log("report"))]
    missing = [(what, log) for what, files, log in results if not all(Path(file).exists() for file in files)]
    failed = [Failure(what, why, log) for what, log in missing if (why := _last_error(log))]
    return failed or [Failure(what, "not made yet", workflow_log()) for what, _ in missing[:1]]


def _last_error(log):
    """The last error message in a log, or the end of a traceback; empty if the step did not fail."""
    lines = []
    with contextlib.suppress(OSError):
        lines = [escaped(line) for line in Path(log).read_text(errors="replace").split("\n") if line.strip()]
    if any(line.startswith("Traceback ") for line in lines):
        return lines[-1]
    return next((line for line in reversed(lines) if line.startswith("warpath: ")), "").removeprefix("warpath: ")
