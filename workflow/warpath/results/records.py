"""Read run records, checked against workflow/schemas/record.schema.yaml: a damaged one counts as missing."""

import json
import re
from pathlib import Path

from warpath.base import places, schemas

RUN = ("graph", "problem", "algorithm", "launch", "device")  # fields that say which run a record is about
_STATED_LIMIT = re.compile(r"not finished after (\d+(?:\.\d+)?(?:e[+-]?\d+)?) s")


class UnusableRecord(Exception):
    """A record that cannot be used; the message is one line."""


class MissingRecord(UnusableRecord):
    """There is no file."""


class DamagedRecord(UnusableRecord):
    """The file is not a record of this version: cut short, overwritten, or edited."""


def paths(run, folder):
    """The paths of a run's record and of the record of its failure, below `folder`."""
    return [Path(folder, Path(name).relative_to(places.RECORDS)) for name in (run.record, run.failure)]


def read(path, run=None, fields=RUN):
    """The record at `path`; raise UnusableRecord if it is missing, damaged or differs from `run` in one of `fields`."""
    record = _parse(path)
    if problem := schemas.problem_of(record, "record"):
        raise DamagedRecord(f"{path}: {problem}")
    for field in fields if run else ():
        if record[field] != getattr(run, field):
            raise UnusableRecord(
                f"{path}: is about {field} {record[field]!r}, not {getattr(run, field)!r}; delete it to run again"
            )
    return upgrade(record)


def upgrade(record):
    """Bring a record of an earlier version up to date."""
    earlier_name = record.pop("standin_for", None)
    if record.get("stand_in_for") is None:
        record["stand_in_for"] = earlier_name
    if record.get("time_limit_s") is None:
        record["time_limit_s"] = time_limit(record["status"], record.get("error"))
    return record


def time_limit(status, error):
    """The time limit in seconds that the message of a timeout states, None for any other ending.

    For records and tables of earlier versions only: later ones have the field time_limit_s.
    """
    stated = _STATED_LIMIT.fullmatch(error) if status == "timeout" and isinstance(error, str) else None
    return float(stated[1]) if stated else None


def _parse(path):
    try:
        record = json.loads(Path(path).read_text(encoding="utf-8"))
        json.dumps(record, allow_nan=False, ensure_ascii=False).encode()  # no infinite number, no half of a character
        return record
    except FileNotFoundError:
        raise MissingRecord(f"{path}: not found; the run is still to be done") from None
    except OSError as error:
        raise UnusableRecord(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise DamagedRecord(f"{path}: not valid JSON, cut short or damaged ({error})") from None
