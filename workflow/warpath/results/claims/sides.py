"""The numbers behind a claim: on each graph, how many times faster one side of a comparison is than the other.

A side is one algorithm or several. Each algorithm counts with its fastest launch that answered correctly; where all of
its supported launches timed out, with half of the time limit, which a solve took at least (`select.least_ms`). The best
or the worst of several is known once each of them finished or timed out: the best of those that finished might not be
the best of all. A graph on which a side is not known is not measured.
"""

import math
from functools import partial
from typing import Any, NamedTuple

import pandas as pd

from warpath.results import select, statistics, style
from warpath.results.evidence import missing_reason
from warpath.results.statistics import SINGLE_MARGIN
from warpath.runs.statuses import WORDS

SINGLE = "single sample"


class Side(NamedTuple):
    """Algorithms with fixed values of launch axes, how to choose among their runs, and the statuses that count."""

    algorithms: tuple
    axes: dict
    choose: Any
    statuses: tuple = (select.SOUND,)


class Estimate(NamedTuple):
    """A number with its interval, for a graph or another subject.

    `bound` is "at least" or "at most" where half a time limit stands for a time; `weaknesses` are those of the runs;
    `stand_in` tells an estimate that a generated graph in the place of a real one has a part in.
    """

    subject: str
    value: float
    low: float
    high: float
    devices: tuple = ()
    wording: Any = style.factor
    weaknesses: tuple = ()
    bound: str = ""
    stand_in: bool = False

    def __str__(self):
        return f"{self.number} on {self.subject}"

    def scaled(self, factor):
        """The same estimate, `factor` times as large."""
        return self._replace(value=self.value * factor, low=self.low * factor, high=self.high * factor)

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
    return Side(algorithms, axes, lambda rows: slowest(rows) if all(rows) else None)


def slowest(rows):
    """The slowest of these runs; its time is a bound if one of them timed out, which may have taken longer."""
    chosen = max(rows, key=_median)
    return chosen | {"status": "timeout"} if any(row["status"] == "timeout" for row in rows) else chosen


def first(*algorithms):
    """The first of these algorithms that finished or timed out."""
    return Side(algorithms, {}, lambda rows: next(filter(None, rows), None))


def timed(*algorithms, **axes):
    """The fastest of these algorithms, right or wrong: the time of wrong answers is a time all the same."""
    return best(*algorithms, **axes)._replace(statuses=select.TIMED)


def compared(evidence, sides, graphs, estimate):
    """What `estimate` makes of the sides' runs on each graph; it gets None for a run that is not known."""
    estimates, unknown = [], []
    for graph in graphs.names:
        found = estimate(*(run(evidence, side, graph) for side in sides))
        (estimates if found else unknown).append(found or graph)
    algorithms = dict.fromkeys(name for side in sides for name in side.algorithms)
    missing = missing_reason(evidence, list(algorithms), graphs.description)
    return Comparison(estimates, missing, unmeasured(evidence, sides, unknown))


def times(evidence, side, graphs):
    """The time of a side on each graph, in milliseconds."""
    return compared(evidence, [side], graphs, _time)


def ratios(evidence, slow, fast, graphs):
    """Compare two sides: on each graph, how many times faster `fast` is than `slow`."""
    return compared(evidence, [slow, fast], graphs, partial(ratio, evidence))


def _time(row):
    if not row or row["status"] not in select.TIMED:
        return None
    low, high, weak = row["low_ms"], row["high_ms"], weaknesses(row)
    if SINGLE in weak:
        low, high = low / SINGLE_MARGIN, high * SINGLE_MARGIN
    looks = {"wording": style.duration, "weaknesses": weak, "stand_in": select.is_stand_in(row)}
    return Estimate(select.label(row), row["median_ms"], low, high, (row["device"],), **looks)


def merged(**comparisons):
    """Merge comparisons into one; each subject names its part."""
    pairs = comparisons.items()
    estimates = [
        estimate._replace(subject=f"{estimate.subject} ({part})")
        for part, comparison in pairs
        for estimate in comparison.estimates
    ]
    reasons = {
        f"{graph} ({part})": reason for part, comparison in pairs for graph, reason in comparison.unmeasured.items()
    }
    return Comparison(estimates, next(iter(comparisons.values())).missing, reasons)


def on_average(comparison):
    """The mean of all estimates, for a claim about an average: one of real graphs, and one of stand-ins."""
    real = [estimate for estimate in comparison.estimates if not estimate.stand_in]
    others = [estimate for estimate in comparison.estimates if estimate.stand_in]
    return comparison._replace(estimates=[_mean(group) for group in (real, others) if group])


