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
    rows = charts.labelled(rows.join(_factors(rows)))
    end, of, points = 1.3 * rows["over"].max(), rows["graph"].nunique(), []
    rows = rows.fillna(dict.fromkeys(["over", "least", "most"], 100 * end))  # beyond the axis
    groups = [group for _, group in rows.groupby("series", sort=False)]
    looks = {group["series"].iloc[0]: style.look(group["algorithm"].iloc[0]) for group in groups}
    palette = {series: colour for series, (colour, _) in looks.items()}
    seaborn.ecdfplot(rows, x="over", hue="series", palette=palette, ax=ax, lw=2.2, legend=False)
    for mine in sorted(groups, key=lambda mine: (2 * len(mine) < of, mine["over"].median())):
        factors, least, most = (np.sort(mine[name]) for name in ("over", "least", "most"))
        (colour, marker), label, count = looks[mine["series"].iloc[0]], mine["series"].iloc[0], len(mine)
        label += f": {count} graphs" if count < of else ""
        label += f", {missing} without a result" if (missing := (mine["status"] == "missing").sum()) else ""
        shares = np.arange(1, 1 + count) / count
        ax.plot(factors, shares, marker, color=colour, ms=7, label=label)
        ax.fill_betweenx(shares, least, most, step="pre", color=colour, alpha=0.15, lw=0)
        about = {name: mine[name].iloc[0] for name in ("problem", "algorithm", "device")}
        about |= {"graphs": count, "of": of, "within_factor": factors, "share": shares}
        ends = {
            name: np.searchsorted(ends, factors, "right") / count for name, ends in [("low", most), ("high", least)]
        }
        points.append(pd.DataFrame(about | {"share_low": ends["low"], "share_high": ends["high"]})[factors < end])
    style.log_axis(ax.xaxis, style.factor)
    ax.yaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    ax.set(
        xlim=(0.97, end), ylim=(-0.04, 1.06), ylabel="share of graphs", xlabel="time over that of the best algorithm"
    )
    ax.set_title(f"{rows['problem'].iloc[0].upper()}, {of} graphs")
    charts.key(ax)
    return pd.concat(points)


def _factors(rows):
    """Each time over that of the fastest, and the least and the most that it can be by the intervals."""
    times = rows[[*charts.MEDIAN]].where(rows["status"] == select.SOUND).set_axis(["over", "least", "most"], axis=1)
    graphs = times.groupby(rows["graph"])
    first, second = graphs.transform("min"), graphs.transform(lambda each: each.nsmallest(2).iloc[1:].min())
    others = first.where(times > first, second)[["over", "most", "least"]]  # the least of the others
    return (times / others.fillna(np.inf).to_numpy()).clip(lower=1)


def reading(data):
    sentences = []
    for problem, rows in data[2 * data["graphs"] >= data["of"]].groupby("problem", sort=False):
        first = (rows["within_factor"] == 1).groupby(rows["algorithm"]).sum().sort_values(ascending=False)
        of = rows.groupby("algorithm")["graphs"].first()
        words = ", ".join(
            f"{style.plain_name(name)} on {count} of {of[name]}" for name, count in first[first > 0].head(4).items()
        )
        sentences.append(f"{problem.upper()}, the fastest: {words} graphs.")
    return " ".join(sentences)
