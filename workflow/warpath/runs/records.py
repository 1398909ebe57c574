"""Run records: read, checked by the schema, and kept by their keys; those in results/runs are copies."""

import contextlib
import json
from pathlib import Path

from warpath.base import outcome, places, schemas
from warpath.base.files import write_json
from warpath.devices import ON_GPU
from warpath.runs import statuses

RUN = ("graph", "problem", "algorithm", "launch", "device")  # fields that say which run a record is about


class UnusableRecord(Exception):
    """A record that cannot be used; the message is one line."""


class MissingRecord(UnusableRecord):
    """There is no file."""


def read(path, run=None, fields=RUN):
    """The record at `path`; raise UnusableRecord if it is missing, damaged or differs from `run` in one of `fields`."""
    try:
        record = json.loads(Path(path).read_text(encoding="utf-8"))
        json.dumps(record, allow_nan=False, ensure_ascii=False).encode()  # no infinite number, no half of a character
    except FileNotFoundError:
        raise MissingRecord(f"{path}: not found; the run is still to be done") from None
    except OSError as error:
        raise UnusableRecord(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise UnusableRecord(f"{path}: not valid JSON, cut short or damaged ({error})") from None
    if problem := schemas.problem_of(record, "record"):
        raise UnusableRecord(f"{path}: {problem}")
    record.setdefault("process", 1)
    for field in (*fields, "process") if run else ():
        if record[field] != (wanted := getattr(run, field)):
            raise UnusableRecord(f"{path}: is about {field} {record[field]!r}, not {wanted!r}; delete it to run again")
    return record


def kept(key):
    return Path(places.KEPT, f"{key}.json")


def find(key, spec):
    """Return the kept record that holds all that `spec` (a runs.measure.Spec) asks for, or None."""
    from warpath.graphs import csr  # which imports NumPy

    with contextlib.suppress(UnusableRecord):
        record = read(kept(key), spec)
        is_of_graph = record.get("graph_sha256") in (None, csr.metadata(places.graph(spec.graph))["digest"])
        if record.get("key") == key and is_of_graph and not lacks(record, spec.timing):
            return record
    return None


def keep(path, record):
    """Write a new record to `path`; keep it by its key, unless the run failed."""
    if record["status"] != statuses.FAILED and record["key"]:
        write_json(kept(record["key"]), record)
    write_json(path, record)


def forget(graph, algorithm=None):
    """Remove the records of a graph, or of one algorithm on it, kept or not; return how many runs will be measured."""
    for path in sorted(Path(places.KEPT).glob("*.json")):
        with contextlib.suppress(UnusableRecord):
            record = read(path)
            if record["graph"] == graph and algorithm in (None, f"{record['problem']}/{record['algorithm']}"):
                path.unlink()
    removed = sorted(Path(places.RECORDS, graph).glob(f"{algorithm or '*/*'}/*.json"))
    for path in removed:
        path.unlink()
    return len(removed)


def failed_step(run):
    """A step before the run that failed, as (graph or answers, why, log); None if none has."""
    graph, answers = f"graph {run.graph}", places.oracle(run.graph, run.problem)
    steps = [
        *((graph, places.download(*file), places.log("download", *file)) for file in run.downloads),
        (graph, places.prepared(run.graph), places.log("prepare", run.graph)),
        (f"{run.problem} answers for {run.graph}", answers, places.log("oracle", run.graph, run.problem)),
    ]
    errors = ((what, outcome.error(places.outcome(made)), log) for what, made, log in steps)
    return next((found for found in errors if found[1]), None)


def again(run, here, timing):
    """Return the param by which a run is due again, as `base.outcome.again` does for other steps.

    A run is due if it failed, if its record cannot be read, or if the record lacks what `timing` asks for. `here`
    returns the path of a file as Snakemake has it.
    """
    path = here(run.record)
    outcome.settle(path)
    try:
        record = json.loads(Path(path).read_bytes())
        if record["status"] != statuses.FAILED and not lacks(record, timing):
            return record.get("again", outcome.FIRST)
    except FileNotFoundError:
        return outcome.FIRST
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    asked = "-".join(str(timing[name]) for name in ("repetitions", "budget", "time_limit", "energy"))
    return f"{outcome.stamp('again', path)}-{asked}"


def lacks(record, asked):
    """Say what a record lacks of what the timing settings ask for; empty if it has all of it.

    It has all of it where no setting could give it more: the budget would have ended it as early as it ended.
    """
    if record["status"] == statuses.TIMEOUT:
        return "time limit" if asked["time_limit"] > (record.get("time_limit_s") or 0) else ""
    if record["status"] not in statuses.TIMED:
        return ""
    if asked.get("energy") and record["device"] in ON_GPU and not record.get("energy"):
        return "energy"
    sources = max(1, (record.get("checked") or {}).get("sources") or 0)
    if len(record["samples"]) >= asked["repetitions"] * sources:
        return ""
    shortened = "shortened" in record["flags"] and asked["budget"] <= (record.get("budget_s") or 0)
    spent = sum(sample["wall_ms"] for sample in record["samples"])
    return "" if shortened or spent > 1000 * asked["budget"] else "repetitions"
