"""Performance profile.

The profile of Dolan and Moré over the graphs of the study: for each algorithm with its fastest launch, the share of its
graphs on which it is within a given factor of the fastest algorithm; pale is the interval, where processes, start
vertices and repetitions are drawn anew. High on the left means that it is often the fastest; reaching the top means
that it solved every graph that the study plans for it. Curves are listed from left to right, with the number of these
graphs where it is not all. A graph without a right answer counts against the algorithm, and so does one whose runs are
still to be made, which a note names. Problems of fewer than five graphs are left out.
"""

import functools
import math
import operator
import zlib

import numpy as np
import pandas as pd

from warpath.results import charts, select, statistics, style
from warpath.results.figures import Nothing

LEAST = 5  # graphs
LABEL_LINE = 0.2  # inches
DRAWS = 400  # of the bootstrap
POINTS = 300  # of a band along the axis


def draw(tables):
    missing = tables.summary["status"] == "missing"
    graphs = [tables.summary["problem"], tables.summary["graph"]]
    best = select.best(tables.summary[~missing.groupby(graphs).transform("all")])  # without graphs still to begin
    panels = [(problem, rows) for problem, rows in best.groupby("problem", sort=False) if _comparable(rows)]
    if not panels:
        raise Nothing(f"a profile compares two algorithms or more on {LEAST} graphs or more, and this study does not")
    inches = [max(3.3, 0.9 + LABEL_LINE * rows["algorithm"].nunique()) for _, rows in panels]
    figure, axes = charts.panels(inches)
    data = pd.concat(
        [_panel(ax, problem, rows, tables.timings) for ax, (problem, rows) in zip(axes, panels, strict=True)]
    )
    drawn = pd.concat([rows for _, rows in panels])
    unmeasured = drawn.loc[drawn["status"] == "missing", "algorithm"].value_counts(sort=False)
    if len(unmeasured):
        planned = drawn["algorithm"].value_counts()
        listed = ", ".join(f"{algorithm} on {count} of {planned[algorithm]}" for algorithm, count in unmeasured.items())
        charts.note(figure, f"counted as not solved, with runs still to be made: {listed}")
    return charts.picture(figure, __doc__, data, reading, runs=best)


def _comparable(rows):
    sound = select.sound(rows)
    return sound["graph"].nunique() >= LEAST and sound["algorithm"].nunique() > 1


def _panel(ax, problem, rows, timings):
    times = rows.assign(median_ms=rows["median_ms"].where(rows["status"] == select.SOUND)).pivot(
        index="graph", columns="algorithm", values="median_ms"
    )
    planned = rows.pivot(index="graph", columns="algorithm", values="status").notna()
    profile = statistics.performance_profile(times, planned)
    intervals = _intervals(times, planned, rows, timings)
    devices = rows.drop_duplicates("algorithm").set_index("algorithm")["device"]
    _curves(ax, profile, devices, planned, intervals)
    ax.set_title(f"{problem.upper()}, {len(times)} graphs", y=1)
    points = [
        (problem, algorithm, devices[algorithm], *point)
        for algorithm, (factors, shares) in profile.items()
        for point in zip(factors, shares, *intervals[algorithm](factors), strict=True)
    ]
    names = ["problem", "algorithm", "device", "within_factor", "share", "share_low", "share_high"]
    return pd.DataFrame(points, columns=names)


def _intervals(times, planned, rows, timings):
    """For each algorithm a function from factors to the interval, (low, high), of its share within each."""
    drawn = np.full((DRAWS, *times.shape), np.nan)
    for run in select.sound(rows).to_dict("records"):
        place = times.index.get_loc(run["graph"]), times.columns.get_loc(run["algorithm"])
        drawn[:, *place] = _drawn_medians(run, select.processes(timings, run))
    with np.errstate(invalid="ignore"):
        known = drawn / np.nanmin(drawn, axis=2, keepdims=True)
    return {
        algorithm: functools.partial(_interval, known[:, :, place], planned[algorithm].sum())
        for place, algorithm in enumerate(times.columns)
    }


def _interval(known, count, factors):
    """The interval of the share of `count` graphs that is within each of the factors, over the resamples in `known`."""
    reached = np.sort(known)  # those without an answer are last
    within = [np.searchsorted(draw, factors * (1 + 1e-9), side="right") for draw in reached]
    tail = 50 * (1 - statistics.COVERAGE)
    return np.percentile(within, [tail, 100 - tail], axis=0) / count


def _drawn_medians(run, processes):
    """Medians of a run's resamples. Algorithms with as many sources of a graph draw the same ones."""
    processes = [list(process.values()) for process in processes]
    if not processes:
        return np.full(DRAWS, run["median_ms"])
    seed = zlib.crc32(run["graph"].encode())
    most = max(map(len, processes))
    sources = np.random.default_rng(seed).integers(most, size=(DRAWS, most))
    return statistics.resampled_medians(processes, sources, np.random.default_rng(statistics.SEED))


def _curves(ax, profile, devices, planned, intervals):
    end = 1.3 * max(factors[-1] for factors, _ in profile.values() if len(factors))
    along = np.geomspace(1, end, POINTS)
    curves = []
    for algorithm, (factors, shares) in profile.items():
        colour, marker = style.look(algorithm)
        label = style.algorithm_label(algorithm, devices[algorithm])
        if not planned[algorithm].all():
            label += f": {planned[algorithm].sum()} graphs"
        last = shares[-1] if len(shares) else 0
        ax.step([1, *factors, end], [0, *shares, last], where="post", color=colour, lw=2.2)
        ax.plot(factors, shares, marker, color=colour, ms=7, ls="")
        band = intervals[algorithm](along)
        steps = np.unique([0, POINTS - 1, *(1 + np.flatnonzero(np.diff(band).any(axis=0)))])
        ax.fill_between(along[steps], *band[:, steps], step="post", color=colour, alpha=0.15, lw=0)
        (handle,) = ax.plot([], [], marker=marker, color=colour, ms=7, lw=2.2, label=label)
        halfway = (factor for factor, share in zip(factors, shares, strict=True) if share >= 0.5)
        curves.append((next(halfway, math.inf), handle))
    ax.update_datalim([(1, 0), (end, 1)])
    style.log_axis(ax.xaxis, style.factor)
    ax.set_xlim(0.97, end)
    ax.set_ylim(-0.04, 1.06)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "100 %"])
    ax.set_xlabel("time over that of the best algorithm on the same graph")
    ax.set_ylabel("share of graphs")
    charts.key(ax, [handle for _, handle in sorted(curves, key=operator.itemgetter(0))])  # from left to right


def reading(data):
    sentences = []
    for problem, rows in data.groupby("problem", sort=False):
        first = rows[rows["within_factor"] == 1].groupby("algorithm")["share"].max().sort_values(ascending=False)
        listed = ", ".join(f"{algorithm} on {share:.0%}" for algorithm, share in first.head(charts.NAMED).items())
        sentences.append(f"{problem.upper()}, the fastest: {listed} of its graphs.")
    return " ".join(sentences)
