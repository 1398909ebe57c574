"""One run from outside: a child process measures; this one watches the clock and writes the record."""

import contextlib
import datetime
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

from warpath.base import folder, outcome, parquet, places
from warpath.base.errors import UserError
from warpath.base.files import sha256, write_json
from warpath.graphs import csr
from warpath.runs import child, commit, key, records, statuses

FORMAT = 1

CLOCK_DIFFERS_S = 1  # by which clocks of two processes may differ, as each may have to wait for a core


def run(spec, path):
    """Return the record of what `spec` (a runs.measure.Spec) defines, kept or new, and put it at `path`."""
    spec = replace(spec, key=_key(spec))
    if spec.key and (record := records.find(spec.key, spec)):
        record |= {"command": spec.command, "again": spec.again}
        write_json(path, record)
        again = f"warpath forget {spec.graph} {spec.described.id}"
        say(f"kept: {records.kept(spec.key)}; `{again}` has it measured again")
        return record
    begin = time.perf_counter()
    git = commit.ask()  # answers while the child measures
    record = measured(spec)
    record["environment"]["commit"] = commit.answer(git)
    record["costs"]["total_s"] = time.perf_counter() - begin + spec.started_s
    records.keep(path, record)
    return record


def measured(spec, watch=child.watch):
    """Return the record of a new measurement."""
    record = _new_record(spec)  # hashes the code before it is compiled: later edits are not part of this run
    if failed := _failed_step(spec):
        return record | {"error": failed}
    with contextlib.ExitStack() as locks:
        messages, exit_code = watch(spec, locks)
        record["finished"] = _text(time.time())
    _add(messages, record)
    record |= _ending(exit_code, messages, record["error"], spec.time_limit)
    if record["status"] == statuses.SOUND and (doubt := _doubt_of_clock(messages)):
        record |= {"status": statuses.SUSPECT, "error": doubt}
    return record


def say(line):
    """Print a line. A full disk costs the line alone: if this job failed, Snakemake would delete its record."""
    try:
        print(line, flush=True)
    except OSError:
        sys.stdout = None  # otherwise Python writes again at exit, and fails


def _key(spec):
    """The key of the run; empty where the graph or its right answers cannot be read, which the run itself reports."""
    with contextlib.suppress(UserError, OSError, ValueError, KeyError, TypeError):
        planned = spec.key if spec.key and not _is_edited(spec) else key.planned(spec, spec.warmup, spec.kernels)
        sources = parquet.metadata(spec.oracle)["sources"]
        return key.whole(planned, csr.metadata(spec.graph_folder)["digest"], sources)
    return ""


def _is_edited(spec):
    """Whether the algorithm's code may have been edited since the workflow was planned."""
    planned = folder.running_since()
    return planned is None or any(Path(file).stat().st_mtime >= planned for file in spec.code_files)


def _failed_step(spec):
    """The error of a step that the run needs; None if all that are known of succeeded."""
    steps = {
        f"graph {spec.graph}": places.outcome(places.prepared(spec.graph)),
        f"{spec.problem} answers for {spec.graph}": places.outcome(places.oracle(spec.graph, spec.problem)),
    }
    return next((f"{step}: {error}" for step, path in steps.items() if (error := outcome.error(path))), None)


def _new_record(spec):
    return {
        "format": FORMAT,
        "graph": spec.graph,
        "problem": spec.problem,
        "algorithm": spec.algorithm,
        "launch": spec.launch,
        "device": spec.device,
        "placement": spec.placement,
        "process": spec.process,
        "status": "failed",
        "error": None,
        "key": spec.key,
        "again": spec.again,
        "time_limit_s": spec.time_limit,
        "budget_s": spec.budget,
        "samples": [],
        "costs": {"start_s": spec.started_s},
        "environment": {},
        "kernel_sources": {str(path): sha256(path) for path in spec.code_files},
        "command": spec.command,
        "flags": ["arcs_on_host"] if spec.placement == "host" else [],
        "started": _text(time.time()),
    }


def _add(messages, record):
    """Add the child's messages to the record."""
    for message in messages:
        fields = {name: value for name, value in message.items() if name not in ("kind", "received", "at")}
        match message["kind"]:
            case "sample":
                record["samples"].append(fields)
            case "flag":
                record["flags"].append(fields["flag"])
            case "costs" | "environment" as section:
                record[section].update(fields)
            case "again":  # with more memory
                record["samples"].clear()
            case "leased":
                record["leased"] = _text(message["received"])
            case _:
                record.update(fields)


def _ending(exit_code, messages, error, time_limit):
    """Return the status and error of a child that was killed or crashed; {} for one that reported its own."""
    if exit_code is None and any(message["kind"] == "ready" for message in messages):
        return {"status": "timeout", "error": f"not finished after {time_limit:g} s"}
    if exit_code is None:
        return {"status": "failed", "error": f"loading, compiling and preparing took longer than {time_limit:g} s"}
    if exit_code < 0:
        return {"status": "failed", "error": f"the measuring process was ended by {signal.Signals(-exit_code).name}"}
    if exit_code > 0 and error is None:
        return {"error": "the measuring process ended without an error message; see the log"}
    return {}


def _doubt_of_clock(messages):
    """Say how the clock of the process that measured differs from this one's, if it does."""
    end, theirs = next((message["at"], message["solving_s"]) for message in messages if "solving_s" in message)
    begun = [message["at"] for message in messages if message["kind"] == "ready" and message["at"] <= end]
    own = end - begun[-1]  # it may have begun anew, with more memory
    if abs(theirs - own) > CLOCK_DIFFERS_S + own / 20:
        return (
            f"solving took {theirs:.4g} s by the clock of the process that measured, and {own:.4g} s by another one's"
        )
    return None


def _text(moment):
    return datetime.datetime.fromtimestamp(moment, datetime.UTC).isoformat(timespec="milliseconds")
