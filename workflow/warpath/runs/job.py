"""One run from outside: a child process measures; this one watches the clock and writes the record."""

import contextlib
import datetime
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

from warpath.base import folder, parquet, places
from warpath.base.errors import UserError
from warpath.base.files import sha256, write_json
from warpath.base.text import escaped
from warpath.graphs import csr
from warpath.runs import child, commit, key, records, statuses
from warpath.warm import processes

FORMAT = 1
COPIED = ("graph", "problem", "algorithm", "launch", "device", "placement", "process", "key", "again", "command")

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
    if spec.described.program and record["status"] == "unsupported":
        record["key"] = ""  # as it may be built by the next time
    with processes.shielded():  # what was measured is kept
        record["environment"]["commit"] = commit.answer(git)
        record["costs"]["total_s"] = time.perf_counter() - begin + spec.started_s
        records.keep(path, record)
    return record


def measured(spec, watch=child.watch):
    record = _new_record(spec)  # hashes the code before it is compiled: later edits are not part of this run
    if failed := records.failed_step(spec):
        return record | {"error": ": ".join(failed[:2])}
    with contextlib.ExitStack() as locks:
        messages, exit_code = watch(spec, locks)
        record["finished"] = _text(time.time())
    _add(messages, record)
    record |= _ending(exit_code, messages, record["error"], spec.time_limit)
    if record["error"]:
        record["error"] = escaped(record["error"], keep="\n\t")[:2000]
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
        begun = folder.running_since()  # when the key was planned; since then the code may have been edited
        is_edited = begun is None or any(Path(file).stat().st_mtime >= begun for file in spec.code_files)
        planned = key.planned(spec, spec.warmup, spec.kernels) if is_edited or not spec.key else spec.key
        sources = parquet.metadata(places.oracle(spec.graph, spec.problem))["sources"]
        return key.whole(planned, csr.metadata(places.graph(spec.graph))["digest"], sources)
    return ""


def _new_record(spec):
    return {
        "format": FORMAT,
        **{name: getattr(spec, name) for name in COPIED},
        "status": "failed",
        "error": None,
        "time_limit_s": spec.time_limit,
        "budget_s": spec.budget,
        "samples": [],
        "costs": {"start_s": spec.started_s},
        "environment": {},
        "kernel_sources": {str(path): sha256(path) for path in spec.code_files},
        "flags": ["arcs_on_host"] if spec.placement == "host" else [],
        "started": _text(time.time()),
    }


def _add(messages, record):
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
    if isinstance(exit_code, tuple):
        return dict(zip(("status", "error"), exit_code, strict=True))
    if exit_code is None and any(message["kind"] == "ready" for message in messages):
        return {"status": "timeout", "error": f"not finished after {time_limit:g} s"}
    if exit_code is None:
        return {"status": "failed", "error": f"loading, compiling and preparing took longer than {time_limit:g} s"}
    if exit_code < 0:
        return {"status": "failed", "error": f"the measuring process was ended by {signal.Signals(-exit_code).name}"}
    if error is None and (exit_code > 0 or not any(message["kind"] == "end" for message in messages)):
        ended = f"the measuring process was ended from within, with status {exit_code}"
        return {"error": f"{ended}, as by a call of exit; see the log"}
    return {}


def _doubt_of_clock(messages):
    """Say how the clock of the process that measured differs from this one's, if it does."""
    end, theirs = next((message["at"], message["solving_s"]) for message in messages if "solving_s" in message)
    begun = [message["at"] for message in messages if message["kind"] == "ready" and message["at"] <= end]
    own = end - begun[-1]  # it may have begun anew, with more memory
    if abs(theirs - own) > CLOCK_DIFFERS_S + own / 20:
        return f"solving took {theirs:.4g} s by the clock of the process that measured, and {own:.4g} s by another"
    return None


def _text(moment):
    return datetime.datetime.fromtimestamp(moment, datetime.UTC).isoformat(timespec="milliseconds")
