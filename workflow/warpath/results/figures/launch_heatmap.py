"""What the launch configuration costs.

The median time of every launch configuration as a multiple of the best one of the same algorithm on the same graph. The
best is in bold; ≈ marks the launches whose 95 % interval overlaps the best one's, which have its colour. A row without
darker cells means that the choice hardly matters. Where many launches vary two things, each graph has a grid of its
own. Of more than a dozen graphs the median and the worst are shown. Algorithms with a single configuration are left
out.
"""

import math
import re
from typing import NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from warpath.results import charts, select, style
from warpath.results.figures import Nothing
from warpath.runs import statuses

HALF_WIDTH = 36  # letters of launch labels that fit under a panel of half the width
MANY = 8  # more launches than this take the whole width, or are a grid
GRIDS = 6  # graphs whose grids fit side by side
TITLE, LINE, HEADS, GRAPHS, GAP = 0.31, 0.33, 0.32, 0.24, 0.2  # inches from above: parts of a panel, and what follows
NAMES = 0.14  # inches between names of rows and cells
BETWEEN = 0.1  # inches between grids
SLOPE = 60  # degrees, of many long labels
WORST = 4  # end of the colour scale: anything slower is simply a bad choice
UNPLANNED = "·"
NO_RUN = (math.nan, False, None)
COLUMNS = [
    *["algorithm", "graph", "launch", "device_label", "device_name", "status", "median_ms", "slower_than_best", "tie"],
]


def draw(tables):
    table = relative(tables.summary)
    if table["slower_than_best"].isna().all():
        raise Nothing("no algorithm of this study has right answers with more than one launch configuration")
    rows = []  # of panels: two narrow ones side by side, a wide one or an odd one by itself
    for panel in (_panel(runs) for _, runs in table.groupby("algorithm", sort=False)):
        if rows and len(rows[-1]) == 1 and not panel.is_wide and not rows[-1][0].is_wide:
            rows[-1].append(panel)
        else:
            rows.append([panel])
    heights = [max(map(_inches, row)) for row in rows]
    lefts = {}  # inches of the names of rows, of all panels that are grids and of all that are not
    for panel in (panel for row in rows for panel in row):
        widest = NAMES + max(style.inches(name, 12) for name in panel.names)
        lefts[panel.is_grid] = max(lefts.get(panel.is_grid, 0), widest)
    figure = plt.figure(figsize=(style.WIDTH, sum(heights)), layout="none")
    ax = figure.add_axes((0, 0, 1, 1), xlim=(0, style.WIDTH), ylim=(sum(heights), 0))  # inches from the upper left
    ax.set_axis_off()
    for place, row in enumerate(rows):
        width = style.WIDTH / len(row)
        for side, panel in enumerate(row):
            right = (side + 1) * width - (GAP if side + 1 < len(row) else 0)
            _draw(ax, (side * width + lefts[panel.is_grid], right), sum(heights[:place]), panel)
    height = min(1, 2.6 / figure.get_figheight())
    beside = figure.add_axes((1.005, 1 - height, 0.014, height * 0.92))  # right of the panels
    bar = figure.colorbar(ax.collections[0], cax=beside)
    bar.set_ticks(np.log([1, 1.5, 2, 3, WORST]), labels=["1×", "1.5×", "2×", "3×", "≥ 4×"])
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


class Panel(NamedTuple):
    """The launches of an algorithm: a column each, or on each graph a grid of rows and columns.

    `blocks` are tables of cells beside each other, each a row of lists of (ratio, whether it is a tie, status).
    """

    title: str
    names: list  # of rows
    columns: list
    blocks: list
    graphs: list  # below the blocks of a grid, the smallest first

    @property
    def is_grid(self):
        return bool(self.graphs)

    @property
    def letters(self):
        """Letters of all names of columns in a line, gaps included."""
        return sum(len(name) + 2 for name in self.columns)

    @property
    def is_wide(self):
        """Whether there are too many launches, or too long labels, for half the width."""
        return self.is_grid or len(self.columns) > MANY or self.letters > HALF_WIDTH

    @property
    def is_steep(self):
        return not self.is_grid and self.letters > 3 * HALF_WIDTH


