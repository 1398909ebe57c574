"""Speed-up over the sequential CPU.

Ratio of medians, with its 95 % bootstrap interval: the fastest sequential CPU run of the same problem on the same graph
over each algorithm's fastest launch. Right of the line the algorithm wins. The CPU baselines are plain sequential C++.
"""

from warpath.results import charts, select, style
from warpath.results.figures import Nothing, Picture

COLUMNS = [
    *["problem", "graph", "stand_in_for", "arcs", "algorithm", "launch", "device_label", "device_name", "median_ms"],
    *["baseline", "baseline_ms", "speedup", "speedup_low", "speedup_high"],
]


def draw(tables):
    import matplotlib.pyplot as plt

    table = select.speedups(tables.timings, tables.summary)
    if table.empty:
        raise Nothing("no graph has both a CPU baseline and another algorithm with a right answer")
    panels = {problem.upper(): rows for problem, rows in table.groupby("problem", sort=False)}
    columns = ("speedup", "speedup_low", "speedup_high")
    figure, axes = charts.dot_panels(plt, panels, style.factor, columns, include=[1])
    for ax in axes:
        ax.axvline(1, color=style.INK, lw=1.2, zorder=1)
        ax.set_xlabel("times faster than the CPU baseline")
    title = "Speed-up over the sequential CPU"
    style.heading(figure, title, tables.summary)
    charts.note_flags(figure, table)
    return Picture(figure, table[COLUMNS], reading(table))


def reading(table):
    if "host" in set(table["device"]):
        return charts.UNRANKED
    best, worst = table.loc[table["speedup"].idxmax()], table.loc[table["speedup"].idxmin()]
    said = [f"{row.algorithm} on {row.graph}, {style.factor(row.speedup)}" for row in (best, worst)]
    device = ", ".join(sorted(table["device_label"].unique()))
    return f"Largest speed-up ({device}): {said[0]}; smallest: {said[1]}."
