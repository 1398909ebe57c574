"""Compare two sides run by run: how much longer the second takes, with an interval, and a verdict.

A verdict needs the whole 95 % interval of the ratio: above the mark the run is slower, below its inverse faster,
between the two the same, and otherwise undecided. The interval knows how repetitions and start vertices vary within the
two measurements. It does not know how a process, a day or a card differ from the next: runs whose code is the same on
both sides are the control that shows it, and the mark can be raised above that.
"""

import collections

import pandas as pd

from warpath.base.errors import UserError
from warpath.results import select, statistics
from warpath.results.comparisons import code
from warpath.results.statistics import SINGLE_MARGIN

MARK = 1.05  # less than 5 % is no difference, as in claims
SLOWER, FASTER, SAME, UNDECIDED, BROKEN, REPAIRED = "slower", "faster", "same", "undecided", "broken", "repaired"
VERDICTS = (BROKEN, SLOWER, FASTER, REPAIRED, UNDECIDED, SAME)  # in the order in which they matter
WORSE = (BROKEN, SLOWER)
STEPS = (SLOWER, FASTER)
PAIRED, BY_INTERVALS, SINGLE = "same sources", "intervals alone", "single sample"
MEDIANS, LIMIT, STATUS, ONE = "medians alone", "time limit", "status", "one measurement"
UNSOUND_BOTH = "without a right answer on both sides"
ESTIMATE = ["ratio", "low", "high"]
OF_SIDE = {"ms": "median_ms", "status": "status", "flags": "flags", "commit": "commit", "card": "device_uuid"}
COLUMNS = [
    *["against", "graph", "algorithm", "launch", "device", "verdict", *ESTIMATE, "a_ms", "b_ms", "basis"],
    *["code", "a_status", "b_status", "a_flags", "b_flags", "a_commit", "b_commit", "a_card", "b_card", "arcs"],
]


def compared(before, after, mark=MARK):
    """The table of all runs that both sides have, what matters first, and why other runs are not compared."""
    first, second = rows_of(before), rows_of(after)
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
        rows.append(_row(after.name, pair, estimate, basis, mark) | {"code": same})
    if not rows:
        why = in_words(+reasons) or "both are empty"
        raise UserError(f"{before.name} and {after.name} have no run in common: {why}")
    return ranked(pd.DataFrame(rows, columns=COLUMNS)), +reasons


def rows_of(side):
    """The rows of a side's summary by run."""
    return {tuple(row[field] for field in select.RUN): row for row in side.summary.to_dict("records")}


def _row(against, pair, estimate, basis, mark):
    decided = verdict(*estimate[1:], mark) if basis != STATUS else BROKEN if _sound(pair[0]) else REPAIRED
    row = {"against": against, "verdict": decided, "basis": basis} | dict(zip(ESTIMATE, estimate, strict=True))
    row |= {field: pair[1][field] for field in (*select.RUN, "device", "arcs")}
    sides = zip("ab", pair, strict=True)
    return row | {f"{side}_{name}": run[field] for side, run in sides for name, field in OF_SIDE.items()}


def in_words(reasons):
    """Why runs are not compared, as one phrase."""
    return "; ".join(f"{count} {reason}" for reason, count in reasons.items())


def ranked(table):
    """What matters first: by verdict, and within it by the change that is certain."""
    ends = table[ESTIMATE].astype(float)
    certain = ends["low"].where(ends["low"] > 1 / ends["high"], 1 / ends["high"])
    size = certain.fillna(ends["ratio"].where(ends["ratio"] > 1, 1 / ends["ratio"]))
    order = table["verdict"].map(VERDICTS.index)
    ranks = pd.DataFrame({"verdict": order, "size": -size}).sort_values(["verdict", "size"], kind="stable")
    return table.loc[ranks.index].reset_index(drop=True)


def counts(table):
    """The number of runs by verdict, without verdicts that no run has."""
    found = table["verdict"].value_counts()
    return {verdict: int(found[verdict]) for verdict in VERDICTS if verdict in found}


def counted(table):
    """These numbers in words."""
    return ", ".join(f"{count} {verdict}" for verdict, count in counts(table).items())


def verdict(low, high, mark=MARK):
    """What an interval of the ratio says."""
    if pd.isna(low) or pd.isna(high):
        return UNDECIDED
    if low > mark:
        return SLOWER
    if high < 1 / mark:
        return FASTER
    return SAME if low >= 1 / mark and high <= mark else UNDECIDED


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
        return _bound(first, second)
    if one_measurement(first, second):
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


def one_measurement(first, second):
    """Whether both tables have the same measurement: what is published later often keeps earlier runs."""
    fields = ["median_ms", "started" if pd.notna([first["started"], second["started"]]).all() else "max_ms"]
    return all(first[field] == second[field] for field in fields)


def _bound(first, second):
    """The ratio where one side has no right answer: a time limit bounds its time."""

    def most(row):
        return row["high_ms"] if pd.notna(row["high_ms"]) else row["median_ms"]

    bounds = [select.least_ms(row) for row in (first, second)]
    if bounds[1] and _sound(first):
        return bounds[1] / first["median_ms"], bounds[1] / most(first), float("inf"), LIMIT
    if bounds[0] and _sound(second):
        return second["median_ms"] / bounds[0], 0.0, most(second) / bounds[0], LIMIT
    return None, None, None, STATUS
