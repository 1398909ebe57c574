"""Run records, read with suspicion: one that is damaged or speaks of another run counts as missing, and says why."""

import json
import math
from pathlib import Path

from warpath.runs.job import FORMAT

STATUSES = ("ok", "wrong", "timeout", "out_of_memory", "unsupported", "failed")
SAMPLE_NUMBERS = ("solve_ms", "wall_ms")


class NotBelieved(Exception):
    """Why a record file cannot be used, in one line."""


class Absent(NotBelieved):
    """There is none."""


class NoRecord(NotBelieved):
    """It is not what a run wrote: cut short, overwritten, or of another version."""


def read(path, run=None):
    """The record at `path`; NotBelieved when it is absent, damaged, incomplete or not about `run`."""
    try:
        record = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Absent("no record: this run has not been made") from None
    except OSError as error:
        raise NotBelieved(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise NoRecord(f"{path}: not valid JSON, cut short or damaged ({error})") from None
    problem = _wrong_with(record)
    if problem:
        raise NoRecord(f"{path}: {problem}")
    for field in ("graph", "problem", "algorithm", "launch", "device") if run else ():
        if record[field] != getattr(run, field):
            raise NotBelieved(
                f"{path}: is about {field} '{record[field]}', not '{getattr(run, field)}'; delete it to run again"
            )
    return record


def _wrong_with(record):
    if not isinstance(record, dict):
        return f"holds a {type(record).__name__} where a record is expected"
    if record.get("format") != FORMAT:
        return f"format is {record.get('format')!r}, this version reads {FORMAT}"
    kinds = {
        "graph": str,
        "problem": str,
        "algorithm": str,
        "launch": str,
        "device": str,
        "samples": list,
        "costs": dict,
    }
    for field, kind in kinds.items():
        if not isinstance(record.get(field), kind):
            return f"field '{field}' is {record.get(field, 'missing')!r}"
    if record.get("status") not in STATUSES:
        return f"field 'status' is {record.get('status', 'missing')!r}"
    return _wrong_with_measurement(record) if record["status"] in ("ok", "wrong") else None


def _wrong_with_measurement(record):
    """A run that finished has its graph's size and samples with times; one that did not may lack any of it."""
    for field in ("vertices", "arcs"):
        if not _number(record.get(field)):
            return f"field '{field}' is {record.get(field, 'missing')!r}"
    if not record["samples"]:
        return f"status is {record['status']} but there are no samples"
    for index, sample in enumerate(record["samples"]):
        for field in SAMPLE_NUMBERS:
            if not isinstance(sample, dict) or not _number(sample.get(field)):
                return f"sample {index} has no usable '{field}'"
        if sample["solve_ms"] <= 0:
            return f"sample {index} has solve_ms {sample['solve_ms']}"
    return None


def _number(value):
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
