"""What the launch configuration costs.

The median time of every launch configuration as a multiple of the best one of the same algorithm on the same graph. The
best is in bold; ≈ marks the launches whose interval overlaps the best one's, which have its colour. A panel
without darker cells means that the choice hardly matters. Where many launches vary two things, each graph has a row for
every value of one of them. Of more than a dozen graphs the median and the worst are shown. Algorithms with a single
configuration are left out.
"""

import math
import re

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.patches import Rectangle

from warpath.results import charts, select, style
from warpath.results.figures import Nothing
from warpath.runs import statuses

HALF_WIDTH = 36  # letters of launch labels that fit over a panel of half the width
MANY = 8  # more launches than this take the whole width, or are a table of two parts of their labels
GRAPHS = 6  # more graphs than this have a single row each
TITLE, LINE, AROUND = 0.31, 0.33, 0.9  # inches: above the cells, a row of them, and all that is above and below
NAMES = 0.14  # inches between names and cells
WORST = 4  # end of the colour scale: anything slower is simply a bad choice
UNPLANNED = "·"
COLUMNS = [
    *["algorithm", "graph", "launch", "device_label", "device_name", "status", "median_ms", "slower_than_best", "tie"],
]


def draw(tables):
    table = relative(tables.summary)
    if table["slower_than_best"].isna().all():
        raise Nothing("no algorithm of this study has right answers with more than one launch configuration")
    rows = []  # of panels: two narrow ones side by side, a wide one or an odd one by itself
    for panel in (_panel(runs) for _, runs in table.groupby("algorithm", sort=False)):
        if rows and len(rows[-1]) == 1 and not _is_wide(panel) and not _is_wide(rows[-1][0]):
            rows[-1].append(panel)
        else:
            rows.append([panel])
    left = NAMES + max(style.inches(name, 12) for row in rows for panel in row for name in panel["row"].unique())
    heights = [max(map(_inches, row)) for row in rows]
    figure = plt.figure(figsize=(style.WIDTH, sum(heights)), layout="none")
    ax = figure.add_axes((0, 0, 1, 1), xlim=(0, style.WIDTH), ylim=(sum(heights), 0))  # inches from the upper left
    ax.set_axis_off()
    for place, row in enumerate(rows):
        width = style.WIDTH / len(row)
        for side, panel in enumerate(row):
            _draw(ax, side * width + left, (side + 1) * width - NAMES, sum(heights[:place]) + TITLE, panel)
    height = min(1, 2.6 / sum(heights))
    beside = figure.add_axes((1.005, 1 - height, 0.014, height * 0.92))  # right of the panels
    bar = figure.colorbar(ax.collections[0], cax=beside)
    bar.set_ticks([1, 1.5, 2, 3, WORST], labels=["1×", "1.5×", "2×", "3×", "≥ 4×"])
    bar.minorticks_off()
    bar.set_label("time over the best")
    if legend := _legend({text.get_text() for text in ax.texts if text.get_label() == "cell"}):
        charts.note(figure, legend)
    return charts.picture(figure, __doc__, table[COLUMNS], reading, runs=table)


def relative(summary):
    """The runs of every algorithm with several launches, with their time over the best one on the same graph.

    A `tie` is a launch whose interval overlaps that of the best.
    """
    kernels = summary[summary["device"] != "cpu"]
    launches = kernels.groupby("algorithm")["launch"].transform("nunique")
    kernels = kernels[launches > 1].copy()
    best = select.sound(kernels).sort_values("median_ms").drop_duplicates(["algorithm", "graph"])
    best = best.set_index(["algorithm", "graph"])[["median_ms", "high_ms"]].add_prefix("best_")
    kernels = kernels.join(best, on=["algorithm", "graph"])
    sound = kernels["status"] == select.SOUND
    ratios = (kernels["median_ms"] / kernels["best_median_ms"]).where(sound)
    return kernels.assign(slower_than_best=ratios, tie=sound & (kernels["low_ms"] <= kernels["best_high_ms"]))


def _panel(runs):
    """An algorithm's runs in the order of their cells, with a row and a column; of many graphs two rows of ratios."""
    launches, graphs = _natural(runs["launch"].unique()), runs["graph"].nunique()
    if graphs > charts.MANY:
        ratios = runs.groupby("launch")["slower_than_best"].agg(["median", "max"]).loc[launches]
        ratios = ratios.set_axis([f"median of {graphs} graphs", "worst"], axis=1)
        cells = ratios.melt(ignore_index=False, var_name="row", value_name="slower_than_best")
        first = runs.iloc[0]
        return cells.reset_index(names="column").assign(
            algorithm=first["algorithm"], device=first["device"], tie=False, status=select.SOUND
        )
    place = runs["launch"].map(launches.index)
    runs = runs.assign(row=runs["graph"], column=runs["launch"], place=place)
    runs = runs.sort_values(["arcs", "place"], kind="stable")  # unknown before a first run: last
    parts = runs["launch"].str.rpartition("-")
    rows, columns = parts[0].nunique(), parts[2].nunique()
    if len(launches) > max(MANY, 0.6 * rows * columns) and min(rows, columns) > 1 and graphs <= GRAPHS:
        runs = runs.assign(row=runs["graph"] + "  " + parts[0], column=parts[2])
    return runs


