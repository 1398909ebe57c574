"""Performance profile.

The profile of Dolan and Moré: for each algorithm with its fastest launch, the share of its graphs on which it is within
a factor of the fastest; pale is what intervals allow. High on the left means that it is often the fastest; reaching the
top, that it solved every graph. Those of few graphs are listed last. Problems of fewer than five graphs are left out.
"""

import numpy as np
import pandas as pd
import seaborn
from matplotlib.ticker import PercentFormatter

from warpath.results import charts, select, style
from warpath.results.figures import Nothing

LEAST, FACTORS = 5, ["within_factor", "least", "most"]  # graphs; columns


def draw(tables):
    begun = (tables.summary["status"] != "missing").groupby([tables.summary["problem"], tables.summary["graph"]])
    best = select.best(tables.summary[begun.transform("any")])
    counts = select.sound(best).groupby("problem")[["graph", "algorithm"]].nunique()
    compared = counts.index[(counts["graph"] >= LEAST) & (counts["algorithm"] > 1)]
    if compared.empty:
        raise Nothing(f"a profile compares two algorithms or more on {LEAST} graphs or more, and this study does not")
    best = best[best["problem"].isin(compared)]
    table = pd.concat([_factors(rows) for rows in charts.by_problem(best).values()])
    panels = charts.by_problem(charts.labelled(table))
    figure, axes = charts.panels([max(2.5, 0.21 * rows["algorithm"].nunique()) for rows in panels.values()])
    for ax, (title, rows) in zip(axes, panels.items(), strict=True):
        _draw(ax, rows, rows["graph"].nunique())
        ax.set_title(f"{title}, {rows['graph'].nunique()} graphs")
    return charts.picture(figure, __doc__, table, lambda table: charts.fastest(table[table["status"] != "missing"]))


def _factors(rows):
    """The rows of a problem with each time over that of the fastest, the least and the most by their intervals."""
    times = rows[[*charts.MEDIAN]].where(rows["status"] == select.SOUND).set_axis(FACTORS, axis=1)
    graphs = times.groupby(rows["graph"])
    first, second = graphs.transform("min"), graphs.transform(lambda each: each.nsmallest(2).iloc[1:].min())
    others = first.where(times > first, second)[[FACTORS[0], "most", "least"]]  # the least of the others
    return rows.join((times / others.fillna(np.inf).to_numpy()).clip(lower=1))


def _draw(ax, rows, of):
    """Draw the share of graphs within each factor of the best, and its interval."""
    end = 1.3 * rows["within_factor"].max()
    rows = rows.fillna(dict.fromkeys(FACTORS, 100 * end))  # beyond the axis
    groups = [mine for _, mine in rows.groupby("series")]
    for mine in sorted(groups, key=lambda mine: (2 * len(mine) < of, mine["within_factor"].median())):
        (colour, marker), count = style.look(mine["algorithm"].iloc[0]), len(mine)
        label = mine["series"].iloc[0] + (f": {count} graphs" if count < of else "")
        label += f", {missing} without a result" if (missing := (mine["status"] == "missing").sum()) else ""
        seaborn.ecdfplot(mine, x="within_factor", color=colour, marker=marker, ms=7, lw=2.2, label=label, ax=ax)
        ends = (np.sort(mine[name]) for name in FACTORS[1:])
        ax.fill_betweenx(np.arange(1, 1 + count) / count, *ends, step="pre", color=colour, alpha=0.15, lw=0)
    charts.log_axis(ax.xaxis, style.factor)
    ax.yaxis.set_major_formatter(PercentFormatter(1, symbol=" %"))
    ax.set(xlim=(0.97, end), ylim=(-0.04, 1.06), ylabel="share of graphs", xlabel="time over that of the best")
    ax.legend(bbox_to_anchor=(1, 1.02))
