"""One run from outside: a child process measures; this one watches the clock and writes the record."""

import contextlib
import datetime
import os
import signal
import time
from pathlib import Path

from warpath.base import places
from warpath.base.errors import UserError
from warpath.base.files import sha256, write_json
from warpath.lifetime import folder
from warpath.runs import child, commit

FORMAT = 1


def run(spec, path):
    """Measure what `spec` (a runs.measure.Spec) defines, write the record to `path` and return it."""
    if record := _unchanged(spec, path):
        return record
    started, begin = _now(), time.perf_counter()
    git = commit.ask()  # answers while the child measures
    record = _new_record(spec, started)  # hashes the code before it is compiled: later edits are not part of this run
    with contextlib.ExitStack() as locks:
        messages, exit_code = child.watch(spec, locks)
        record["finished"] = _now()
    _add(messages, record)
    record |= _ending(exit_code, messages, record["error"], spec.time_limit)
    record["environment"]["commit"] = commit.answer(git)
    record["costs"]["total_s"] = time.perf_counter() - begin + spec.started_s
    folder.repair_dates(spec.graph_folder, spec.oracle, *record["kernel_sources"])  # in case the clock was set back
    _write(path, record)
    return record


def _unchanged(spec, path):
    """Put back the record of a run that is repeated only because its graph was prepared anew, if that is the same."""
    kept = Path(places.unchanged(path))
    if not kept.exists():
        return None
    from warpath.graphs import csr
    from warpath.results import records

    with contextlib.suppress(records.UnusableRecord, UserError):
        record = records.read(kept, spec)
        if record.get("graph_sha256") and record["graph_sha256"] == csr.metadata(spec.graph_folder)["digest"]:
            now = time.time()
            os.utime(kept, (now, now))
            os.replace(kept, path)
            Path(places.previous(path)).unlink(missing_ok=True)
            print("the graph was prepared anew and is the same: the record stays")
            return record
    return None


def _new_record(spec, started):
    return {
        "format": FORMAT,
        "graph": spec.graph,
        "problem": spec.problem,
        "algorithm": spec.algorithm,
        "launch": spec.launch,
        "device": spec.device,
        "placement": spec.placement,
        "status": "failed",
        "error": None,
        "time_limit_s": spec.time_limit,
        "samples": [],
        "costs": {"start_s": spec.started_s},
        "environment": {},
        "kernel_sources": {str(path): sha256(path) for path in spec.code_files},
        "command": spec.command,
        "flags": ["arcs_on_host"] if spec.placement == "host" else [],
        "started": started,
    }


def _add(messages, record):
    """Add the child's messages to the record."""
    for message in messages:
        fields = {name: value for name, value in message.items() if name not in ("kind", "received")}
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


def _write(path, record):
    """Write the record; an unexpected failure goes to a file beside it, so that a plain rerun repeats the run.

    The last good record stays under another name until there is a new one.
    """
    path, failure, previous = Path(path), places.failure(path), Path(places.previous(path))
    if record["status"] == "failed":
        with contextlib.suppress(FileNotFoundError):
            os.replace(path, previous)
        write_json(failure, record)
    else:
        write_json(path, record)
        failure.unlink(missing_ok=True)
        previous.unlink(missing_ok=True)


def _now():
    return _text(time.time())


def _text(moment):
    return datetime.datetime.fromtimestamp(moment, datetime.UTC).isoformat(timespec="milliseconds")
