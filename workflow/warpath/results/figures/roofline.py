"""Roofline.

Relaxations a second over relaxations for each byte, of each algorithm's fastest launch. Relaxations are the arcs that a
search visited, or n³ for Floyd-Warshall; bytes are the least that the problem takes: the graph read and the distances
written once. The roofs are the copy bandwidth and the add-min rate of the device's probe; two relaxations are one
instruction where they are packed in 16 bits. A search far below the roof waits: for launches, for other blocks, or for
memory that it reads again.
"""

import numpy as np
import seaborn

from warpath.algorithms import bounds
from warpath.base.problems import PROBLEMS
from warpath.results import charts, limits, select, style
from warpath.results.figures import Nothing


def draw(tables):
    every = worked(tables.summary[tables.summary["placement"] != "host"])  # the roof of the others is the link
    table, roofs = select.sound(select.best(every[every["relaxations"] > 0])), {}
    for row in every.drop_duplicates("problem").to_dict("records"):  # from the shares that were computed with the rates
        all_pairs = row["problem"] in select.ALL_PAIRS
        work = row["relaxations"] / (2 if row["width"] == 16 else 1) if all_pairs else row["bytes"]
        roofs.setdefault(limits.RATES[all_pairs], 1e5 * work / row["median_ms"] / row["percent_of_limit"])
    if table.empty or not roofs:
        raise Nothing("the device's rates were not measured (results/probe.json), or no run has a right answer")
    figure, (ax,) = charts.panels([6.4])
    shown = charts.labelled(table)
    shown = shown.assign(series=shown["problem"].str.upper() + " " + shown["series"])
    seaborn.scatterplot(shown, x="intensity", y="rate", hue="series", style="series", s=60, lw=0, ax=ax)
    charts.holes(ax, shown, "intensity", "rate")
    style.log_axis(ax.xaxis, style.digits)
    style.log_axis(ax.yaxis, style.count)
    ends, (low, high) = np.geomspace(*ax.get_xlim(), 201), ax.get_ylim()
    bandwidth, peak = (roofs.get(name, np.inf) for name in limits.RATES)
    for name, rate, dashes in (("", peak, "-"), (", packed in 16 bits", 2 * peak, "--")):
        roof = np.minimum(bandwidth * ends, rate)
        ax.plot(ends, roof, dashes, color=style.INK, lw=1.6, zorder=1, label=f"copy bandwidth, add-min rate{name}")
    ax.set(xlabel="relaxations for each byte that must be moved", ylabel="relaxations a second")
    ax.set_ylim(low, max(high, 5 * peak if peak < np.inf else 5))
    charts.key(ax)
    return charts.picture(figure, __doc__, table, reading)


def worked(summary):
    """The runs with their relaxations, the least bytes, the ratio of both and the rate."""
    rows = summary[summary["percent_of_limit"].notna()]
    all_pairs, vertices = rows["problem"].isin(select.ALL_PAIRS), rows["vertices"].astype(float)
    width = rows["width"].astype(float).fillna(8 * bounds.WORD)
    one_pass = [bounds.one_pass(PROBLEMS[row.problem], row.vertices, row.arcs).amount for row in rows.itertuples()]
    work = (vertices**3).where(all_pairs, rows["arcs_visited"])
    moved = (2 * vertices**2 * width / 8).where(all_pairs, one_pass)
    rate = 1000 * work / rows["median_ms"]
    return rows.assign(width=width, relaxations=work, bytes=moved, intensity=work / moved, rate=rate)


def reading(table):
    return f"Most relaxations a second: {charts.extremes(table, 'rate', style.count)}."
