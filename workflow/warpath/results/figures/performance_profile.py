"""Performance profile.

The profile of Dolan and Moré over the graphs of the study: for each algorithm with its fastest launch, the share of its
graphs on which it is within a given factor of the fastest algorithm; pale is the interval, where processes, start
vertices and repetitions are drawn anew. High on the left means that it is often the fastest; reaching the top means
that it solved every graph that the study plans for it. Curves are listed from left to right, those of few graphs last,
with the number of these graphs where it is not all. A graph without a right answer counts against the algorithm, and so
does one whose runs are still to be made, which a note names. Problems of fewer than five graphs are left out.
"""

import math
import operator
import zlib

import numpy as np
import pandas as pd
import seaborn

from warpath.results import charts, select, statistics, style
from warpath.results.figures import Nothing

LEAST = 5  # graphs
DRAWS = 400  # of the bootstrap


def draw(tables):
    begun = (tables.summary["status"] != "missing").groupby([tables.summary["problem"], tables.summary["graph"]])
    best = select.best(tables.summary[begun.transform("any")])
    counts = select.sound(best).groupby("problem")[["graph", "algorithm"]].nunique()
    compared = set(counts[(counts["graph"] >= LEAST) & (counts["algorithm"] > 1)].index)
    panels = {problem: rows for problem, rows in best.groupby("problem", sort=False) if problem in compared}
    if not panels:
        raise Nothing(f"a profile compares two algorithms or more on {LEAST} graphs or more, and this study does not")
    figure, axes = charts.panels([max(3.3, 0.9 + 0.21 * rows["algorithm"].nunique()) for rows in panels.values()])
    data = pd.concat([_panel(ax, rows, tables.timings) for ax, rows in zip(axes, panels.values(), strict=True)])
    drawn = pd.concat(panels.values())
    planned, missing = drawn["algorithm"].value_counts(), drawn.loc[drawn["status"] == "missing", "algorithm"]
    listed = [f"{name} on {count} of {planned[name]}" for name, count in missing.value_counts(sort=False).items()]
    charts.note(figure, f"counted as not solved, with runs still to be made: {', '.join(listed)}" if listed else "")
    return charts.picture(figure, __doc__, data, reading, runs=best)


def _panel(ax, rows, timings):
    """Draw the share of graphs within each factor of the best, and its interval; return the points."""
    times, graphs = rows["median_ms"].where(rows["status"] == select.SOUND), rows.groupby("graph").ngroup()
    rows = charts.labelled(rows.assign(over=times / times.groupby(graphs).transform("min"), place=range(len(rows))))
    drawn = np.array([_medians(run, timings) for run in rows.to_dict("records")])
    drawn /= np.array([np.fmin.reduce(drawn[graphs == graph]) for graph in graphs])
    end, points, handles = 1.3 * rows["over"].max(), [], []
    reached = rows.assign(over=rows["over"].fillna(100 * end))  # beyond the axis
    palette = {row.series: style.look(row.algorithm)[0] for row in rows.itertuples()}
    seaborn.ecdfplot(reached, x="over", hue="series", palette=palette, ax=ax, lw=2.2, legend=False)
    for series, mine in reached.groupby("series", sort=False):
        factors, (colour, marker) = np.sort(mine["over"]), style.look(mine["algorithm"].iloc[0])
        along = np.unique([*np.geomspace(1, end, 100), *factors[factors < end]])
        shares = (drawn[mine["place"]][..., None] <= along * (1 + 1e-9)).mean(axis=0)
        band = np.percentile(shares, 50 + 50 * np.array([-1, 1]) * statistics.COVERAGE, axis=0)
        steps = np.unique([0, len(along) - 1, *(1 + np.flatnonzero(np.diff(band).any(axis=0)))])
        ax.fill_between(along[steps], *band[:, steps], step="post", color=colour, alpha=0.15, lw=0)
        label = series if len(mine) == graphs.nunique() else f"{series}: {len(mine)} graphs"
        share = np.arange(1, 1 + len(mine)) / len(mine)
        (handle,) = ax.plot(factors, share, marker, color=colour, ms=7, label=label)
        handles.append((2 * len(mine) < graphs.nunique(), np.median(factors), label, handle))
        about = {name: mine[name].iloc[0] for name in ("problem", "algorithm", "device")}
        solved = factors[factors < end]
        low, high = band[:, np.searchsorted(along, solved)]
        within = {"within_factor": solved, "share": share[: len(solved)], "share_low": low, "share_high": high}
        points.append(pd.DataFrame(about | within | {"graphs": len(mine), "of": graphs.nunique()}))
    ax.update_datalim([(1, 0), (end, 1)])
    style.log_axis(ax.xaxis, style.factor)
    ax.set(xlim=(0.97, end), ylim=(-0.04, 1.06))
    ax.set(ylabel="share of graphs", xlabel="time over that of the best algorithm")
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "100 %"])
    ax.set_title(f"{mine['problem'].iloc[0].upper()}, {graphs.nunique()} graphs")
    handles.sort(key=operator.itemgetter(0, 1))  # from left to right, and last those of few graphs
    charts.key(ax, [handle for *_, handle in handles], [label for *_, label, _ in handles])
    return pd.concat(points)


def _medians(run, timings):
    """Medians of a run's resamples. Algorithms with as many sources of a graph draw the same ones."""
    processes = [list(process.values()) for process in select.processes(timings, run)]
    if run["status"] != select.SOUND or not processes:
        return np.full(DRAWS, run["median_ms"] if run["status"] == select.SOUND else math.nan)
    most = max(map(len, processes))
    sources = np.random.default_rng(zlib.crc32(run["graph"].encode())).integers(most, size=(DRAWS, most))
    return statistics.resampled_medians(processes, sources, np.random.default_rng(statistics.SEED))


def reading(data):
    sentences = []
    for problem, rows in data[2 * data["graphs"] >= data["of"]].groupby("problem", sort=False):
        first = rows[rows["within_factor"] == 1].groupby("algorithm")["share"].max().sort_values(ascending=False)
        listed = ", ".join(
            f"{style.plain_name(name)} on {style.percent(100 * share)}" for name, share in first.head(4).items()
        )
        sentences.append(f"{problem.upper()}, the fastest: {listed or 'none'} of its graphs.")
    return " ".join(sentences)
