"""Performance profile.

The profile of Dolan and Moré: for each algorithm with its fastest launch, the share of its graphs on which it is within
a factor of the fastest; pale is what intervals allow. GPU libraries are dashed, CPUs dotted. High on the left is often
the fastest; the top is every graph solved. Those of few graphs come last, problems of fewer than five are left out.
"""

import numpy as np
import pandas as pd
import seaborn

from warpath.results import charts, select, style
from warpath.results.figures import require

LEAST, FACTORS = 5, ["within_factor", "least", "most"]  # graphs; columns
LINES, PALE = {"peer_gpu": "--", "peer": ":", "cpu": ":"}, {"step": "pre", "alpha": 0.12, "lw": 0}


def draw(tables):
    begun = (tables.summary["status"] != "missing").groupby([tables.summary["problem"], tables.summary["graph"]])
    best = select.best(tables.summary[begun.transform("any")])
    counts = select.sound(best).groupby("problem")[["graph", "algorithm"]].nunique()
    compared = counts.index[(counts["graph"] >= LEAST) & (counts["algorithm"] > 1)]
    require(compared, f"a profile compares two algorithms or more on {LEAST} graphs or more, and this study does not")
    panels = charts.by_problem(charts.labelled(best[best["problem"].isin(compared)]))
    panels = {title: _factors(rows) for title, rows in panels.items()}
    figure, axes = charts.panels([max(2.5, 0.21 * rows["series"].nunique()) for rows in panels.values()])
    for ax, (title, rows) in zip(axes, panels.items(), strict=True):
        _draw(ax, rows, title, rows["graph"].nunique())
    table = pd.concat(panels.values())
    return charts.picture(figure, __doc__, table, lambda table: charts.fastest(table[table["status"] != "missing"]))


def _factors(rows):
    """The rows of a problem with each time over that of the fastest, the least and the most by their intervals."""
    times = rows[[*charts.MEDIAN]].where(rows["status"] == select.SOUND).set_axis(FACTORS, axis=1)
    graphs = times.groupby(rows["graph"])
    first, rest = graphs.transform("min"), times.where(graphs.rank(method="first") > 1)
    others = first.where(times > first, rest.groupby(rows["graph"]).transform("min"))  # the least of the others
    return rows.join((times / others[[FACTORS[0], "most", "least"]].fillna(np.inf).to_numpy()).clip(lower=1))


def _draw(ax, rows, title, of):
    """Draw the share of graphs within each factor of the best, and its interval."""
    end = 1.3 * rows["within_factor"].max()
    groups = [mine for _, mine in rows.fillna(dict.fromkeys(FACTORS, 100 * end)).groupby("series")]  # beyond the axis
    groups.sort(key=lambda mine: (2 * len(mine) < of, mine["within_factor"].median()))
    for place, mine in enumerate(groups):
        first, count, colour = mine.iloc[0], len(mine), style.PALETTE[place % len(style.PALETTE)]
        label = first["series"] + (f": {count} graphs" if count < of else "")
        label += f", {missing} without a result" if (missing := (mine["status"] == "missing").sum()) else ""
        looks = {"marker": style.look(first["algorithm"])[1], "ls": LINES.get(first["device"], "-"), "ms": 6, "lw": 2}
        seaborn.ecdfplot(mine, x="within_factor", color=colour, label=label, ax=ax, **looks)
        ax.fill_betweenx(np.arange(1, 1 + count) / count, *np.sort(mine[FACTORS[1:]].T), color=colour, **PALE)
    charts.log_axis(ax.xaxis, style.factor)
    ax.yaxis.set_major_formatter(lambda share, _: style.percent(100 * share))
    ax.set(xlim=(0.97, end), ylim=(-0.04, 1.06), ylabel="share of graphs", xlabel="time over that of the best")
    ax.set_title(f"{title}, {of} graphs")
    ax.legend(bbox_to_anchor=(1, 1.02))
