"""Roofline.

Relaxations a second over relaxations for each byte, of each algorithm's fastest launch. Relaxations are the arcs that a
search visited, or n³ for Floyd-Warshall; bytes are the least that the problem takes: the graph read and the distances
written once. The roofs are the copy bandwidth and the add-min rate of the device's probe; two relaxations are one
instruction where they are packed in 16 bits. A search far below the roof waits: for launches, for other blocks, or for
memory that it reads again.
"""

import itertools

from warpath.algorithms import bounds
from warpath.base.problems import PROBLEMS
from warpath.results import charts, limits, select, style
from warpath.results.figures import Nothing, Picture

COLUMNS = [
    *["problem", "graph", "algorithm", "launch", "device_label", "device_name", "median_ms", "low_ms", "high_ms"],
    *["relaxations", "bytes", "intensity", "rate", "percent_of_limit", "flags"],
]


def draw(tables):
    import matplotlib.pyplot as plt

    summary = tables.summary[tables.summary["placement"] != "host"]  # the roof of the others is the link
    table, roofs = points(summary), probed(summary)
    if table.empty or not roofs:
        raise Nothing("the device's rates were not measured (results/probe.json), or no run has a right answer")
    figure, ax = plt.subplots(figsize=(style.WIDTH, 6.4))
    looks = itertools.cycle(zip(style.PALETTE, itertools.cycle(style.MARKERS), strict=False))
    groups = table.groupby("algorithm", sort=False)
    for (_, rows), (colour, marker) in zip(groups, looks, strict=False):
        label = style.algorithm_label(rows["algorithm"].iloc[0], rows["device"].iloc[0])
        ax.vlines(rows["intensity"], rows["rate_low"], rows["rate_high"], color=colour, lw=1.5)
        charts.markers(ax, rows, "intensity", "rate", (colour, marker))
        ax.plot([], [], marker=marker, color=colour, ls="", ms=8, label=f"{rows['problem'].iloc[0].upper()} {label}")
    _axes(ax, table, roofs)
    charts.key(ax, ax.get_legend_handles_labels()[0])
    charts.note_flags(figure, table)
    style.heading(figure, __doc__, table, reading(table))
    return Picture(figure, table[COLUMNS], reading(table))


def points(summary):
    """The fastest launch of each algorithm with its relaxations, the least bytes, their ratio and its rate."""
    best = select.sound(select.best(summary[summary["percent_of_limit"].notna()]))
    rows = []
    for row in best.to_dict("records"):
        problem = PROBLEMS[row["problem"]]
        vertices, arcs = float(row["vertices"]), float(row["arcs"])
        work = vertices**3 if problem.all_pairs else float(row["arcs_visited"])
        width = row.get("width") if row.get("width") == row.get("width") and row.get("width") else 8 * bounds.WORD
        moved = 2 * vertices**2 * width / 8 if problem.all_pairs else bounds.one_pass(problem, vertices, arcs).amount
        rates = (work / (row[time] / 1000) for time in ("median_ms", "high_ms", "low_ms"))
        rows.append(work_of := {"relaxations": work, "bytes": moved, "intensity": work / moved})
        work_of |= dict(zip(("rate", "rate_low", "rate_high"), rates, strict=True))
    names = ["relaxations", "bytes", "intensity", "rate", "rate_low", "rate_high"]
    table = best.assign(**{name: [row[name] for row in rows] for name in names})
    return table[table["relaxations"] > 0]


def probed(summary):
    """The rates of the device's probe, from the shares of a limit that were computed with them."""
    rates = {}
    for row in summary[summary["percent_of_limit"].notna()].to_dict("records"):
        problem = PROBLEMS[row["problem"]]
        packed = 2 if row.get("width") == 16 else 1
        name = limits.RATES[problem.all_pairs]
        vertices, arcs = float(row["vertices"]), float(row["arcs"])
        work = vertices**3 / packed if problem.all_pairs else bounds.one_pass(problem, vertices, arcs).amount
        rates.setdefault(name, work / (row["median_ms"] / 1000) / (row["percent_of_limit"] / 100))
    return rates


def _axes(ax, table, roofs):
    style.log_axis(ax.xaxis, lambda value: f"{value:g}")
    style.log_axis(ax.yaxis, lambda value: f"{style.count(value)}/s")
    low, high = ax.get_xlim()
    ends = [low * (high / low) ** (place / 200) for place in range(201)]
    peaks = {"": 1, ", packed": 2} if "relaxations_per_s" in roofs else {}
    bandwidth = roofs.get("copy_bytes_per_s", float("inf"))
    for name, factor in peaks.items() or [("", float("inf"))]:
        peak = roofs.get("relaxations_per_s", float("inf")) * factor
        ax.plot(ends, [min(bandwidth * x, peak) for x in ends], color=style.INK, lw=1.6, zorder=1)
        if peak < float("inf"):
            place = {"va": "bottom" if name else "top", "ha": "right", "fontsize": 11, "color": style.MUTED}
            ax.text(high, peak * (1.1 if name else 0.8), f"add-min rate{name}  ", **place)
    if bandwidth < float("inf"):
        ax.text(low * 1.1, bandwidth * low * 12, "copy bandwidth", fontsize=11, color=style.MUTED)
    top = max(ax.get_ylim()[1], 5 * max(roofs.get("relaxations_per_s", 0), 1))
    ax.set_ylim(ax.get_ylim()[0], top)
    ax.set_xlabel("relaxations for each byte that must be moved")
    ax.set_ylabel("relaxations a second")


def reading(table):
    best = table.loc[table.groupby("problem", sort=False)["rate"].idxmax()]
    listed = "; ".join(
        f"{row.problem.upper()} {style.count(row.rate)}/s ({row.algorithm} on {row.graph})" for row in best.itertuples()
    )
    return f"Most relaxations a second: {listed}."
