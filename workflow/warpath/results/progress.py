"""How far a study is: what is done, what runs, what failed, and how long the rest takes, from files alone.

Nothing of the workflow takes part, so it can be asked at any time, also on a cluster's login node.
"""

import collections
import statistics
import time
from pathlib import Path
from typing import NamedTuple

from warpath.base import folder
from warpath.base.text import counted
from warpath.results import failures
from warpath.runs import overhead, statuses

FEW = 12  # graphs, failures and running jobs that are listed


class Progress(NamedTuple):
    """Runs by what became of them; seconds that the rest may take, None while nothing tells."""

    since: float | None  # when the workflow began that runs now
    done: dict  # what the records say
    running: dict  # since when
    failed: dict
    waiting: list
    rest_s: float | None


def measure(study):
    since = folder.running_since()
    done, running, failed, waiting = {}, {}, {}, []
    for run in study.runs:
        record = overhead.ended(run.record)
        if record and record["status"] != statuses.FAILED:
            done[run] = record
        elif (failure := failures.of_run(run)) and failure.why != failures.NOT_RUN and not _is_due(run, failure, since):
            failed[run] = failure
        elif since and (begun := _modified(failures.log(run))) and begun >= since:
            running[run] = begun
        else:
            waiting.append(run)
    return Progress(since, done, running, failed, waiting, _rest(since, done, [*running, *waiting]))


def _is_due(run, failure, since):
    """Whether the run itself failed before the workflow began, which does it again."""
    return bool(since) and failure.what == failures.name(run) and (_modified(run.record) or since) < since


def _modified(path):
    try:
        return Path(path).stat().st_mtime
    except OSError:
        return None


def _rest(since, done, left):
    """Expect of a run what others of its algorithm took, and of the workflow its pace: seconds for each of a run.

    A record that an earlier workflow has kept tells nothing of the pace.
    """
    if not done or not left:
        return None if left else 0.0
    times, new = {}, []
    for run, record in done.items():
        seconds = (record["costs"].get("total_s") or 0) - (record["costs"].get("lease_s") or 0)
        for key in (run.id, None):
            times.setdefault(key, []).append(seconds)
        if since and record["finished"] >= since:
            new.append((record["finished"] - seconds, seconds))
    expected = sum(statistics.median(times.get(run.id) or times[None]) for run in left)
    spent = sum(seconds for _, seconds in new)
    return expected * ((time.time() - min(new)[0]) / spent if spent > 0 else 1)


def lines(study, progress):
    counts = sorted(collections.Counter(record["status"] for record in progress.done.values()).items())
    listed = f" ({', '.join(f'{count} {status}' for status, count in counts)})" if counts else ""
    failed = f", {len(progress.failed)} failed or held up by a failure" if progress.failed else ""
    yield f"{study.name} on {study.device}: {len(progress.done)} of {len(study.runs)} runs done{listed}{failed}"
    now, left = time.time(), len(progress.running) + len(progress.waiting)
    to_go = f"{counted(left, 'run')} to go"
    if progress.since:
        rest = "" if progress.rest_s is None else f", about {_duration(progress.rest_s)} at this pace"
        ahead = f"{to_go}{rest}" if left else "all runs are made, results follow"
        yield f"a workflow has been running for {_duration(now - progress.since)}; {ahead}"
    else:
        yield "no workflow is running here" + f"; {to_go}" * bool(left)
    for run, begun in list(progress.running.items())[:FEW]:
        yield f"running  {failures.name(run)}, for {_duration(now - begun)}"
    for what, why, log in list(dict.fromkeys(progress.failed.values()))[:FEW]:
        yield f"failed   {what}: {why}" + (f"  ({log})" if log else "")
    planned = collections.Counter(run.graph for run in study.runs)
    done = collections.Counter(run.graph for run in progress.done)
    for graph in [graph for graph in study.graphs if done[graph] < planned[graph]][:FEW]:
        yield f"graph    {graph}: {done[graph]} of {planned[graph]} runs"


def _duration(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"
