"""Roofline.

Relaxations a second over relaxations for each byte, of each algorithm's fastest launch. Relaxations are the arcs that a
search visited, or n³ for Floyd-Warshall; bytes are the least that the problem takes: the graph read and the distances
written once. The roofs are the copy bandwidth and the add-min rate of the device's probe; two relaxations are one
instruction where they are packed in 16 bits. A search far below the roof waits: for launches, for other blocks, or for
memory that it reads again.
"""

import itertools

import numpy as np

from warpath.algorithms import bounds
from warpath.base.problems import PROBLEMS
from warpath.results import charts, limits, select, style
from warpath.results.figures import Nothing

COLUMNS = [
    *["problem", "graph", "algorithm", "launch", "device_label", "device_name", "median_ms", "low_ms", "high_ms"],
    *["relaxations", "bytes", "intensity", "rate", "percent_of_limit", "flags"],
]


def draw(tables):
    summary = tables.summary[tables.summary["placement"] != "host"]  # the roof of the others is the link
    every = worked(summary)
    table, roofs = select.sound(select.best(every)), probed(every)
    table = table[table["relaxations"] > 0]
    if table.empty or not roofs:
        raise Nothing("the device's rates were not measured (results/probe.json), or no run has a right answer")
    figure, (ax,) = charts.panels([6.4])
    looks = itertools.cycle(zip(style.PALETTE, itertools.cycle(style.MARKERS), strict=False))
    groups = table.groupby("algorithm", sort=False)
    for (_, rows), (colour, marker) in zip(groups, looks, strict=False):
        label = style.algorithm_label(rows["algorithm"].iloc[0], rows["device"].iloc[0])
        ax.vlines(rows["intensity"], rows["rate_low"], rows["rate_high"], color=colour, lw=1.5)
        charts.markers(ax, rows, "intensity", "rate", (colour, marker))
        ax.plot([], [], marker=marker, color=colour, ls="", ms=8, label=f"{rows['problem'].iloc[0].upper()} {label}")
    style.log_axis(ax.xaxis, lambda value: f"{value:g}")
    style.log_axis(ax.yaxis, _a_second)
    ends = np.geomspace(*ax.get_xlim(), 201)
    bandwidth, peak = (roofs.get(name, np.inf) for name in limits.RATES)
    looks = {"fontsize": 11, "color": style.MUTED}
    for name, factor, height, side in (("add-min rate", 1, 0.8, "top"), ("add-min rate, packed", 2, 2.2, "bottom")):
        ax.plot(ends, np.minimum(bandwidth * ends, peak * factor), color=style.INK, lw=1.6, zorder=1)
        if peak < np.inf:
            ax.text(ends[-1], peak * height, f"{name}  ", va=side, ha="right", **looks)
    if bandwidth < np.inf:
        ax.text(ends[0] * 1.1, bandwidth * ends[0] * 12, "copy bandwidth", **looks)
    low, high = ax.get_ylim()
    ax.set_ylim(low, max(high, 5 * peak if peak < np.inf else 5))
    ax.set_xlabel("relaxations for each byte that must be moved")
    ax.set_ylabel("relaxations a second")
    charts.key(ax, ax.get_legend_handles_labels()[0])
    return charts.picture(figure, __doc__, table, reading, COLUMNS)


def worked(summary):
    """The runs with their relaxations, the least bytes, the ratio of both and the rate."""
    rows = summary[summary["percent_of_limit"].notna()]
    all_pairs, vertices = rows["problem"].isin(select.ALL_PAIRS), rows["vertices"].astype(float)
    width = rows["width"].astype(float).fillna(8 * bounds.WORD)
    one_pass = [bounds.one_pass(PROBLEMS[row.problem], row.vertices, row.arcs).amount for row in rows.itertuples()]
    work = (vertices**3).where(all_pairs, rows["arcs_visited"])
    moved = (2 * vertices**2 * width / 8).where(all_pairs, one_pass)
    rates = {"rate": "median_ms", "rate_low": "high_ms", "rate_high": "low_ms"}
    rates = {rate: work / (rows[time] / 1000) for rate, time in rates.items()}
    return rows.assign(width=width, relaxations=work, bytes=moved, intensity=work / moved, **rates)


def probed(table):
    """The rates of the device's probe, from the shares of a limit that were computed with them."""
    rates = {}
    for row in table.drop_duplicates("problem").to_dict("records"):
        all_pairs = row["problem"] in select.ALL_PAIRS
        work = row["relaxations"] / (2 if row["width"] == 16 else 1) if all_pairs else row["bytes"]
        share = row["percent_of_limit"] / 100
        rates.setdefault(limits.RATES[all_pairs], work / (row["median_ms"] / 1000) / share)
    return rates


def reading(table):
    return f"Most relaxations a second: {charts.extremes(table, 'rate', _a_second)}."


def _a_second(rate):
    return f"{style.count(rate)}/s"
