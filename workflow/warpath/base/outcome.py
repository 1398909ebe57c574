"""What became of a step: a small file, the only output of the step that Snakemake knows.

A step that fails has one too, so that it stops no step but those that need it, and these say why they failed. What a
step makes lies beside; Snakemake neither deletes it nor looks at its date.
"""

import contextlib
import os
import time
from pathlib import Path

from warpath.base import places
from warpath.base.files import read_json, write_json

FIRST = "first"  # the param of a step that has no outcome yet


def write(path, error, again=FIRST):
    """Record that a step succeeded (`error` is None) or failed; `again` is what its rule gave as a param."""
    write_json(path, {"error": error, "again": again})


def read(path):
    """Return the outcome as a dict with `error` and `again`; None where there is none."""
    outcome = read_json(path)
    return outcome if outcome.keys() >= {"error", "again"} else None


def error(path):
    return read_json(path).get("error")


def clear(made):
    """Remove the outcome of a step that failed, once what it makes was `made` by hand."""
    if error(path := places.outcome(made)):
        Path(path).unlink()


def settle(path):
    """Set a date in the future, from a clock that was wrong, to now: Snakemake refuses what is older than its input."""
    with contextlib.suppress(OSError):
        if Path(path).stat().st_mtime > time.time():
            os.utime(path)


def again(path, *made):
    """Return the param by which a step is due again: after a failure, or where a file that it `made` is missing.

    Otherwise it is the param that the step was given when it succeeded, so that Snakemake sees no change.
    """
    settle(path)
    outcome = read(path)
    if outcome and outcome["error"] is None and all(Path(file).exists() for file in made):
        return outcome["again"]
    return stamp("again", path)


def stamp(word, path):
    """Return a text that differs whenever the file has been written anew; without the file it is FIRST."""
    with contextlib.suppress(OSError):
        return f"{word}-{Path(path).stat().st_mtime_ns}"
    return FIRST
