"""The numbers behind a claim: on each graph, how many times as much of something one side of a comparison takes.

A side is one algorithm or several. Each algorithm counts with its fastest launch that answered correctly; where all of
its supported launches timed out, with half of the time limit, which a solve took at least (`select.least_ms`). The best
or the worst of several is known once each of them finished or timed out: the best of those that finished might not be
the best of all. A graph on which a side is not known is not measured.
"""

import math
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from warpath.results import select, statistics, style
from warpath.results.evidence import missing_reason
from warpath.results.statistics import SINGLE_MARGIN
from warpath.runs.statuses import WORDS

SINGLE = "single sample"
_median = itemgetter("median_ms")
POINTS = 4  # graphs that a trend is computed over, at least

# What is compared: a column of samples, which are resampled, or of the summary, which is taken as exact.
SAMPLED = {"time": "solve_ms", "compute": "phase_compute_ms", "filter": "phase_filter_ms"}
COUNTED = {"rounds": "iterations", "memory": "memory_bytes", "arcs": "arcs", "vertices": "vertices", "cold": "cold_ms"}
DERIVED = {  # from a row and a time in ms
    "time": (lambda row, ms: ms, style.duration),
    "level": (lambda row, ms: 1000 * ms / row["iterations"], "{:.2f} µs".format),
    "share": (lambda row, ms: row["percent_of_limit"] * row["median_ms"] / ms, "{:.0f} %".format),
}
PROPERTIES = {"vertices": (0, 1), "arcs": (1, 0), "degree": (1, -1), "density": (1, -2)}  # powers of arcs and vertices


class Side(NamedTuple):
    """Algorithms, fixed and excluded values of launch axes, how to choose among their runs, and what is compared.

    With `every`, the runs of so many launches have to be known; with `slowest`, the slowest of them counts.
    """

    algorithms: tuple
    axes: dict
    take: str = "best"
    without: dict = {}  # noqa: RUF012 (never changed)
    every: int = 0
    slowest: bool = False
    quantity: str = "time"


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

    @property
    def number(self):
        return f"{self.bound} {self.wording(self.value)}".strip()


class Comparison(NamedTuple):
    """The estimates of a claim; why there are none at all; and for single graphs of the study why they have none."""

    estimates: list
    missing: str
    unmeasured: dict


def slowest(rows):
    """The slowest of these runs; its time is a bound if one of them timed out, which may have taken longer."""
    chosen = max(rows, key=_median)
    return chosen | {"status": "timeout"} if any(row["status"] == "timeout" for row in rows) else chosen


def compared(evidence, sides, graphs, estimate):
    """What `estimate` makes of the sides' runs on each graph; it gets None for a run that is not known."""
    found = {graph: estimate(*(run(evidence, side, graph) for side in sides)) for graph in graphs.names}
    unknown = [graph for graph in found if not found[graph]]
    missing = missing_reason(evidence, _algorithms(sides), graphs.description)
    return Comparison(list(filter(None, found.values())), missing, unmeasured(evidence, sides, unknown))


def ratios(evidence, slow, fast, graphs):
    """Compare two sides: on each graph, how many times faster `fast` is than `slow`."""
    return compared(evidence, [slow, fast], graphs, partial(ratio, evidence))


def numbers(evidence, side, graphs):
    """The time of a side on each graph, or what is derived from it."""

    def number(row):
        if not row or row["status"] not in select.TIMED:
            return None
        derive, wording = DERIVED[row["quantity"]]
        margin = SINGLE_MARGIN if SINGLE in weaknesses(row) else 1
        value, *ends = (derive(row, row[time]) for time in select.INTERVAL)
        found = _estimate(evidence, "", (value, min(ends) / margin, max(ends) * margin), row)
        return None if pd.isna(value) else found._replace(wording=wording)

    return compared(evidence, [side], graphs, number)


def _estimate(evidence, subject, numbers, *rows):
    """The estimate from these runs; without a subject, of the last one's graph."""
    # Of a graph that the paper drew another draw is as good.
    stand_in = any(select.subject(row) not in {row["graph"], *evidence.drawn} for row in rows)
    label = select.label(rows[-1])
    label = label if stand_in else label.replace("(stand-in)", "(drawn anew)")
    devices = tuple(row["device"] for row in rows)
    return Estimate(subject or label, *numbers, devices, weaknesses=weaknesses(*rows), stand_in=stand_in)


