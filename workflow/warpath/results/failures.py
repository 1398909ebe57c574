"""What did not come out as it should, and why."""

import itertools
import os
from dataclasses import replace
from pathlib import Path

from warpath.foundation.errors import UserError
from warpath.foundation.places import FIGURES, PROBE, REPORT, SUMMARY, TIMINGS
from warpath.results import records

OUT_OF_DATE = "missing or out of date"
ANY_DEVICE = ("graph", "problem", "algorithm", "launch")  # a login node has another one than the nodes


def of(study):
    """(what, why, where to read more) of each failure; a graph or an oracle once, for all the runs that wait for it.

    What comes of the runs waits for all of them: it is looked at where none failed.
    """
    return [*_of_runs(study), *_of_probe()] or _of_results(study)


def _of_runs(study):
    told = {}
    for run in study.runs:
        if Path(run.record).exists():
            try:
                records.read(run.record, run, ANY_DEVICE)
                found = _failed_step(run)  # behind an old record, when it was due again
                if found is None:
                    continue
            except records.NotBelieved as reason:
                found = _name(run), str(reason), _log(run)
        elif Path(run.failure).exists():
            found = _name(run), _error(run), _log(run)
        else:
            found = _upstream(run)
        told.setdefault(found[0], found)
    return told.values()


def _of_probe():
    return [] if Path(PROBE).exists() else [_unmade("the probe", "logs/probe.log", "not made yet")]


def _of_results(study):
    """All that is due and whose log says why; without such a log the first, for the others wait for it."""
    due = [_unmade(what, log, OUT_OF_DATE) for what, files, made_of, log in _results(study) if _due(files, made_of)]
    return [found for found in due if found[1] != OUT_OF_DATE] or due[:1]


def _results(study):
    """(what, its files, what these are made of, its log) of all that comes of the runs, in that order."""
    measured = [PROBE, *(run.record for run in study.runs)]
    drawn = {name: [f"{FIGURES}/{name}.{suffix}" for suffix in ("svg", "png", "csv")] for name in study.figures}
    tables = [TIMINGS, SUMMARY]
    yield "the tables", tables, measured, "logs/gather.log"
    for name, files in drawn.items():
        yield f"figure {name}", files, measured + tables, f"logs/figures/{name}.log"
    yield "the report", [REPORT], list(itertools.chain(measured, tables, *drawn.values())), "logs/report.log"


def _due(files, made_of):
    """Whether one is missing, or older than what it is made of: a failed workflow dates back what it salvages."""
    dates = _dates(files)
    return len(dates) < len(files) or min(dates) < max(_dates(made_of))


def _dates(files):
    return [file.stat().st_mtime for file in map(Path, files) if file.exists()]


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
    if found := _failed_step(run):
        return found
    for what, file, _ in _steps(run):
        if not Path(file).exists():
            return what, "not made yet", _log_of_workflow()
    return _unmade(_name(run), _log(run), "not run yet")


def _unmade(what, log, otherwise):
    """The failure of a step by what its log says last; where that says nothing, the step may never have begun: a
    cluster refused the job, or it was killed, and the workflow's own log tells more."""
    said = _last_line(log)
    return (what, said, log) if said else (what, otherwise, _log_of_workflow())


def _log_of_workflow():
    """Of the last one: their names are dates."""
    return max(map(str, Path(".snakemake/log").glob("*.snakemake.log")), default="")


def _failed_step(run):
    """The first step before a run whose file is missing while its log says why; None if there is none."""
    for what, file, log in _steps(run):
        if not Path(file).exists() and (line := _last_line(log)):
            return what, line, str(log)
    return None


def _steps(run):
    """(what, its file, its log) of all that comes before a run, in that order."""
    for log in sorted(Path("logs/download", run.downloads or run.graph).glob("*.log")):
        yield f"graph {run.graph}", Path("resources/downloads", run.downloads or run.graph, log.stem), log
    yield f"graph {run.graph}", f"resources/graphs/{run.graph}/vertices.parquet", Path(f"logs/prepare/{run.graph}.log")
    answers = f"{run.graph}/{run.problem}"
    what = f"{run.problem} answers for {run.graph}"
    yield what, f"resources/oracles/{answers}.parquet", Path(f"logs/oracle/{answers}.log")


def _last_line(log):
    """What a step that failed said last: a line of ours, or the end of a traceback."""
    try:
        said = [line for line in Path(log).read_text(errors="replace").split("\n") if line.strip()]
    except OSError:
        return ""
    if any(line.startswith("Traceback ") for line in said):
        return said[-1]
    ours = next((line for line in reversed(said) if line.startswith("warpath: ")), "")
    return ours.removeprefix("warpath: ")
