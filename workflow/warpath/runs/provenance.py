"""Which code files a run was measured with, and edits of them after which the measurement still holds.

An edited comment, or code moved into a header, changes the files but not the machine code. kernels/unchanged.tsv
declares such edits: a line states that an algorithm's files with the digest `before` and those with the digest `after`
compile to the same machine code, and the evidence. Runs that were measured before the edit are not measured again.

Nor are runs measured again for other timing settings, unless their records lack what these ask for.
"""

import collections
import contextlib
import csv
import functools
import hashlib
import json
import os
import re
import threading
from pathlib import Path
from typing import NamedTuple

from warpath.algorithms import description, discovery
from warpath.base.files import sha256

TABLE = discovery.KERNELS / "unchanged.tsv"
OPTION = re.compile(r"--([a-z-]+) (\S+)")
TIMEOUT, FEWER, KEPT = "timed out under a lower time_limit", "have fewer samples than now asked for", "kept"
NO_ENERGY = "lack the energy of a solve"
HASHES = re.compile(r"\['[0-9a-f]{64}'(, '[0-9a-f]{64}')*\]")


class Kernel(NamedTuple):
    """An algorithm's code files, and the hash of each in the order of `discovery.code_files`."""

    files: list
    hashes: list


def digest(files):
    """16 hex digits for what is in these files, in this order; their paths do not matter."""
    return _digest(map(sha256, files))


def declared(algorithm, before, after):
    """Whether the table leads from files with the hashes `before` to those with the hashes `after`."""
    return _digest(before) in _leading_to(algorithm, _digest(after))


def kernel(run, metadata):
    """What Snakemake compares to decide whether to measure a run again.

    `metadata()` is what Snakemake recorded when it was measured, or None. The answer is the recorded files as long as
    the table leads from them to those of today; else it is those of today.
    """
    files = run.kernel_files
    current = Kernel(files, [_content(file) for file in files])
    earlier = _leading_to(run.id, _digest(current.hashes))
    if not earlier:
        return current
    recorded = _recorded(metadata())
    usable = _digest(recorded.hashes) in earlier and all(map(os.path.exists, recorded.files))
    return recorded if usable else current


_running = threading.Event()  # set once jobs are run
_timed = {}  # what becomes of runs with other timing settings, by record


def timing(path, asked, metadata):
    """The timing options that the run with its record at `path` is measured with.

    While Snakemake plans, and compares them with those that it recorded, they are the recorded ones if the record has
    all that is asked for.
    """
    if _running.is_set():
        return asked
    recorded = _recorded_timing(metadata())
    if recorded in (None, asked):
        return asked
    outcome = _compared(_options(recorded), _options(asked), _record(path))
    _timed[path] = outcome
    return recorded if outcome == KEPT else asked


def end_planning(jobs, persistence):
    """From now on jobs are run: with the settings of today, whatever they were planned with.

    Snakemake has cached the params of both the jobs and its metadata.
    """
    _running.set()
    for job in jobs:
        job._params = None
    persistence._params.cache_clear()


def timing_lines():
    """What becomes of runs that were measured with other timing settings, as lines for the user."""
    counts = collections.Counter(_timed.values())
    repeated = ", ".join(f"{counts[reason]} that {reason}" for reason in (TIMEOUT, FEWER, NO_ENERGY) if counts[reason])
    kept = f"{counts[KEPT]} records of runs with other timing settings are kept" if counts[KEPT] else ""
    listed = "; ".join(filter(None, [repeated and f"runs to be repeated: {repeated}", kept]))
    return [f"warpath: {listed}"] if listed else []


def _compared(recorded, asked, record):
    """What becomes of a run: kept, repeated for a reason, or repeated without one that needs to be said."""
    if not record or recorded.get("warmup") != asked["warmup"]:
        return None
    if record["status"] == "timeout":
        limit = record.get("time_limit_s") or recorded["time-limit"]
        return TIMEOUT if asked["time-limit"] > limit else KEPT
    if record["status"] not in ("ok", "wrong"):
        return KEPT  # no setting gives it samples
    if asked.get("energy") and record.get("device") in description.ON_GPU and not record.get("energy"):
        return NO_ENERGY
    return KEPT if _has_samples(recorded, asked, record) else FEWER


def _has_samples(recorded, asked, record):
    """Whether the record has every repetition, or the budget would have ended it as early as it ended."""
    sources = max(1, (record.get("checked") or {}).get("sources") or 0)
    if len(record["samples"]) >= asked["repetitions"] * sources:
        return True
    shortened = "shortened" in record["flags"] and asked["budget"] <= recorded["budget"]
    return shortened or sum(sample["wall_ms"] for sample in record["samples"]) > 1000 * asked["budget"]


def _options(text):
    return {name: float(value) for name, value in OPTION.findall(text)}


def _recorded_timing(metadata):
    """The timing options in Snakemake's metadata of a run; None without any."""
    texts = [text.strip("'") for text in (metadata and metadata.params) or []]
    return next((text for text in texts if "--repetitions " in text), None)


def _record(path):
    """The fields of a record; None if it is missing or damaged."""
    with contextlib.suppress(OSError, ValueError):
        record = json.loads(Path(path).read_text(encoding="utf-8"))
        if isinstance(record, dict) and {"status", "samples", "flags"} <= record.keys():
            return record
    return None


def _recorded(metadata):
    """The code files in Snakemake's metadata of a run, by what inputs and params look like; empty without metadata."""
    files = [path for path in (metadata and metadata.input) or [] if not path.endswith(".parquet")]
    lists = [text for text in (metadata and metadata.params) or [] if HASHES.fullmatch(text)]
    return Kernel(files, re.findall("[0-9a-f]{64}", lists[0]) if lists else [])


@functools.cache
def _leading_to(algorithm, after):
    """The digests of this algorithm's earlier files from which lines of the table lead to the digest `after`."""
    found, queue = set(), [after]
    while queue:
        known = queue.pop()
        earlier = {line["before"] for line in _table() if (line["algorithm"], line["after"]) == (algorithm, known)}
        queue.extend(earlier - found - {after})
        found |= earlier
    return found


@functools.cache
def _table():
    with open(TABLE, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def _digest(hashes):
    return hashlib.sha256("".join(hashes).encode()).hexdigest()[:16]


_content = functools.cache(sha256)