def across(evidence, sides, pairs):
    """On the first graph of each pair over on the second: the time of a side, or the ratio of two."""
    estimates, reasons = [], {}
    for subject, pair in pairs.items():
        found = [[run(evidence, side, graph) for side in sides] for graph in pair]
        if len(sides) == 1:
            estimate = ratio(evidence, *(of_one for (of_one,) in found), subject)
        else:
            parts = [ratio(evidence, *runs) for runs in found]
            estimate = quotient(*parts, subject) if all(part and not part.bound for part in parts) else None
        if estimate:
            estimates.append(estimate._replace(subject=subject + " (stand-in)" * estimate.stand_in))
        elif why := set(unmeasured(evidence, sides, pair).values()):
            reasons[subject] = "; ".join(sorted(why))
    return Comparison(estimates, missing_reason(evidence, _algorithms(sides), "the graphs of a pair"), reasons)


def trend(evidence, sides, graphs, kind, over):
    """How the time of a side, or the ratio of two, follows a property of the graphs, by all of them together.

    The kind is `rank`, the rank correlation, or `line`, the R² of a line, which is negative where it falls.
    """
    runs = {graph: [run(evidence, side, graph) for side in sides] for graph in graphs.names}
    known = [of for of in runs.values() if all(row and row["status"] == select.SOUND for row in of)]
    unknown = unmeasured(evidence, sides, [graph for graph, of in runs.items() if of not in known])
    missing = missing_reason(evidence, _algorithms(sides), f"{POINTS} graphs or more")
    if len(known) < POINTS:
        return Comparison([], missing, unknown)
    rng, (of_arcs, of_vertices) = np.random.default_rng(statistics.SEED), PROPERTIES[over]
    places = pd.DataFrame([float(of[-1]["arcs"]) ** of_arcs * float(of[-1]["vertices"]) ** of_vertices for of in known])
    values = pd.DataFrame([of[0]["median_ms"] / (of[1]["median_ms"] if len(of) > 1 else 1) for of in known])
    drawn = pd.DataFrame([_drawn(evidence.timings, rng, of) for of in known])
    if kind == "rank":
        places, values, drawn = places.rank(), values.rank(), drawn.rank()
    found = [np.corrcoef(table.T, places.T)[-1, :-1] for table in (values, drawn)]
    (value,), drawn = found if kind == "rank" else [each * abs(each) for each in found]
    ends = statistics.interval(drawn)
    found = _estimate(evidence, f"{len(known)} graphs", (value, *ends), *(row for of in known for row in of))
    subject = found.subject + ", stand-ins included" * found.stand_in
    return Comparison([found._replace(subject=subject, wording="{:.2f}".format)], missing, unknown)


def _drawn(timings, rng, runs):
    """Bootstrap resamples of the time of a run, or of the ratio of two; a single sample may be off by its margin."""
    sides = [select.processes(timings, row) for row in runs]
    if len(sides) > 1:
        drawn = statistics.drawn_ratios(*sides, rng)
    else:
        (drawn,) = statistics.resampled_medians([list(process.values()) for process in sides[0]], rng=rng)
    return drawn * SINGLE_MARGIN ** rng.uniform(-1, 1, len(drawn)) if SINGLE in weaknesses(*runs) else drawn


def merged(comparisons):
    """Merge comparisons into one; each subject names its part."""
    estimates, reasons = [], {}
    for part, (found, _, unknown) in comparisons.items():
        estimates += [each._replace(subject=f"{each.subject} ({part})") for each in found]
        reasons |= {f"{graph} ({part})": reason for graph, reason in unknown.items()}
    return Comparison(estimates, next(iter(comparisons.values())).missing, reasons)


def on_average(comparison):
    """The mean of all estimates, for a claim about an average: one of real graphs, and one of stand-ins."""
    groups = ([each for each in comparison.estimates if each.stand_in is kind] for kind in (False, True))
    return comparison._replace(estimates=[_mean(group) for group in groups if group])


def _mean(estimates):
    if len(estimates) == 1:
        return estimates[0]
    ends = {end: sum(getattr(each, end) for each in estimates) / len(estimates) for end in ("value", "low", "high")}
    bounds = {each.bound for each in estimates} - {""}
    return estimates[0]._replace(
        subject=f"the average of {len(estimates)} {'stand-ins' if estimates[0].stand_in else 'graphs'}",
        **ends,
        devices=tuple(device for each in estimates for device in each.devices),
        weaknesses=tuple(dict.fromkeys(weak for each in estimates for weak in each.weaknesses if weak != SINGLE)),
        bound=bounds.pop() if len(bounds) == 1 else "roughly" if bounds else "",
    )


