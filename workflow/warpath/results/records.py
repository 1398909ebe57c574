"""Run records, read with suspicion: one that is damaged or speaks of another run counts as missing, and says why."""

import json
import re
from pathlib import Path

from warpath.foundation.places import RECORDS
from warpath.runs.job import FORMAT

NUMBERED_AXES = ("block", "grid", "coarsening", "tile")
FINISHED = ("ok", "wrong")
STATUSES = (*FINISHED, "timeout", "out_of_memory", "unsupported", "failed")


class NotBelieved(Exception):
    """Why a record file cannot be used, in one line."""


class Absent(NotBelieved):
    """There is none."""


class NoRecord(NotBelieved):
    """It is not what a run wrote: cut short, overwritten, or of another version."""


def places(run, folder):
    """Where the record of a run is in a folder of records, and where that of its failure."""
    return [Path(folder, Path(name).relative_to(RECORDS)) for name in (run.record, run.failure)]


def read(path, run=None, about=("graph", "problem", "algorithm", "launch", "device")):
    """The record at `path`; NotBelieved when it is absent, damaged, incomplete or not about `run`."""
    try:
        record = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Absent("no record: this run has not been made") from None
    except OSError as error:
        raise NotBelieved(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise NoRecord(f"{path}: not valid JSON, cut short or damaged ({error})") from None
    problem = _wrong_with(record)
    if problem:
        raise NoRecord(f"{path}: {problem}")
    for field in about if run else ():
        if record[field] != getattr(run, field):
            raise NotBelieved(
                f"{path}: is about {field} '{record[field]}', not '{getattr(run, field)}'; delete it to run again"
            )
    return record


def _wrong_with(record):
    """What tables, page and statistics could not work with, whatever the run's status; None if there is nothing."""
    if not isinstance(record, dict):
        return f"holds a {type(record).__name__} where a record is expected"
    if record.get("format") != FORMAT:
        return f"format is {record.get('format')!r}, this version reads {FORMAT}"
    if wrong := _wrong_field(record, FIELDS, PERHAPS | SIZES):
        return wrong
    if record["status"] not in FINISHED:
        return _wrong_sample(record, {}, TIMES | COUNTS)
    if not record["samples"]:
        return f"status is {record['status']} but there are no samples"
    return _wrong_field(record, SIZES, {}) or _wrong_sample(record, TIMES, COUNTS)


def _wrong_sample(record, needed, perhaps):
    for index, sample in enumerate(record["samples"]):
        if not isinstance(sample, dict):
            return f"sample {index} is a {type(sample).__name__}"
        if wrong := _wrong_field(sample, needed, perhaps):
            return f"sample {index}: {wrong}"
    return None


def _wrong_field(value, needed, perhaps):
    """A field that is not of its kind; of the `perhaps` fields, one that is absent or null is well too."""
    for field, fits in (needed | perhaps).items():
        absent = field in perhaps and value.get(field) is None
        if not absent and not fits(value.get(field)):
            return f"field '{field}' is {repr(value.get(field, 'missing'))[:60]}"
    return None


def _text(value):
    return isinstance(value, str) and not _LONE_SURROGATE.search(value)


def _number(value):
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300  # and so no NaN


def _integer(value):
    return isinstance(value, int) and _number(value) and abs(value) < 2**63


def _count(value):
    return _integer(value) and value >= 0


def _time(value):
    return _number(value) and value > 0


def _numbers(value):
    return isinstance(value, dict) and all(item is None or _number(item) for item in value.values())


def _parameters(value):
    """Of a launch: numbers along our axes, and words or numbers along an algorithm's own."""
    if not isinstance(value, dict):
        return False
    scalar = all(item is None or isinstance(item, bool) or _number(item) or _text(item) for item in value.values())
    return scalar and all(value.get(axis) is None or _integer(value[axis]) for axis in NUMBERED_AXES)


def _environment(value):
    """Whatever the device said of itself; its name, if any, is text."""
    named = isinstance(value, dict) and isinstance(value.get("device_name", ""), str | None)
    return named and _text(json.dumps(value, ensure_ascii=False))


def _list(value):
    return isinstance(value, list)


_LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # which no file takes

FIELDS = dict.fromkeys(["graph", "problem", "algorithm", "launch", "device"], _text)
FIELDS |= {
    "status": lambda value: value in STATUSES,
    "samples": _list,
    "costs": _numbers,
    "environment": _environment,
    "flags": lambda value: _list(value) and all(map(_text, value)),
}
SIZES = {"vertices": _count, "arcs": _count}
PERHAPS = dict.fromkeys(["paper", "standin_for", "error", "command", "started", "leased"], _text)
PERHAPS |= {"parameters": _parameters, "directed": lambda value: isinstance(value, bool), "memory_bytes": _number}
TIMES = {"solve_ms": _time, "wall_ms": _number}
COUNTS = dict.fromkeys(["source", "repetition", "kernel_launches", "iterations"], _integer)
COUNTS |= {"arcs_visited": _count, "wrong_vertices": _count, "phases": _numbers}
