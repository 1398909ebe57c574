"""Compare two sides run by run: how much longer the second takes, with an interval, and a verdict.

A verdict needs the whole 95 % interval of the ratio: above the mark the run is slower, below its inverse faster,
between the two the same, and otherwise undecided. The interval knows how repetitions and start vertices vary within the
two measurements. It does not know how a process, a day or a card differ from the next: runs whose code is the same on
both sides are the control that shows it, and the mark of a run is no lower than what control runs of like time show.
"""

import collections

import numpy as np
import pandas as pd

from warpath.base.errors import UserError
from warpath.results import select, statistics
from warpath.results.comparisons import code
from warpath.results.comparisons.verdicts import BROKEN, MARK, REPAIRED, VERDICTS, verdict
from warpath.results.statistics import SINGLE_MARGIN

LIKE = 40  # control runs nearest in time, whose ratios say how much is noise
PAIRED, BY_INTERVALS, SINGLE = "same sources", "intervals alone", "single sample"
MEDIANS, STATUS, ONE = "medians alone", "status", "one measurement"
UNSOUND_BOTH = "without a right answer on both sides"
ESTIMATE = ["ratio", "low", "high"]
OF_SIDE = {"ms": "median_ms", "status": "status", "flags": "flags", "commit": "commit", "card": "device_uuid"}
COLUMNS = [
    *["against", "graph", "algorithm", "launch", "device", "verdict", *ESTIMATE, "mark", "a_ms", "b_ms", "basis"],
    *["code", "control", "a_status", "b_status", "a_flags", "b_flags", "a_commit", "b_commit", "a_card", "b_card"],
    "arcs",
]


def compared(before, after, mark=MARK):
    """The table of all runs that both sides have, what matters first, and why other runs are not compared."""
    rows = (side.summary.to_dict("records") for side in (before, after))
    first, second = ({tuple(row[field] for field in select.RUN): row for row in of_side} for of_side in rows)
    shared = [run for run in first if run in second]
    sides = (before, first), (after, second)
    reasons = collections.Counter({f"only in {side.name}": len(runs) - len(shared) for side, runs in sides})
    samples = [{run: select.samples(side.timings, runs[run]) for run in shared} for side, runs in sides]
    rows = []
    for run in shared:
        pair = first[run], second[run]
        if reason := incomparable(*pair):
            reasons[reason] += 1
            continue
        *estimate, basis = ratio(*pair, *(side[run] for side in samples))
        same = code.SAME if basis == ONE else code.same(run, before, after, *pair)
        again = same == code.SAME and basis != ONE and len({str(row["device_name"]) for row in pair}) == 1
        row = {"against": after.name, "basis": basis, "code": same, "control": again and estimate[0] is not None}
        row |= {field: pair[1][field] for field in (*select.RUN, "device", "arcs")}
        row |= dict(zip(ESTIMATE, estimate, strict=True))
        for side, run_of in zip("ab", pair, strict=True):
            row |= {f"{side}_{name}": run_of[field] for name, field in OF_SIDE.items()}
        rows.append(row)
    if not rows:
        why = in_words(+reasons) or "both are empty"
        raise UserError(f"{before.name} and {after.name} have no run in common: {why}")
    table = pd.DataFrame(rows, columns=COLUMNS)
    table["mark"] = np.maximum(mark, noise(table))
    table["verdict"] = [_verdict(row) for row in table.to_dict("records")]
    return ranked(table), +reasons


def noise(table):
    """The factor within which, for each run, 95 % of the ratios of control runs of like time lie; 1 without any."""
    control = table[table["control"]].sort_values("a_ms")
    if control.empty:
        return np.ones(len(table))
    sizes = np.log(control["ratio"].astype(float)).abs().to_numpy()
    nearest = np.searchsorted(control["a_ms"], table["a_ms"]) - LIKE // 2
    firsts = np.clip(nearest, 0, max(0, len(sizes) - LIKE))
    return np.exp([statistics.prediction_limit(sizes[first : first + LIKE]) for first in firsts])


def _verdict(row):
    if row["basis"] == STATUS:
        return BROKEN if row["a_status"] == select.SOUND and row["a_ms"] > 0 else REPAIRED
    return verdict(row["low"], row["high"], row["mark"])


def in_words(reasons):
    return "; ".join(f"{count} {reason}" for reason, count in reasons.items())


def ranked(table):
    """What matters first: by verdict, and within it by the change that is certain."""
    ends = table[ESTIMATE].astype(float)
    certain = ends["low"].where(ends["low"] > 1 / ends["high"], 1 / ends["high"])
    size = certain.fillna(ends["ratio"].where(ends["ratio"] > 1, 1 / ends["ratio"]))
    order = table["verdict"].map(list(VERDICTS).index)
    ranks = pd.DataFrame({"verdict": order, "size": -size}).sort_values(["verdict", "size"], kind="stable")
    return table.loc[ranks.index].reset_index(drop=True)


def incomparable(first, second):
    """Why two runs of the same name cannot be compared; None if they can."""
    if "host" in (first["device"], second["device"]) and first["device"] != second["device"]:
        return "emulated on one side"
    for size in ("vertices", "arcs"):
        if pd.notna(first[size]) and pd.notna(second[size]) and first[size] != second[size]:
            return "on another graph of the same name"
    return None if _sound(first) or _sound(second) else UNSOUND_BOTH


def _sound(row):
    return row["status"] == select.SOUND and pd.notna(row["median_ms"]) and row["median_ms"] > 0


def ratio(first, second, before, after):
    """The ratio with its interval, and what it rests on."""
    if not (_sound(first) and _sound(second)):
        return None, None, None, STATUS
    fields = ["median_ms", "started" if pd.notna([first["started"], second["started"]]).all() else "max_ms"]
    if all(first[field] == second[field] for field in fields):  # what is published later often keeps earlier runs
        return 1.0, 1.0, 1.0, ONE
    intervals = [[row[end] for end in select.INTERVAL] for row in (second, first)]
    if before.keys() & after.keys():
        estimate, basis = statistics.paired_ratio_interval(after, before), PAIRED
    elif pd.notna(intervals).all():
        estimate, basis = statistics.quotient_interval(*intervals), BY_INTERVALS
    else:
        return second["median_ms"] / first["median_ms"], None, None, MEDIANS
    if 1 in (first["samples"], second["samples"]):
        return estimate[0], estimate[1] / SINGLE_MARGIN, estimate[2] * SINGLE_MARGIN, SINGLE
    return *estimate, basis
