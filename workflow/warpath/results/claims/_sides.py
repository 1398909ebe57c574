"""Two sides of a comparison, graph by graph: what is known of each, and what of their ratio.

An algorithm is as fast as its fastest launch that answered right; where every launch that the device can do timed out,
it took the time limit at least. A side of several algorithms is known where each of them finished or timed out: the
best of those that happened to finish might not be the best. Where a side is not known, the graph is not measured.
"""

import math
import re
from typing import Any, NamedTuple

import pandas as pd

from warpath.results import select, statistics, style
from warpath.results.evidence import absent

SINGLE = "single sample"
UNSURE = 1.1  # how far off a single sample may be, which tells no interval by itself


class Side(NamedTuple):
    """Algorithms with values of launch axes, and how one run is chosen of theirs."""

    algorithms: tuple
    axes: dict
    choose: Any


class Found(NamedTuple):
    """A number for one graph (or pair of graphs), its interval, the devices that it was measured on, what is weak about
    the runs behind it, and `at least` or `at most` where a time limit stands for a time."""

    on: str
    value: float
    low: float
    high: float
    devices: tuple = ()
    wording: Any = style.factor
    weak: tuple = ()
    bound: str = ""

    def __str__(self):
        return f"{self.bound} {self.wording(self.value)} on {self.on}".strip()


class Comparison(NamedTuple):
    """The numbers that decide a claim, or why there are none; and why some graphs of the study have none."""

    found: list
    missing: str
    unmeasured: dict


def best(*algorithms, **axes):
    """The fastest of all of these algorithms."""
    return Side(algorithms, axes, lambda rows: min(rows, key=_median) if all(rows) else None)


def worst(*algorithms, **axes):
    """The slowest of all of these algorithms, each by its fastest launch."""
    return Side(algorithms, axes, lambda rows: max(rows, key=_median) if all(rows) else None)


def first(*algorithms):
    """The first of these algorithms of which something is known."""
    return Side(algorithms, {}, lambda rows: next(filter(None, rows), None))


def over(evidence, slow, fast, graphs):
    """On each graph how many times faster one side is than the other."""
    found, unknown = [], []
    for graph in graphs.names:
        ratio = compare(evidence, run(evidence, slow, graph), run(evidence, fast, graph))
        (found if ratio else unknown).append(ratio or graph)
    missing = absent(evidence, [*slow.algorithms, *fast.algorithms], graphs.called)
    return Comparison(found, missing, left_out(evidence, (slow, fast), unknown))


def run(evidence, side, graph):
    """The row of the summary that is this side on a graph (or its stand-in), or None where it is not known."""
    return side.choose([_outcome(_planned(evidence, side, algorithm, graph)) for algorithm in side.algorithms])


def compare(evidence, slow, fast, on=None):
    """How many times faster `fast` is than `slow`, two rows; None where one is not known, or both timed out."""
    if slow is None or fast is None or slow["status"] == fast["status"] == "timeout":
        return None
    bound = {slow["status"]: "at least", fast["status"]: "at most"}.get("timeout", "")
    value, low, high = (_bound if bound else _ratio)(evidence.timings, slow, fast)
    weaknesses, devices = weak(slow, fast), (slow["device"], fast["device"])
    if SINGLE in weaknesses:
        low, high = low / UNSURE, high * UNSURE
    return Found(on or select.label(fast), value, low, high, devices, weak=weaknesses, bound=bound)


def weak(*rows):
    """What makes these runs poor evidence: their flags, and that there is one sample alone."""
    flags = {flag for row in rows for flag in str(row.get("flags") or "").split()}
    return (*sorted(flags), *([SINGLE] if any(row.get("samples") == 1 for row in rows) else []))


def left_out(evidence, sides, graphs):
    """Why these graphs have no number, where the study plans all sides on them."""
    reasons = {graph: _why(evidence, sides, graph) for graph in graphs}
    return {graph: why for graph, why in reasons.items() if why}


def _why(evidence, sides, graph):
    planned = [[_planned(evidence, side, name, graph) for name in side.algorithms] for side in sides]
    if not all(any(map(len, tables)) for tables in planned):
        return ""
    runs = [run(evidence, side, graph) for side in sides]
    unknown = [
        f"{algorithm}: {_ending(rows)}"
        for side, one, tables in zip(sides, runs, planned, strict=True)
        for algorithm, rows in zip(side.algorithms, tables, strict=True)
        if one is None and _outcome(rows) is None
    ]
    timed_out = any(one and one["status"] == "timeout" for one in runs)
    return "; ".join(dict.fromkeys(unknown)) or ("timed out" if timed_out else "")


def _ending(rows):
    return ", ".join(style.STATUSES[status] for status in rows["status"].unique()) or "not in this study"


def _planned(evidence, side, algorithm, graph):
    rows = select.of(evidence.summary, [algorithm], [graph])
    for axis, value in side.axes.items() if len(rows) else ():
        rows = rows[rows[axis] == value]
    return rows


def _outcome(rows):
    """The fastest sound run; one that timed out, with its limit for a time, where all did; else None."""
    sound = select.sound(rows)
    if len(sound):
        return sound.loc[sound["median_ms"].idxmin()].to_dict()
    rows = rows[rows["status"] != "unsupported"].to_dict("records")
    limits = [_limit(row) for row in rows]
    return rows[0] | {"median_ms": min(limits)} if rows and all(limits) else None


def _limit(row):
    """The milliseconds after which a run was given up; None where it was not, or had not read its graph by then."""
    said = re.search(r"not finished after (\S+) s", str(row["error"])) if row["status"] == "timeout" else None
    return 1000 * float(said[1]) if said and pd.notna(row["vertices"]) else None


def _median(row):
    return row["median_ms"]


def _bound(_, slow, fast):
    """The ratio with a time limit in it, and how far it can be from the real one."""
    ratio = _median(slow) / _median(fast)
    if slow["status"] == "timeout":
        return ratio, _median(slow) / fast["high_ms"], math.inf
    return ratio, 0.0, slow["high_ms"] / _median(fast)


def _ratio(timings, slow, fast):
    """Ratio of medians, by source where both ran on the same graph: no source of one is a source of another."""
    if slow["graph"] == fast["graph"]:
        return select.ratio(timings, slow, fast)
    samples = [
        {(side, source): times for source, times in select.samples(timings, row).items()}
        for side, row in enumerate((slow, fast))
    ]
    return statistics.ratio_interval(*samples)
