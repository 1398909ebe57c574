"""What the launch configuration costs.

The median time of every launch configuration as a multiple of the best one of the same algorithm on the same graph. The
best is in bold; ≈ marks the launches whose 95 % interval overlaps the best one's, which have its colour. A row without
darker cells means that the choice hardly matters. Where many launches vary two things, each graph has a grid of its
own. Of more than a dozen graphs the median and the worst are shown. Algorithms with a single configuration are left
out.
"""

import math
import re
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np

from warpath.results import charts, select, style
from warpath.results.figures import Nothing, Picture
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
COLUMNS = [
    *["algorithm", "graph", "launch", "device_label", "device_name", "status", "median_ms", "slower_than_best", "tie"],
]


def draw(tables):
    import matplotlib.pyplot as plt

    table = relative(tables.summary)
    if table["slower_than_best"].isna().all():
        raise Nothing("no algorithm of this study has right answers with more than one launch configuration")
    panels = {panel.algorithm: panel for panel in _panels(table)}
    rows = _arrange(panels)
    heights = [max(_inches(panels[name]) for name in row) for row in rows]
    figure = plt.figure(figsize=(style.WIDTH, sum(heights)), layout="none")
    sheet = _sheet(figure)
    lefts = _lefts(panels.values())
    for place, row in enumerate(rows):
        width = style.WIDTH / len(row)
        for side, panel in enumerate(panels[name] for name in row):
            left, right = side * width + lefts[_is_grid(panel)], (side + 1) * width
            sides = left, right - (GAP if side + 1 < len(row) else 0)
            (_grids if _is_grid(panel) else _flat)(sheet, sides, sum(heights[:place]), panel)
    mesh = _paint(sheet)
    _colour_bar(figure, mesh)
    if legend := _legend({text.get_text() for text in sheet.ax.texts if text.get_label() == "cell"}):
        charts.note(figure, legend)
    finding = reading(table)
    style.heading(figure, __doc__, table, finding)
    return Picture(figure, table[COLUMNS], finding)


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
    """The runs of an algorithm: `runs` maps a graph and a launch to the ratio, whether it is a tie, and the status."""

    algorithm: str
    device: str
    graphs: list  # the smallest first
    launches: list
    runs: dict


def _panels(table):
    panels = {}
    columns = table[["algorithm", "device", "graph", "arcs", "launch", "slower_than_best", "tie", "status"]]
    columns = columns.assign(arcs=columns["arcs"].astype(float).fillna(float("inf")))  # unknown before a first run
    for algorithm, device, graph, arcs, launch, *run in columns.itertuples(index=False, name=None):
        _, graphs, runs = panels.setdefault(algorithm, (device, {}, {}))
        graphs.setdefault(graph, arcs)
        runs[graph, launch] = run
    for algorithm, (device, graphs, runs) in panels.items():
        launches = list(dict.fromkeys(launch for _, launch in runs))
        yield Panel(algorithm, device, sorted(graphs, key=graphs.get), launches, runs)


def _arrange(panels):
    """Rows of panels: two narrow ones side by side, a wide one or an odd one by itself."""
    rows = []
    for name, panel in panels.items():
        if rows and len(rows[-1]) == 1 and not _wide(panel) and not _wide(panels[rows[-1][0]]):
            rows[-1].append(name)
        else:
            rows.append([name])
    return rows


def _wide(panel):
    """Whether there are too many launches, or too long labels, for half the width."""
    return len(panel.launches) > MANY or _label_letters(panel) > HALF_WIDTH


def _label_letters(panel):
    """Letters of all launch labels in a line, gaps included."""
    return sum(len(launch) + 2 for launch in panel.launches)


def _summarised(panel):
    return len(panel.graphs) > charts.MANY


def _is_grid(panel):
    """Whether launches vary two things, in almost every combination, and are too many for a row."""
    rows, columns = _axes_of(panel.launches)
    full = len(panel.launches) > 0.6 * len(rows) * len(columns) and min(len(rows), len(columns)) > 1
    return full and len(panel.launches) > MANY and len(panel.graphs) <= GRIDS


def _axes_of(launches):
    """The labels of a grid of launches: all but the last part of each, and the last part."""
    parts = [launch.rpartition("-") for launch in launches]
    return _natural({first for first, _, _ in parts}), _natural({last for _, _, last in parts})


