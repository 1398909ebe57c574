"""The data that claims are judged by, and the questions that they put to it."""

from typing import Any, NamedTuple

from warpath.results import select, style


class Evidence(NamedTuple):
    timings: Any
    summary: Any
    published: Any
    rates: Any = None


class Graphs(NamedTuple):
    """The graphs that a claim is about, and what to call them in messages."""

    description: str
    names: list


class Count(NamedTuple):
    """A count in words; whether it agrees with the claim, by graph or other subject; why there is nothing to count."""

    text: str
    answers: dict
    missing: str


def fastest(evidence, algorithms, graph, **axes):
    """The row of the fastest sound run of these algorithms on a graph or its stand-in; None if there is none."""
    rows = select.sound(select.of(evidence.summary, algorithms, [graph]))
    for axis, value in axes.items():
        rows = rows[rows[axis] == value]
    return rows.loc[rows["median_ms"].idxmin()].to_dict() if len(rows) else None


def subjects(evidence, *starts):
    """The study's graphs by size whose names, or those that they stand in for, begin with one of `starts`."""
    rows = evidence.summary.sort_values("arcs").to_dict("records")
    names = dict.fromkeys(select.subject(row) for row in rows)
    return [name for name in names if name.startswith(starts)]


def at_least(mark):
    """A test of an estimate: True where its interval lies at or above the mark, False below, None across."""
    return lambda estimate: True if estimate.low >= mark else False if estimate.high < mark else None


def at_most(mark):
    """A test of an estimate: True where its interval lies at or below the mark, False above, None across."""
    return lambda estimate: True if estimate.high <= mark else False if estimate.low > mark else None


def missing_reason(evidence, algorithms, graphs):
    """Why these algorithms cannot be compared: not planned on such graphs, or no sound pair of runs."""
    planned = select.of(evidence.summary, algorithms)
    ended = planned[planned["status"] != select.SOUND]["status"].value_counts()
    missing = [name for name in algorithms if name not in set(planned["algorithm"])]
    if missing:
        return f"This study does not run {' and '.join(missing)}."
    if len(ended):
        counts = ", ".join(f"{count} {style.STATUSES[status]}" for status, count in ended.items())
        return f"No sound pair of runs on {graphs}. Unsound runs of these algorithms: {counts}."
    return f"This study does not run {' and '.join(algorithms)} on {graphs}."