def run(evidence, side, graph):
    """The row of the summary that counts for a side on a graph or its stand-in; None where it is not known."""
    rows = [_outcome(_planned(evidence, side, algorithm, graph), side) for algorithm in side.algorithms]
    if side.take == "first":
        chosen = next(filter(None, rows), None)
    else:
        chosen = (slowest(rows) if side.take == "worst" else min(rows, key=_median)) if all(rows) else None
    return chosen and chosen | {"quantity": side.quantity}


def ratio(evidence, slow, fast, subject=""):
    """How many times as much the run `slow` takes as `fast`; None where one is not known or both timed out."""
    if slow is None or fast is None or slow["status"] == fast["status"] == "timeout":
        return None
    cut = {slow["status"]: "at least", fast["status"]: "at most"}.get("timeout", "")
    if slow["quantity"] in COUNTED:
        value = slow[COUNTED[slow["quantity"]]] / fast[COUNTED[fast["quantity"]]]
        exact = _estimate(evidence, subject, (value, value, value), slow, fast)
        return None if cut or pd.isna(value) else exact._replace(devices=(), weaknesses=())
    value, low, high = (_bounding if cut else _measured)(evidence.timings, slow, fast)
    margin = SINGLE_MARGIN if SINGLE in weaknesses(slow, fast) else 1
    found = _estimate(evidence, subject, (value, low / margin, high * margin), slow, fast)
    return None if cut and slow["quantity"] != "time" else found._replace(bound=cut)


def weaknesses(*rows):
    """What makes these runs weak evidence: their flags, and having a single sample."""
    flags = {flag for row in rows for flag in str(row.get("flags") or "").split()}
    single = any(pd.notna(row.get("samples")) and row["samples"] == 1 for row in rows)
    return (*sorted(flags), *([SINGLE] if single else []))


def unmeasured(evidence, sides, graphs):
    """The reason why each of these graphs has no number, where the study plans all sides on it."""
    reasons = {}
    for graph in graphs:
        runs, tables, unknown = [run(evidence, side, graph) for side in sides], [], {}
        for side, of_side in zip(sides, runs, strict=True):
            planned = {name: _planned(evidence, side, name, graph) for name in side.algorithms}
            tables.append(any(planned.values()))
            lacking = {name: rows for name, rows in planned.items() if of_side is None and _outcome(rows, side) is None}
            unknown |= {name: dict.fromkeys(WORDS[row["status"]] for row in rows) for name, rows in lacking.items()}
        told = [f"{name}: {', '.join(ended) or 'not in this study'}" for name, ended in unknown.items()]
        timed_out = any(row and row["status"] == "timeout" for row in runs)
        if all(tables) and (told or timed_out):
            reasons[graph] = "; ".join(told) or "timed out"
    return reasons


def _planned(evidence, side, algorithm, graph):
    rows = evidence.runs.get((algorithm, graph), [])
    for axis, value in side.axes.items():
        rows = [row for row in rows if pd.notna(row[axis]) and row[axis] == value]
    return [row for row in rows if not any(row[axis] == value for axis, value in side.without.items())]


def _outcome(rows, side):
    """The fastest run that counts; where all supported ones timed out, one of these with the limit as time; or None."""
    statuses = select.TIMED if side.take == "timed" else (select.SOUND,)  # a claim may be about wrong answers
    counting = [row for row in rows if row["status"] in statuses and pd.notna(row["median_ms"])]
    limits = [(row, select.least_ms(row)) for row in rows if pd.notna(row["vertices"])]  # else preparations ended
    cut = [row | {"median_ms": limit} for row, limit in limits if limit]
    if side.every and len(counting) + len(cut) < side.every:
        return None
    if side.slowest:
        return slowest(counting + cut) if counting + cut else None
    whole = len(cut) == sum(row["status"] != "unsupported" for row in rows)
    return min(counting or (cut if whole else []), key=_median, default=None)


def _algorithms(sides):
    return list(dict.fromkeys(name for side in sides for name in side.algorithms))


def _bounding(_, slow, fast):
    """The ratio with half a time limit in place of one time, and the range in which the true ratio lies."""
    value = _median(slow) / _median(fast)
    if slow["status"] == "timeout":
        return value, _median(slow) / fast["high_ms"], math.inf
    return value, 0.0, slow["high_ms"] / _median(fast)


def _measured(timings, slow, fast):
    """The ratio of medians, paired by source only where both ran on the same graph."""
    sides = []
    for at, row in enumerate((slow, fast)):
        column = SAMPLED[row["quantity"]]  # what has no phases computes all the time
        column = column if column in timings and pd.notna(row.get(column)) else "solve_ms"
        found = select.processes(timings, row, column)
        apart = slow["graph"] != fast["graph"]
        sides.append([{(at, key): each[key] for key in each} for each in found] if apart else found)
    return statistics.ratio_interval(*sides)


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
