"""Two states of the kernels, measured in turns by this checkout's judge; nothing is kept.

Each process gives one ratio, and the interval is Student's over processes: it knows how these differ.
"""

import contextlib
import itertools
import math
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from warpath.algorithms import discovery
from warpath.base import places
from warpath.base.errors import UserError
from warpath.base.problems import PROBLEMS
from warpath.base.text import reason
from warpath.results import statistics
from warpath.results.comparisons import code, ratios, verdicts
from warpath.results.comparisons.sides import git
from warpath.runs import key, turns
from warpath.runs.measure import Spec
from warpath.runs.statuses import FAILED, SOUND, SUSPECT

PROCESSES = 5  # at least
TURN = 0.5  # seconds of solves after which a turn begins no other
NEW = "new"


@contextlib.contextmanager
def kernels(base):
    """The name and the folder of kernels in a folder, or at a commit; those are removed again."""
    folder = Path(base, "kernels") if Path(base, "kernels").is_dir() else Path(base)
    if any((folder / problem).is_dir() for problem in PROBLEMS):
        yield base, folder
        return
    here = "-C", str(places.ROOT)
    commit = (git(*here, "rev-parse", "--verify", "--end-of-options", f"{base}^{{commit}}") or b"").decode().strip()
    packed = commit and git(*here, "archive", commit, "kernels")
    if not packed:
        raise UserError(f"{base}: neither a folder with kernels nor a commit of {places.ROOT} that has some")
    with tempfile.TemporaryDirectory(prefix="warpath-ab-") as folder:
        subprocess.run(["tar", "-x", "-C", folder], input=packed, check=True)
        yield commit[:12], Path(folder, "kernels")


def change(run, base, warmup):
    """What became of a run's code since it was in the folder `base`: SAME, CHANGED, NEW, or why that is unknown."""
    try:
        known = discovery.named(run.id, base).launches if Path(base, f"{run.id}.py").exists() else ()
        if run.launch not in (launch.label for launch in known):
            return NEW
        before, now = (key.planned(run, warmup, folder) for folder in (base, places.KERNELS))
        return code.SAME if before == now else code.CHANGED
    except UserError as error:
        return f"cannot be loaded by the interface of today ({reason(error)})"


def measured(run, folders, timing, width, budget):
    """The row of a run that is measured until the interval is narrower than `width` or `budget` seconds are over."""
    begin, logs, count = time.monotonic(), [], 0
    row = {"graph": run.graph, "algorithm": run.id, "launch": run.launch, "device": run.device, "basis": ratios.STATUS}
    row |= {"a_status": SOUND, "b_status": SOUND}
    for number in itertools.count(1):
        found = turns.pair([_spec(run, folder, timing) for folder in folders], is_swapped=number % 2 == 0)
        for side, records in zip("ab", found, strict=True):
            count += len(records)
            for record in records:
                row["device_name"] = record["environment"].get("device_name")
            if bad := _bad(records):
                row |= {f"{side}_status": bad["status"], "error": bad["error"]}
        first, second = map(_medians, found)
        if len(shared := np.log(second / first).dropna()):
            logs.append(shared.mean())
            row |= {"a_ms": first.median(), "b_ms": second.median()}
        if len(logs) > 1:
            student = stdtrit(len(logs) - 1, (1 + statistics.COVERAGE) / 2)
            reach = student * np.std(logs, ddof=1) / np.sqrt(len(logs))
            estimate = np.exp(np.mean(logs) + np.array([0, -reach, reach])).tolist()
            row |= {"basis": "turns"} | dict(zip(ratios.ESTIMATE, estimate, strict=True))
        seconds = time.monotonic() - begin
        is_enough = len(logs) >= PROCESSES and row["high"] / row["low"] <= width
        if is_enough or "error" in row or (number > 1 and seconds * (1 + 1 / number) > budget):
            return row | {"processes": len(logs), "turns": count, "seconds": seconds}


def _spec(run, folder, timing):
    """What measures a turn with the kernels in this folder."""
    timing = {name: timing[name] for name in ("warmup", "repetitions", "time_limit")} | {"budget": TURN}
    names = run.graph, run.problem, run.algorithm, run.launch, run.device
    return Spec(*names, kernels=str(folder), command="", started_s=0.0, placement=run.placement, **timing)


def _bad(records):
    """The first turn that did not end well; of hundreds noise makes some suspect, and as one all of them count."""
    bad = [record for record in records if record["status"] != SOUND]
    return next((record for record in bad if record["status"] != SUSPECT or len(bad) == len(records)), None)


def _medians(records):
    """The median time of each source in turns that ended well."""
    samples = [sample for record in records if record["status"] == SOUND for sample in record["samples"]]
    return pd.DataFrame(samples, columns=["source", "solve_ms"], dtype=float).groupby("source")["solve_ms"].median()


def mark(control, width):
    """The ratio beyond which a difference counts: half of what was asked for, or that of the same code to itself."""
    return math.exp(max(math.log(width) / 2, abs(math.log(control.get("ratio", width)))))


def verdict(row, mark, width):
    """The verdict on a row; what does not fit into memory may lack what the other side has left."""
    first, second = row["a_status"], row["b_status"]
    if first == SOUND and second not in (SOUND, "out_of_memory"):
        return verdicts.BROKEN
    if first != SOUND or second != SOUND:
        return verdicts.REPAIRED if second == SOUND and first != FAILED else verdicts.UNDECIDED
    found = verdicts.verdict(row.get("low"), row.get("high"), mark)
    is_narrow = "ratio" in row and row["high"] / row["low"] <= width
    return verdicts.SAME if found == verdicts.UNDECIDED and is_narrow else found
