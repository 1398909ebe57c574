"""The numbers behind a claim: on each graph, how many times faster one side of a comparison is than the other.

A side is one algorithm or several. Each algorithm counts with its fastest launch that answered correctly; where all of
its supported launches timed out, with the time limit as a lower bound of its time. The best or the worst of several is
known once each of them finished or timed out: the best of those that finished might not be the best of all. A graph on
which a side is not known is not measured.
"""

import math
from typing import Any, NamedTuple

import pandas as pd

from warpath.results import select, statistics, style
from warpath.results.evidence import missing_reason

SINGLE = "single sample"
SINGLE_MARGIN = 1.1  # a single sample has no interval of its own: it may be this factor off


class Side(NamedTuple):
    """Algorithms with fixed values of launch axes, and how to choose among their runs."""

    algorithms: tuple
    axes: dict
    choose: Any


class Estimate(NamedTuple):
    """A number with its interval, for a graph or another subject.

    `bound` is "at least" or "at most" where a time limit stands for a time; `weaknesses` are those of the runs.
    """

    subject: str
    value: float
    low: float
    high: float
    devices: tuple = ()
    wording: Any = style.factor
    weaknesses: tuple = ()
    bound: str = ""

    def __str__(self):
        return f"{self.number} on {self.subject}"

    @property
    def number(self):
        return f"{self.bound} {self.wording(self.value)}".strip()


class Comparison(NamedTuple):
    """The estimates of a claim; why there are none at all; and for single graphs of the study why they have none."""

    estimates: list
    missing: str
    unmeasured: dict


def best(*algorithms, **axes):
    """The fastest of these algorithms."""
    return Side(algorithms, axes, lambda rows: min(rows, key=_median) if all(rows) else None)


def worst(*algorithms, **axes):
    """The slowest of these algorithms, each with its fastest launch."""
    return Side(algorithms, axes, lambda rows: max(rows, key=_median) if all(rows) else None)


def first(*algorithms):
    """The first of these algorithms that finished or timed out."""
    return Side(algorithms, {}, lambda rows: next(filter(None, rows), None))


def ratios(evidence, slow, fast, graphs):
    """Compare two sides: on each graph, how many times faster `fast` is than `slow`."""
    estimates, unknown = [], []
    for graph in graphs.names:
        estimate = ratio(evidence, run(evidence, slow, graph), run(evidence, fast, graph))
        (estimates if estimate else unknown).append(estimate or graph)
    missing = missing_reason(evidence, [*slow.algorithms, *fast.algorithms], graphs.description)
    return Comparison(estimates, missing, unmeasured(evidence, (slow, fast), unknown))


def run(evidence, side, graph):
    """The row of the summary that counts for a side on a graph or its stand-in; None where it is not known."""
    return side.choose([_outcome(_planned(evidence, side, algorithm, graph)) for algorithm in side.algorithms])


def ratio(evidence, slow, fast, subject=None):
    """How many times faster the run `fast` is than `slow`; None where one is not known or both timed out."""
    if slow is None or fast is None or slow["status"] == fast["status"] == "timeout":
        return None
    bound = {slow["status"]: "at least", fast["status"]: "at most"}.get("timeout", "")
    value, low, high = (_bounding_ratio if bound else _measured_ratio)(evidence.timings, slow, fast)
    weak, devices = weaknesses(slow, fast), (slow["device"], fast["device"])
    if SINGLE in weak:
        low, high = low / SINGLE_MARGIN, high * SINGLE_MARGIN
    return Estimate(subject or select.label(fast), value, low, high, devices, weaknesses=weak, bound=bound)


def weaknesses(*rows):
    """What makes these runs weak evidence: their flags, and having a single sample."""
    flags = {flag for row in rows for flag in str(row.get("flags") or "").split()}
    single = any(pd.notna(row.get("samples")) and row["samples"] == 1 for row in rows)
    return (*sorted(flags), *([SINGLE] if single else []))


def unmeasured(evidence, sides, graphs):
    """The reason why each of these graphs has no number, where the study plans all sides on it."""
    reasons = {graph: _reason(evidence, sides, graph) for graph in graphs}
    return {graph: reason for graph, reason in reasons.items() if reason}


def _reason(evidence, sides, graph):
    planned = [[_planned(evidence, side, name, graph) for name in side.algorithms] for side in sides]
    if not all(any(map(len, tables)) for tables in planned):
        return ""
    runs = [run(evidence, side, graph) for side in sides]
    unknown = [
        f"{algorithm}: {_endings(rows)}"
        for side, side_run, tables in zip(sides, runs, planned, strict=True)
        for algorithm, rows in zip(side.algorithms, tables, strict=True)
        if side_run is None and _outcome(rows) is None
    ]
    timed_out = any(side_run and side_run["status"] == "timeout" for side_run in runs)
    return "; ".join(dict.fromkeys(unknown)) or ("timed out" if timed_out else "")


def _endings(rows):
    return ", ".join(style.STATUSES[status] for status in rows["status"].unique()) or "not in this study"


def _planned(evidence, side, algorithm, graph):
    rows = select.of(evidence.summary, [algorithm], [graph])
    for axis, value in side.axes.items() if len(rows) else ():
        rows = rows[rows[axis] == value]
    return rows


def _outcome(rows):
    """The fastest sound run; where all supported ones timed out, one of these with the limit as its time; else None."""
    sound = select.sound(rows)
    if len(sound):
        return sound.loc[sound["median_ms"].idxmin()].to_dict()
    rows = rows[rows["status"] != "unsupported"].to_dict("records")
    limits = [_limit_ms(row) for row in rows]
    return rows[0] | {"median_ms": min(limits)} if rows and all(limits) else None


def _limit_ms(row):
    """The time limit that ended a run; None where none did, or the graph had not been read by then."""
    ended = row["status"] == "timeout" and pd.notna(row["time_limit_s"]) and pd.notna(row["vertices"])
    return 1000 * row["time_limit_s"] if ended else None


def _median(row):
    return row["median_ms"]


def _bounding_ratio(_, slow, fast):
    """The ratio with a time limit in place of one time, and the range in which the true ratio lies."""
    value = _median(slow) / _median(fast)
    if slow["status"] == "timeout":
        return value, _median(slow) / fast["high_ms"], math.inf
    return value, 0.0, slow["high_ms"] / _median(fast)


def _measured_ratio(timings, slow, fast):
    """The ratio of medians, paired by source only where both ran on the same graph."""
    if slow["graph"] == fast["graph"]:
        return select.ratio(timings, slow, fast)
    samples = [
        {(side, source): times for source, times in select.samples(timings, row).items()}
        for side, row in enumerate((slow, fast))
    ]
    return statistics.ratio_interval(*samples)