def _mean(estimates):
    if len(estimates) == 1:
        return estimates[0]
    ends = {end: sum(getattr(each, end) for each in estimates) / len(estimates) for end in ("value", "low", "high")}
    flags = dict.fromkeys(flag for each in estimates for flag in each.weaknesses if flag != SINGLE)
    bounds = {each.bound for each in estimates} - {""}
    return estimates[0]._replace(
        subject=f"the average of {len(estimates)} {'stand-ins' if estimates[0].stand_in else 'graphs'}",
        **ends,
        devices=tuple(device for each in estimates for device in each.devices),
        weaknesses=tuple(flags),
        bound=bounds.pop() if len(bounds) == 1 else "roughly" if bounds else "",
    )


def run(evidence, side, graph):
    """The row of the summary that counts for a side on a graph or its stand-in; None where it is not known."""
    tables = (_planned(evidence, side, algorithm, graph) for algorithm in side.algorithms)
    return side.choose([_outcome(rows, side.statuses) for rows in tables])


def ratio(evidence, slow, fast, subject=None):
    """How many times faster the run `fast` is than `slow`; None where one is not known or both timed out."""
    if slow is None or fast is None or slow["status"] == fast["status"] == "timeout":
        return None
    bound = {slow["status"]: "at least", fast["status"]: "at most"}.get("timeout", "")
    value, low, high = (_bounding_ratio if bound else _measured_ratio)(evidence.timings, slow, fast)
    weak, devices = weaknesses(slow, fast), (slow["device"], fast["device"])
    if SINGLE in weak:
        low, high = low / SINGLE_MARGIN, high * SINGLE_MARGIN
    stand_in = select.is_stand_in(slow) or select.is_stand_in(fast)
    subject = subject or select.label(fast)
    return Estimate(subject, value, low, high, devices, weaknesses=weak, bound=bound, stand_in=stand_in)


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
    if not all(any(tables) for tables in planned):
        return ""
    runs = [run(evidence, side, graph) for side in sides]
    unknown = [
        f"{algorithm}: {_endings(rows)}"
        for side, side_run, tables in zip(sides, runs, planned, strict=True)
        for algorithm, rows in zip(side.algorithms, tables, strict=True)
        if side_run is None and _outcome(rows, side.statuses) is None
    ]
    timed_out = any(side_run and side_run["status"] == "timeout" for side_run in runs)
    return "; ".join(dict.fromkeys(unknown)) or ("timed out" if timed_out else "")


def _endings(rows):
    found = dict.fromkeys(row["status"] for row in rows)
    return ", ".join(WORDS[status] for status in found) or "not in this study"


def _planned(evidence, side, algorithm, graph):
    rows = evidence.runs.get((algorithm, graph), [])
    return [row for row in rows if all(pd.notna(row[axis]) and row[axis] == side.axes[axis] for axis in side.axes)]


def _outcome(rows, statuses):
    """The fastest run that counts; where all supported ones timed out, one of these with the limit as time; or None."""
    counting = [row for row in rows if row["status"] in statuses and pd.notna(row["median_ms"])]
    if counting:
        return min(counting, key=_median)
    rows = [row for row in rows if row["status"] != "unsupported"]
    bounds = [select.least_ms(row) for row in rows if pd.notna(row["vertices"])]  # else the limit ended preparations
    return rows[0] | {"median_ms": min(bounds)} if rows and len(bounds) == len(rows) and all(bounds) else None


def _median(row):
    return row["median_ms"]


def _bounding_ratio(_, slow, fast):
    """The ratio with half a time limit in place of one time, and the range in which the true ratio lies."""
    value = _median(slow) / _median(fast)
    if slow["status"] == "timeout":
        return value, _median(slow) / fast["high_ms"], math.inf
    return value, 0.0, slow["high_ms"] / _median(fast)


def _measured_ratio(timings, slow, fast):
    """The ratio of medians, paired by source only where both ran on the same graph."""
    if slow["graph"] == fast["graph"]:
        return select.ratio(timings, slow, fast)
    samples = [
        [{(side, source): times for source, times in process.items()} for process in select.processes(timings, row)]
        for side, row in enumerate((slow, fast))
    ]
    return statistics.ratio_interval(*samples)


def resampled(timings, rng, *runs):
    """Bootstrap resamples of the time of a run, or of the ratio of two."""
    sides = [select.processes(timings, row) for row in runs]
    if len(sides) > 1:
        return statistics.drawn_ratios(*sides, rng)
    return statistics.drawn_medians([list(process.values()) for process in sides[0]], rng)


def quotient(above, below, subject):
    """How many times as large one estimate is as the other; the interval is the widest that theirs allow."""
    return above._replace(
        subject=subject,
        value=above.value / below.value,
        low=above.low / below.high,
        high=above.high / below.low,
        weaknesses=tuple(dict.fromkeys(above.weaknesses + below.weaknesses)),
        stand_in=above.stand_in or below.stand_in,
    )