def _natural(labels):
    """Labels in natural order: d8 before d32."""
    return sorted(
        labels,
        key=lambda label: [
            (part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", label)
        ],
    )


class Sheet(NamedTuple):
    """Axes in inches from the upper left corner, and blocks (sides, top, logarithms)."""

    ax: Any
    blocks: list


def _sheet(figure):
    width, height = figure.get_size_inches()
    ax = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    ax.set_axis_off()
    return Sheet(ax, [])


def _lefts(panels):
    """Inches left of the cells of all panels that are grids, and of all that are not."""
    lefts = {True: 0, False: 0}
    for panel in panels:
        widest = NAMES + max(style.inches(name, 12) for name in _row_names(panel))
        lefts[_is_grid(panel)] = max(lefts[_is_grid(panel)], widest)
    return lefts


def _inches(panel):
    """The height of a panel and of the gap below it."""
    below = HEADS
    if _is_grid(panel):
        below += GRAPHS
    elif _is_steep(panel):
        below += max(style.inches(launch, 12) for launch in panel.launches) * math.sin(math.radians(SLOPE))
    return TITLE + LINE * len(_row_names(panel)) + below + GAP


def _row_names(panel):
    if _is_grid(panel):
        return _axes_of(panel.launches)[0]
    return [f"median of {len(panel.graphs)} graphs", "worst"] if _summarised(panel) else panel.graphs


def _is_steep(panel):
    return _label_letters(panel) > 3 * HALF_WIDTH


def _flat(sheet, sides, top, panel):
    """A panel with a row per graph and a column per launch."""
    launches, names = _natural(panel.launches), _row_names(panel)
    if _summarised(panel):
        ratios = {launch: [] for launch in launches}
        for (_, launch), (ratio, *_) in panel.runs.items():
            ratios[launch] += [] if math.isnan(ratio) else [ratio]
        found = {
            (y, x): (over(ratios[launch]) if ratios[launch] else np.nan, False, "")
            for y, over in enumerate((np.median, max))
            for x, launch in enumerate(launches)
        }
    else:
        found = _found(panel, [[(graph, launch) for launch in launches] for graph in names])
    _heading(sheet, sides, top, panel)
    _cells(sheet, sides, top, found)
    below = top + TITLE + LINE * len(names) + NAMES / 2
    for launch, x in zip(launches, _middles(sides, len(launches)), strict=True):
        if _is_steep(panel):
            sheet.ax.text(x, below, launch, rotation=SLOPE, ha="center", va="top", fontsize=12)
        else:
            _head(sheet, x, below, launch, 12)


def _head(sheet, x, y, name, size):
    sheet.ax.text(x, y, name, ha="center", va="top", fontsize=size, label="column")


def _grids(sheet, sides, top, panel):
    """A grid of launches for each graph, side by side."""
    rows, columns = _axes_of(panel.launches)
    size = 9 if len(columns) * len(panel.graphs) > 20 else 11
    step = (sides[1] - sides[0] + BETWEEN) / len(panel.graphs)
    _heading(sheet, sides, top, panel)
    for number, graph in enumerate(panel.graphs):
        wanted = [[(graph, "-".join(filter(None, (row, column)))) for column in columns] for row in rows]
        start = sides[0] + number * step
        ends = start, start + step - BETWEEN
        _cells(sheet, ends, top, _found(panel, wanted), size)
        below = top + TITLE + LINE * len(rows)
        for column, x in zip(columns, _middles(ends, len(columns)), strict=True):
            _head(sheet, x, below + NAMES / 2, column, 12)
        _head(sheet, sum(ends) / 2, below + HEADS, graph, 11)


def _heading(sheet, sides, top, panel):
    """Write the title of a panel and the names of its rows."""
    title = f"{panel.algorithm} · {style.DEVICES[panel.device]}"
    sheet.ax.text(sides[0], top + TITLE - NAMES / 2, title, va="bottom", fontsize=13, weight="bold")
    for y, name in enumerate(_row_names(panel)):
        place = sides[0] - NAMES, top + TITLE + LINE * (y + 0.5)
        sheet.ax.text(*place, name, ha="right", va="center_baseline", fontsize=12, label="row")


def _found(panel, wanted):
    """The ratio, whether it is a tie, and the status of each graph and launch, by its place."""
    nothing = (np.nan, False, None)
    return {(y, x): panel.runs.get(pair, nothing) for y, row in enumerate(wanted) for x, pair in enumerate(row)}


def _middles(sides, count):
    """The middles of so many columns."""
    left, right = sides
    return [left + (place + 0.5) * (right - left) / count for place in range(count)]


def _cells(sheet, sides, top, found, size=11):
    logs = np.full(np.max([*found], axis=0) + 1, np.nan)
    middles = _middles(sides, logs.shape[1])
    for (y, x), (ratio, tie, status) in found.items():
        text = statuses.STATUSES[status].short if status in statuses.STATUSES else UNPLANNED
        colour, weight = style.MUTED, "normal"
        if not np.isnan(ratio):
            logs[y, x] = 0 if tie else np.log(ratio)
            colour = style.PAPER if not tie and ratio > WORST**0.5 else style.INK
            text, weight = ("1", "bold") if ratio == 1 else (f"{'≈' if tie else ''}{_ratio(ratio)}", "normal")
        style.cell(sheet.ax, middles[x], top + TITLE + LINE * (y + 0.5), text, size, colour, weight)
    sheet.blocks.append((sides, top + TITLE, logs))


def _paint(sheet):
    """Draw all cells of all blocks, and a frame around each block."""
    from matplotlib.collections import PolyCollection
    from matplotlib.patches import Rectangle

    corners, logs = [], np.concatenate([block.ravel() for *_, block in sheet.blocks])
    for (left, right), top, block in sheet.blocks:
        height, width = block.shape
        x, y = np.linspace(left, right, width + 1), top + LINE * np.arange(height + 1)
        corners += [
            [(x[i], y[j]), (x[i + 1], y[j]), (x[i + 1], y[j + 1]), (x[i], y[j + 1])]
            for j in range(height)
            for i in range(width)
        ]
        frame = Rectangle((left, top), right - left, LINE * height, fill=False, ec=style.FRAME, lw=1.25, clip_on=False)
        sheet.ax.add_patch(frame)
    colours = mpl.colormaps["YlGnBu"].with_extremes(bad=style.EMPTY)
    mesh = PolyCollection(corners, array=np.ma.masked_invalid(logs), cmap=colours, edgecolor="w", lw=2, zorder=0)
    mesh.set_clim(0, np.log(WORST))
    return sheet.ax.add_collection(mesh, autolim=False)


def _ratio(ratio):
    return f"{ratio:.2f}" if ratio < 9.995 else f"{ratio:.1f}"


def _colour_bar(figure, mesh):
    """Draw the scale right of the panels, outside of their layout."""
    height = min(1, 2.6 / figure.get_figheight())
    bar = figure.colorbar(mesh, cax=figure.add_axes((1.005, 1 - height, 0.014, height * 0.92)))
    bar.set_ticks(np.log([1, 1.5, 2, 3, WORST]), labels=["1×", "1.5×", "2×", "3×", "≥ 4×"])
    bar.set_label("time over the best")


def _legend(there):
    """What the short words of cells mean, of those that are there."""
    words = {status.short: status.word for status in statuses.STATUSES.values()}
    words |= {UNPLANNED: "not part of the study"}
    listed = [f"{short}  {word}" for short, word in words.items() if short in there and not word.startswith(short)]
    if any(text.startswith("≈") for text in there):
        listed.insert(0, "≈  as fast as the best, by their intervals")
    return "     ".join(listed)


def reading(table):
    if select.emulated(table):
        return charts.UNRANKED
    worst = table.groupby("algorithm")["slower_than_best"].max().dropna().sort_values()
    slower = select.sound(table[table["slower_than_best"] > 1])
    ends = [f"{name} (up to {style.factor(value)})" for name, value in (*worst.tail(1).items(), *worst.head(1).items())]
    matters = f"The launch matters most to {ends[0]}" + (f" and least to {ends[1]}" if len(worst) > 1 else "")
    ties = (
        f"{slower['tie'].mean():.0%} of the launches that are not the best tie with it"
        if len(slower)
        else "no other launch is sound"
    )
    return f"{matters}; {ties}."