def _natural(labels):
    """Labels in natural order: d8 before d32. Texts and numbers take turns in their parts."""
    return sorted(
        labels, key=lambda name: [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)]
    )


def _is_wide(panel):
    """Whether there are too many launches, or too long labels, for half the width."""
    columns = panel["column"].unique()
    return len(columns) > MANY or sum(len(name) + 2 for name in columns) > HALF_WIDTH


def _heads(columns):
    """The names of columns, in several lines where they are too long for one."""
    is_long = sum(len(name) + 2 for name in columns) > 3 * HALF_WIDTH
    return [name.replace("-", "\n") if is_long else name for name in columns]


def _inches(panel):
    """The height of a panel with what is above and below it."""
    lines = max(head.count("\n") for head in _heads(panel["column"].unique()))
    return AROUND + LINE * panel["row"].nunique() + NAMES * lines


def _draw(ax, left, right, top, panel):
    """Draw a panel between two sides: its cells, the names of their rows and columns, and a title."""
    rows, columns = list(panel["row"].unique()), _natural(panel["column"].unique())
    runs = panel[["row", "column", "slower_than_best", "tie", "status"]].itertuples(index=False)
    runs = {(row, column): run for row, column, *run in runs}
    cells = [[runs.get((row, column), (math.nan, False, None)) for column in columns] for row in rows]
    colours = [[1 if tie else ratio for ratio, tie, _ in row] for row in cells]
    edges, heights = np.linspace(left, right, len(columns) + 1), top + LINE * np.arange(len(rows) + 1)
    looks = {"cmap": mpl.colormaps["YlGnBu"].with_extremes(bad=style.EMPTY), "norm": LogNorm(1, WORST)}
    ax.pcolormesh(edges, heights, colours, edgecolor="w", lw=2, zorder=0, **looks)
    size = right - left, heights[-1] - top
    ax.add_patch(Rectangle((left, top), *size, fill=False, ec=style.FRAME, lw=1.25, clip_on=False))
    title = f"{panel['algorithm'].iloc[0]} · {style.DEVICES[panel['device'].iloc[0]]}"
    ax.text(left, top - NAMES / 2, title, va="bottom", fontsize=13, weight="bold")
    middles = (edges[:-1] + edges[1:]) / 2
    for name, row, y in zip(rows, cells, heights[:-1] + LINE / 2, strict=True):
        ax.text(left - NAMES, y, name, ha="right", va="center_baseline", fontsize=12, label="row")
        for run, x in zip(row, middles, strict=True):
            _cell(ax, x, y, *run)
    for head, x in zip(_heads(columns), middles, strict=True):
        ax.text(x, heights[-1] + NAMES / 2, head, ha="center", va="top", fontsize=11, label="column")


def _cell(ax, x, y, ratio, tie, status):
    if math.isnan(ratio):
        style.cell(ax, x, y, statuses.STATUSES[status].short if status else UNPLANNED, 11, style.MUTED)
    else:
        colour = style.PAPER if not tie and ratio > WORST**0.5 else style.INK
        number = f"{'≈' if tie else ''}{ratio:.2f}" if ratio < 9.995 else f"{ratio:.1f}"
        text, weight = ("1", "bold") if ratio == 1 else (number, "normal")
        style.cell(ax, x, y, text, 11, colour, weight)


def _legend(there):
    """What the short words of cells mean, of those that are there."""
    words = {status.short: status.word for status in statuses.STATUSES.values()}
    words |= {UNPLANNED: "not part of the study"}
    listed = [f"{short}  {word}" for short, word in words.items() if short in there and not word.startswith(short)]
    if any(text.startswith("≈") for text in there):
        listed.insert(0, "≈  as fast as the best, by their intervals")
    return "     ".join(listed)


def reading(table):
    worst = table.groupby("algorithm")["slower_than_best"].max().dropna().sort_values()
    slower = table[table["slower_than_best"] > 1]
    ends = [f"{name} (up to {style.factor(value)})" for name, value in (*worst.tail(1).items(), *worst.head(1).items())]
    matters = f"The launch matters most to {ends[0]}" + (f" and least to {ends[1]}" if len(worst) > 1 else "")
    ties = (
        f"{slower['tie'].mean():.0%} of the launches that are not the best tie with it"
        if len(slower)
        else "no other launch is sound"
    )
    return f"{matters}; {ties}."
