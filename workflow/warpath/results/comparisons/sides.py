"""Read one side of a comparison: a results folder, a published study, a table, or `<commit>:<path>` in git."""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from warpath.base.errors import UserError
from warpath.base.text import escaped
from warpath.results import columns, frames, page, publish, select
from warpath.results.publish import KNOWN, SUMMARY, TIMINGS
from warpath.runs import records

KINDS = "a results folder, a published study, summary.csv, or <commit>:<folder>"


class Side(NamedTuple):
    """Tables of one side; its environment as (name, values with their numbers of runs); keys and hashes of its code."""

    name: str
    timings: Any
    summary: Any
    environment: list
    code: dict


def read(place):
    """The side at `place`; UserError if there is nothing that can be compared."""
    revision, _, path = str(place).partition(":")
    if Path(place).exists() or not path:
        return _of_path(str(place), Path(place))
    with tempfile.TemporaryDirectory() as folder:
        return _of_path(str(place), _checked_out(revision, path, Path(folder)))


def _of_path(name, path):
    """A table, a published study, or the results of a workflow, whose records tell the environment."""
    if not path.exists():
        raise UserError(f"{name}: not found; give {KINDS}")
    is_folder = (path / SUMMARY).exists()
    if not is_folder and path.suffix != ".csv":
        raise UserError(f"{name}: no table; give {KINDS}")
    summary = frames.read_summary(path / SUMMARY if is_folder else path)
    summary = summary.drop_duplicates(select.RUN, keep="last").reset_index(drop=True)  # joined tables may repeat runs
    summary["problem"] = summary["problem"].fillna(summary["algorithm"].str.partition("/")[0])
    side = Side(name, frames.make([], columns.TIMINGS), summary, page.environment_of_rows(summary), {})
    if not is_folder:
        return side
    if (path / TIMINGS).exists():
        side = side._replace(timings=frames.read_timings(path / TIMINGS))
    if published := publish.of_records(path):
        return side._replace(environment=published["environment"])
    found = _usable(path / "runs")
    return side._replace(environment=_environment(found), code=_code(found)) if found else side


def _usable(folder):
    """The records below a folder."""
    usable, others = [], []
    for file in sorted(folder.rglob("*.json")):
        try:
            usable.append(records.read(file))
        except records.UnusableRecord as reason:
            others.append(str(reason))
    if others:
        print(f"warpath: {escaped(others[0])}" + f" (and {len(others) - 1} more)" * (len(others) > 1), file=sys.stderr)
    return usable


def _code(found):
    """The key of each run, and the hashes of its algorithm's files; checkouts differ in their paths."""
    known = {}
    for record in found:
        if hashes := record.get("kernel_sources"):
            run = f"{record['problem']}/{record['algorithm']}", record["graph"], record["launch"]
            known[run] = record.get("key"), [*hashes.values()]
    return known


def _environment(found):
    """Every entry of the records' environments, and the median clock of the GPU at the end of a run."""
    sensors = (record["environment"].get("sensors_after") or {} for record in found)
    clocks = [reading["sm_clock_mhz"] for reading in sensors if reading.get("sm_clock_mhz")]
    median = [("sm clock after a run, median mhz", [(f"{np.median(clocks):.0f}", len(clocks))])] if clocks else []
    return page.environment(found) + median


def _checked_out(revision, path, folder):
    """The tables at `path` in a commit, written into `folder`; `path` is relative to the working folder, as in git."""
    relative, is_table = path if path.startswith("/") else f"./{path}", Path(path).suffix == ".csv"
    for name in [""] if is_table else [SUMMARY, TIMINGS, KNOWN]:
        content = git("show", f"{revision}:{relative}{name and '/' + name}")
        if content is not None:
            Path(folder, name or Path(path).name).write_bytes(content)
    found = [*folder.glob("*.csv")]
    if not found:
        raise UserError(f"{revision}:{path}: git has no tables of that name here; try git log -- {path}")
    return found[0] if is_table else folder


def git(*arguments):
    """What a git command prints, as bytes; None if it fails."""
    try:
        done = subprocess.run(["git", "--no-optional-locks", *arguments], capture_output=True, check=False)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