def _panel(table):
    """The panel of an algorithm's runs."""
    runs = {
        (row["graph"], row["launch"]): (row["slower_than_best"], row["tie"], row["status"])
        for row in table.to_dict("records")
    }
    title = f"{table['algorithm'].iloc[0]} · {style.DEVICES[table['device'].iloc[0]]}"
    graphs = list(table.sort_values("arcs", kind="stable")["graph"].unique())  # unknown before a first run: last
    launches = _natural(table["launch"].unique())
    parts = [launch.rpartition("-") for launch in launches]  # a grid's rows are all but the last part
    rows, columns = _natural({first for first, _, _ in parts}), _natural({last for _, _, last in parts})
    is_full = len(launches) > 0.6 * len(rows) * len(columns) and min(len(rows), len(columns)) > 1
    if is_full and len(launches) > MANY and len(graphs) <= GRIDS:
        grids = [
            [[runs.get((graph, "-".join(filter(None, (row, column)))), NO_RUN) for column in columns] for row in rows]
            for graph in graphs
        ]
        return Panel(title, rows, columns, grids, graphs)
    if len(graphs) > charts.MANY:
        ratios = table.groupby("launch")["slower_than_best"].agg(["median", "max"]).loc[launches]
        cells = [[(ratio, False, None) for ratio in ratios[over]] for over in ratios]
        return Panel(title, [f"median of {len(graphs)} graphs", "worst"], launches, [cells], [])
    cells = [[runs.get((graph, launch), NO_RUN) for launch in launches] for graph in graphs]
    return Panel(title, graphs, launches, [cells], [])


def _natural(labels):
    """Labels in natural order: d8 before d32."""
    return sorted(
        labels,
        key=lambda label: [
            (part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", label)
        ],
    )


def _inches(panel):
    """The height of a panel and of the gap below it."""
    below = HEADS + (GRAPHS if panel.is_grid else 0)
    if panel.is_steep:
        below += max(style.inches(name, 12) for name in panel.columns) * math.sin(math.radians(SLOPE))
    return TITLE + LINE * len(panel.names) + below + GAP


def _draw(ax, sides, top, panel):
    """Draw a panel between its sides."""
    left, right = sides
    ax.text(left, top + TITLE - NAMES / 2, panel.title, va="bottom", fontsize=13, weight="bold")
    heights = top + TITLE + LINE * np.arange(len(panel.names) + 1)
    for name, y in zip(panel.names, heights, strict=False):
        ax.text(left - NAMES, y + LINE / 2, name, ha="right", va="center_baseline", fontsize=12, label="row")
    step = (right - left + BETWEEN) / len(panel.blocks)
    size = 9 if panel.is_grid and len(panel.columns) * len(panel.blocks) > 20 else 11
    for number, cells in enumerate(panel.blocks):
        start, end = left + number * step, left + (number + 1) * step - BETWEEN
        edges = np.linspace(start, end, len(panel.columns) + 1)
        _cells(ax, edges, heights, cells, size)
        for name, x in zip(panel.columns, (edges[:-1] + edges[1:]) / 2, strict=True):
            looks = {"rotation": SLOPE} if panel.is_steep else {"label": "column"}
            ax.text(x, heights[-1] + NAMES / 2, name, ha="center", va="top", fontsize=12, **looks)
        if panel.is_grid:
            looks = {"ha": "center", "va": "top", "fontsize": 11, "label": "column"}
            ax.text((start + end) / 2, heights[-1] + HEADS, panel.graphs[number], **looks)


def _cells(ax, edges, heights, cells, size):
    """Draw a table of cells, and a frame around it."""
    logs = [[0 if tie else np.log(ratio) for ratio, tie, _ in row] for row in cells]
    colours = mpl.colormaps["YlGnBu"].with_extremes(bad=style.EMPTY)
    ax.pcolormesh(edges, heights, logs, cmap=colours, vmin=0, vmax=np.log(WORST), edgecolor="w", lw=2, zorder=0)
    size_of = edges[-1] - edges[0], heights[-1] - heights[0]
    ax.add_patch(Rectangle((edges[0], heights[0]), *size_of, fill=False, ec=style.FRAME, lw=1.25, clip_on=False))
    for y, row in zip(heights, cells, strict=False):
        for x, (ratio, tie, status) in zip((edges[:-1] + edges[1:]) / 2, row, strict=True):
            text = statuses.STATUSES[status].short if status in statuses.STATUSES else UNPLANNED
            colour, weight = style.MUTED, "normal"
            if not np.isnan(ratio):
                colour = style.PAPER if not tie and ratio > WORST**0.5 else style.INK
                number = f"{ratio:.2f}" if ratio < 9.995 else f"{ratio:.1f}"
                text, weight = ("1", "bold") if ratio == 1 else (f"{'≈' if tie else ''}{number}", "normal")
            style.cell(ax, x, y + LINE / 2, text, size, colour, weight)


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
