"""What a claim may ask of the tables, and how answers become a verdict.

A claim about time is judged on a GPU only: numbers of the CPU emulation are shown, and the verdict is `not measured`.
A graph says yes or no to a claim when the whole 95 % interval of its number does; one whose interval crosses the mark
is undecided and counts for neither side.
"""

from functools import partial
from typing import Any, NamedTuple

import pandas as pd

from warpath.results import select, statistics, style
from warpath.results.claims import DEPENDS, FAILS, HOLDS, UNMEASURED, Claim


class Evidence(NamedTuple):
    timings: Any
    summary: Any
    published: Any
    rates: Any = None


class Found(NamedTuple):
    """A number for one graph (or pair of graphs), its interval, and the devices that it was measured on."""

    on: str
    value: float
    low: float
    high: float
    devices: tuple = ()
    wording: Any = style.factor

    def __str__(self):
        return f"{self.wording(self.value)} on {self.on}"


class Graphs(NamedTuple):
    """What a claim is about, and the words for it where nothing of the kind was measured."""

    called: str
    names: list


class Comparison(NamedTuple):
    """The numbers that decide a claim, or why there are none."""

    found: list
    missing: str


class Count(NamedTuple):
    """What was counted, in words; whether it is so, by graph or other subject; and why there is nothing to count."""

    said: str
    answers: dict
    missing: str


def ask(name, place, gist, how, comparison, test, notes=""):
    """A claim about time: its name, where it stands, what it says, how that is measured, the numbers and the rule.

    Numbers from the CPU emulation are shown and decide nothing.
    """
    about, found = {"name": name, "place": place, "gist": gist, "how": how}, comparison.found
    if not found:
        return _claim(about, "–", UNMEASURED, comparison.missing)
    if any("host" in one.devices for one in found):
        reason = "The kernels ran in CPU emulation, which says nothing about a GPU's speed."
        return _claim(about, f"{_listed(found)} (CPU emulation)", UNMEASURED, reason)
    verdict, reason = _vote({str(one): test(one) for one in found})
    return _claim(about, _listed(found), verdict, f"{reason} {notes}".strip())


def counted(name, place, gist, how, count, notes=""):
    """A claim about something else than time, true or false on any device."""
    about = {"name": name, "place": place, "gist": gist, "how": how}
    if not count.answers:
        return _claim(about, "–", UNMEASURED, count.missing)
    verdict, reason = _vote(count.answers)
    return _claim(about, count.said, verdict, f"{reason} {notes}".strip())


def over(evidence, slow, fast, graphs, needs=None):
    """On each graph the best of `slow` (algorithms) over the best of `fast`; `needs` says what to name as missing."""
    found = gains(evidence, slow, fast, graphs.names)
    return Comparison(found, absent(evidence, needs or [*slow, *fast], graphs.called))


def fastest(evidence, algorithms, graph, **axes):
    """The row of the fastest sound run of any of these algorithms on a graph (or its stand-in), or None."""
    rows = select.sound(select.of(evidence.summary, algorithms, [graph]))
    for axis, value in axes.items():
        rows = rows[rows[axis] == value]
    return rows.loc[rows["median_ms"].idxmin()].to_dict() if len(rows) else None


def preferred(evidence, algorithms, graph):
    """The fastest sound run of the first of these algorithms that has one."""
    rows = (fastest(evidence, [algorithm], graph) for algorithm in algorithms)
    return next((row for row in rows if row), None)


def compare(evidence, slow, fast):
    """How many times faster `fast` is than `slow` (rows of the summary), or None when either is missing."""
    if slow is None or fast is None:
        return None
    ratio = select.ratio(evidence.timings, slow, fast)
    return Found(select.label(fast), *ratio, devices=(slow["device"], fast["device"]))


def compared(evidence, slow, fast, graphs):
    """For every graph that has both: the run that `slow` finds on it over the one that `fast` finds."""
    found = (compare(evidence, slow(graph), fast(graph)) for graph in graphs)
    return [one for one in found if one]


def gains(evidence, slow, fast, graphs):
    """For every graph that has both: the best of `slow` (algorithms) over the best of `fast`."""
    return compared(evidence, partial(fastest, evidence, slow), partial(fastest, evidence, fast), graphs)


def subjects(evidence, *starts):
    """The study's graphs whose names (or those that they stand in for) begin so, in order of size."""
    rows = evidence.summary.sort_values("arcs").to_dict("records")
    names = dict.fromkeys(select.subject(row) for row in rows)
    return [name for name in names if name.startswith(starts)]


def at_least(mark):
    """Yes when the interval lies at or above the mark, no when below, None when across."""
    return lambda found: True if found.low >= mark else False if found.high < mark else None


def at_most(mark):
    return lambda found: True if found.high <= mark else False if found.low > mark else None


def absent(evidence, algorithms, where):
    """Why there is nothing to compare: not planned, or planned and ended otherwise."""
    planned = select.of(evidence.summary, algorithms)
    ended = planned[planned["status"] != "ok"]["status"].value_counts()
    missing = [name for name in algorithms if name not in set(planned["algorithm"])]
    if missing:
        return f"This study does not run {' and '.join(missing)}."
    if len(ended):
        said = ", ".join(f"{count} {style.STATUSES[status]}" for status, count in ended.items())
        return f"No sound pair of runs on {where}; of these algorithms' runs: {said}."
    return f"This study does not run {' and '.join(algorithms)} on {where}."


def rank_correlation(x, y):
    """Spearman's: 1 when y always grows with x, -1 when it always falls."""
    return float(pd.Series(list(x)).rank().corr(pd.Series(list(y)).rank()))


def unpaired(evidence, above, below, on):
    """Ratio of medians of two runs on different graphs: no source of one is a source of the other."""
    if above is None or below is None:
        return None
    samples = [
        {(side, source): times for source, times in select.samples(evidence.timings, row).items()}
        for side, row in enumerate((above, below))
    ]
    return Found(on, *statistics.ratio_interval(*samples), devices=(above["device"], below["device"]))


def _vote(answers):
    """holds or does not hold where all who decide agree, else depends, with who says what."""
    yes = [who for who, answer in answers.items() if answer is not None and answer]
    no = [who for who, answer in answers.items() if answer is not None and not answer]
    undecided = [who for who, answer in answers.items() if answer is None]
    tail = f" Undecided: {', '.join(undecided)}." if undecided else ""
    if yes and no:
        return DEPENDS, f"True for {', '.join(yes)}; false for {', '.join(no)}.{tail}"
    if undecided and not yes and not no:
        return DEPENDS, "Every interval crosses the mark: too close to tell."
    agreed = f"All {len(answers) - len(undecided)} agree." if len(answers) > 1 else ""
    return (HOLDS if yes else FAILS), (agreed + tail).strip()


def _listed(found):
    """A few numbers one by one, many by their middle and their ends."""
    wording = found[0].wording
    if len(found) <= 3:
        return ", ".join(f"{one}{_interval(one)}" for one in found)
    low, high = min(found, key=lambda one: one.value), max(found, key=lambda one: one.value)
    middle = float(pd.Series([one.value for one in found]).median())
    return f"median {wording(middle)}; from {low} to {high}"


def _interval(found):
    if found.low == found.high:
        return ""
    return f" ({found.wording(found.low)} – {found.wording(found.high)})"


def _claim(about, found, verdict, reason):
    return Claim(**{"paper": None, **about}, found=found, verdict=verdict, reason=reason)
