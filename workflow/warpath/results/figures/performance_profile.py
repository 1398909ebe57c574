"""Performance profile.

The profile of Dolan and Moré over the graphs of the study: for each algorithm with its fastest launch, the share of its
graphs on which it is within a given factor of the fastest algorithm; pale is what the intervals of the times allow.
High on the left means that it is often the fastest; reaching the top, that it solved every graph. A graph without a
right answer counts against the algorithm, and so does one without a result. Curves are listed from left to right,
those of few graphs last, with the number of graphs where it is not all. Problems of fewer than five graphs are left
out.
"""

import numpy as np
import pandas as pd
import seaborn
from matplotlib.ticker import PercentFormatter

from warpath.results import charts, select, style
from warpath.results.figures import Nothing

LEAST = 5  # graphs
FACTORS = ["within_factor", "least", "most"]


def draw(tables):
    begun = (tables.summary["status"] != "missing").groupby([tables.summary["problem"], tables.summary["graph"]])
    best = select.best(tables.summary[begun.transform("any")])
    counts = select.sound(best).groupby("problem")[["graph", "algorithm"]].nunique()
    compared = set(counts[(counts["graph"] >= LEAST) & (counts["algorithm"] > 1)].index)
    panels = [rows for problem, rows in best.groupby("problem", sort=False) if problem in compared]
    if not panels:
        raise Nothing(f"a profile compares two algorithms or more on {LEAST} graphs or more, and this study does not")
    figure, axes = charts.panels([max(3.3, 0.9 + 0.21 * rows["algorithm"].nunique()) for rows in panels])
    data = pd.concat([_panel(ax, rows) for ax, rows in zip(axes, panels, strict=True)])
    return charts.picture(figure, __doc__, data, reading, runs=best)


def _panel(ax, rows):
    """Draw the share of graphs within each factor of the best, and its interval; return the points."""
    rows = charts.labelled(rows.join(_factors(rows))).sort_values("within_factor")
    end, of, points = 1.3 * rows["within_factor"].max(), rows["graph"].nunique(), []
    rows = rows.fillna(dict.fromkeys(FACTORS, 100 * end))  # beyond the axis
    groups = [mine for _, mine in rows.groupby("series", sort=False)]
    for mine in sorted(groups, key=lambda mine: (2 * len(mine) < of, mine["within_factor"].median())):
        (colour, marker), count = style.look(mine["algorithm"].iloc[0]), len(mine)
        label = mine["series"].iloc[0] + (f": {count} graphs" if count < of else "")
        label += f", {missing} without a result" if (missing := (mine["status"] == "missing").sum()) else ""
        seaborn.ecdfplot(mine, x="within_factor", color=colour, marker=marker, ms=7, lw=2.2, label=label, ax=ax)
        shares, least, most = np.arange(1, 1 + count) / count, np.sort(mine["least"]), np.sort(mine["most"])
        ax.fill_betweenx(shares, least, most, step="pre", color=colour, alpha=0.15, lw=0)
        low, high = (np.searchsorted(ends, mine["within_factor"], "right") / count for ends in (most, least))
        points.append(mine.assign(graphs=count, of=of, share=shares, share_low=low, share_high=high))
    style.log_axis(ax.xaxis, style.factor)
    ax.yaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    ax.set(
        xlim=(0.97, end), ylim=(-0.04, 1.06), ylabel="share of graphs", xlabel="time over that of the best algorithm"
    )
    ax.set_title(f"{rows['problem'].iloc[0].upper()}, {of} graphs")
    charts.key(ax)
    points = pd.concat(points)
    return points[points["within_factor"] < end]


def _factors(rows):
    """Each time over that of the fastest, and the least and the most that it can be by the intervals."""
    times = rows[[*charts.MEDIAN]].where(rows["status"] == select.SOUND).set_axis(FACTORS, axis=1)
    graphs = times.groupby(rows["graph"])
    first, second = graphs.transform("min"), graphs.transform(lambda each: each.nsmallest(2).iloc[1:].min())
    others = first.where(times > first, second)[[FACTORS[0], "most", "least"]]  # the least of the others
    return (times / others.fillna(np.inf).to_numpy()).clip(lower=1)


def reading(data):
    sentences = []
    for problem, rows in data[2 * data["graphs"] >= data["of"]].groupby("problem", sort=False):
        counts = rows[rows["within_factor"] == 1]["algorithm"].value_counts().head(4)
        of = rows.groupby("algorithm")["graphs"].first()
        words = ", ".join(f"{style.plain_name(name)} on {count} of {of[name]}" for name, count in counts.items())
        sentences.append(f"{problem.upper()}, the fastest: {words} graphs.")
    return " ".join(sentences)
