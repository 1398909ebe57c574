"""Energy of a solve.

Joules of a solve against its median time, for each algorithm's fastest launch on each graph: by the GPU's own counter
over seconds of solves, after those that are timed. Grey lines are powers. What an idle card draws is in it, and what it
draws while it waits for the host between two solves; so the shorter a solve, the more of it is not the solve's own.
"""

from warpath.results import charts, select, style
from warpath.results.figures import Nothing

POWERS = (50, 100, 200, 400, 800)  # watts
UNITS = ((1, 1, "J"), (1e-3, 1e3, "mJ"), (0, 1e6, "µJ"))
COLUMNS = [
    *["problem", "graph", "algorithm", "launch", "device_label", "device_name", "median_ms", "low_ms", "high_ms"],
    *["energy_j", "power_w", "flags"],
]


def draw(tables):
    table = measured(tables.summary)
    if table.empty:
        raise Nothing("no run on a GPU has measured its energy; the setting timing.energy asks for it")
    panels = charts.by_problem(table)
    figure, axes = charts.panels([4.2] * len(panels))
    for ax, (title, rows) in zip(axes, panels.items(), strict=True):
        _panel(ax, title, rows)
    return charts.picture(figure, __doc__, table, reading, COLUMNS)


def measured(summary):
    """The fastest launch of every algorithm on every graph, of the runs that measured energy."""
    return select.sound(select.best(summary[summary["energy_j"] > 0]))


def joules(value):
    """Format an energy with up to three digits: 12.3 mJ, 4.56 J."""
    factor, unit = next((factor, unit) for least, factor, unit in UNITS if value >= least)
    return f"{style.digits(value * factor)} {unit}"


def _panel(ax, title, rows):
    for algorithm, runs in rows.groupby("algorithm", sort=False):
        look = style.look(algorithm)
        ax.hlines(runs["energy_j"], runs["low_ms"], runs["high_ms"], color=look[0], lw=1.5)
        charts.markers(ax, runs, "median_ms", "energy_j", look)
        label = style.algorithm_label(algorithm, runs["device"].iloc[0])
        ax.plot([], [], look[1], color=look[0], ms=8, label=label)
    style.log_axis(ax.xaxis, style.duration)
    style.log_axis(ax.yaxis, joules)
    ends, heights = ax.get_xlim(), ax.get_ylim()
    near = [power for power in POWERS if rows["power_w"].min() / 2 <= power <= 2 * rows["power_w"].max()]
    for power in near:
        energies = [power * time / 1000 for time in ends]
        if energies[1] > heights[0] and energies[0] < heights[1]:
            ax.plot(ends, energies, color=style.FRAME, lw=1, zorder=1)
            top = min(ends[1], 1000 * heights[1] / power)
            looks = {"fontsize": 10, "color": style.MUTED, "ha": "right", "va": "top"}
            ax.annotate(f"{power} W", (top, power * top / 1000), (-3, -3), textcoords="offset points", **looks)
    ax.set_xlim(ends)
    ax.set_ylim(heights)
    ax.set_title(title)
    ax.set_xlabel("median time of a solve")
    ax.set_ylabel("energy of a solve")
    charts.key(ax, ax.get_legend_handles_labels()[0])


def reading(table):
    sentences = []
    for problem, rows in table.groupby("problem", sort=False):
        compared = rows[rows.groupby("graph")["algorithm"].transform("nunique") > 1].groupby("graph")
        least, fastest = (set(compared[column].idxmin()) for column in ("energy_j", "median_ms"))
        if least:
            count = f"{len(least & fastest)} of {len(least)} graphs"
            sentences.append(f"{problem.upper()}: the fastest takes the least energy on {count}. ")
    return f"{''.join(sentences)}The card draws {table['power_w'].min():.0f} to {table['power_w'].max():.0f} W."
