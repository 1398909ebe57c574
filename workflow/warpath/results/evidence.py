"""The data that figures are drawn from and claims are judged by, and the questions that claims put to it."""

import collections
import functools
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from warpath.base import places
from warpath.base.text import listed
from warpath.results import frames, select
from warpath.runs import statuses


@dataclass(frozen=True, eq=False)
class Evidence:
    timings: Any
    summary: Any
    published: Any
    drawn: frozenset = frozenset()  # graphs that a paper drew at random: of these, a stand-in is as good

    @functools.cached_property
    def runs(self):
        """The rows of the summary, as dicts, by algorithm and by the graph that they are about."""
        return select.by(self.summary.assign(subject=select.subjects(self.summary)), "algorithm", "subject")

    @functools.cached_property
    def names(self):
        """The study's graphs by size, by their names or those that they stand in for."""
        return [*select.subjects(self.summary.sort_values("arcs")).unique()]


def read(timings, summary, papers=()):
    """The evidence in these files, and the numbers that papers print."""
    return Evidence(*frames.read(timings, summary), published(papers))


def published(papers=()):
    """The numbers that papers print, one row per number, from config/papers/*/numbers.csv and folders of the user's.

    A cell is empty where the paper does not say; a qualifier is about, from, to or up to, and `printed` the very text.
    """
    own = [paper for paper in papers if "/" in paper]
    files = [places.of_paper(paper, "numbers.csv") for paper in [*places.papers("numbers.csv"), *own]]
    files = [file for file in files if file.exists()]
    return pd.concat([pd.read_csv(file, dtype={"value": float}) for file in files], ignore_index=True)


class Graphs(NamedTuple):
    """The graphs that a claim is about, and what to call them in messages."""

    description: str
    names: list


class Count(NamedTuple):
    """A count in words; whether it agrees with the claim, by graph or other subject; why there is nothing to count.

    Subjects in `built` were made to satisfy the claim: they are shown and do not vote.
    """

    text: str
    answers: dict
    missing: str
    built: tuple = ()


def fastest(evidence, algorithms, graph, **axes):
    """The row of the fastest sound run of these algorithms on a graph or its stand-in; None if there is none."""
    rows = select.sound(select.runs(evidence.summary, algorithms, [graph]))
    for axis, value in axes.items():
        rows = rows[rows[axis] == value]
    return rows.loc[rows["median_ms"].idxmin()].to_dict() if len(rows) else None


def missing_reason(evidence, algorithms, graphs):
    """Why these algorithms cannot be compared: not planned on such graphs, or no sound pair of runs."""
    planned = {name for name, _ in evidence.runs}
    if missing := [name for name in algorithms if name not in planned]:
        return f"This study does not run {listed(missing)}."
    found = (row["status"] for (name, _), rows in evidence.runs.items() if name in algorithms for row in rows)
    ended = collections.Counter(status for status in found if status != select.SOUND)
    if ended:
        counts = ", ".join(f"{count} {statuses.WORDS[status]}" for status, count in ended.most_common())
        return f"No sound pair of runs on {graphs}. Unsound runs of these algorithms: {counts}."
    return f"This study does not run {listed(algorithms)} on {graphs}."
