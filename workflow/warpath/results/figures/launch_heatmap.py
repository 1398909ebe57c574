"""What the launch configuration costs.

The median time of every launch configuration as a multiple of the best one of the same algorithm on the same graph. The
best is in bold; ≈ marks the launches whose 95 % interval overlaps the best one's, which have its colour. A row without
darker cells means that the choice hardly matters. Where many launches vary two things, each graph has a grid of its
own. Of more than a dozen graphs the median and the worst are shown. Algorithms with a single configuration are left
out.
"""

import re

import numpy as np

from warpath.results import charts, select, style
from warpath.results.figures import Nothing, Picture
from warpath.results.words import Words

HALF_WIDTH = 36  # letters of launch labels that fit under a panel of half the width
MANY = 8  # more launches than this take the whole width, or are a grid
GRIDS = 6  # graphs whose grids fit side by side
BELOW_NAMES = 28  # points from a grid to its graph, below the names of columns
WORST = 4  # end of the colour scale: anything slower is simply a bad choice
SHORT_STATUSES = {
    "wrong": "wrong",
    "timeout": "timeout",
    "out_of_memory": "mem",
    "unsupported": "n/a",
    "failed": "fail",
    "missing": "–",
}
UNPLANNED = "·"
SHOWN = ["algorithm", "graph", "arcs", "launch", "device", "status", "slower_than_best", "tie"]
COLUMNS = [
    *["algorithm", "graph", "launch", "device_label", "device_name", "status", "median_ms", "slower_than_best", "tie"],
]


def draw(tables):
    import matplotlib.pyplot as plt

    table = relative(tables.summary)
    if table["slower_than_best"].isna().all():
        raise Nothing("no algorithm of this study has right answers with more than one launch configuration")
    panels = dict(list(table[SHOWN].groupby("algorithm", sort=False)))
    rows = _arrange(panels)
    heights = [max(_lines(panels[name]) for name in row) for row in rows]
    figure = plt.figure(figsize=(style.WIDTH, sum(0.95 + 0.33 * lines for lines in heights)))
    layout = figure.add_gridspec(len(rows), 2, height_ratios=[lines + 1.2 for lines in heights])
    for place, row in enumerate(rows):
        for side, name in enumerate(row):
            room = layout[place, side] if len(row) == 2 else layout[place, :]
            mesh = (_grids if _is_grid(panels[name]) else _flat)(figure, room, panels[name])
    _colour_bar(figure, mesh)
    if legend := _legend(figure):
        charts.note(figure, legend)
    style.heading(figure, __doc__, table, reading(table))
    return Picture(figure, table[COLUMNS], reading(table))


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


def _arrange(panels):
    """Rows of panels: two narrow ones side by side, a wide one or an odd one by itself."""
    rows = []
    for name, table in panels.items():
        if rows and len(rows[-1]) == 1 and not _wide(table) and not _wide(panels[rows[-1][0]]):
            rows[-1].append(name)
        else:
            rows.append([name])
    return rows


def _wide(table):
    """Whether there are too many launches, or too long labels, for half the width."""
    return table["launch"].nunique() > MANY or _label_letters(table) > HALF_WIDTH


def _label_letters(table):
    """Letters of all launch labels in a line, gaps included."""
    return sum(len(launch) + 2 for launch in table["launch"].unique())


def _summarised(table):
    return table["graph"].nunique() > charts.MANY


def _is_grid(table):
    """Whether launches vary two things, in almost every combination, and are too many for a row."""
    launches = table["launch"].unique()
    rows, columns = _axes_of(launches)
    full = len(launches) > 0.6 * len(rows) * len(columns) and min(len(rows), len(columns)) > 1
    return full and len(launches) > MANY and table["graph"].nunique() <= GRIDS


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


def _lines(table):
    if _is_grid(table):
        return len(_axes_of(table["launch"].unique())[0]) + 0.9
    return 2 if _summarised(table) else table["graph"].nunique()


def _flat(figure, room, table):
    """A panel with a row per graph and a column per launch."""
    ax = figure.add_subplot(room)
    launches = _natural(table["launch"].unique())
    graphs = list(table.drop_duplicates("graph").sort_values("arcs")["graph"])
    if _summarised(table):
        ratios = table.groupby("launch")["slower_than_best"].agg(["median", "max"]).T[launches]
        names = [f"median of {len(graphs)} graphs", "worst"]
        found = {(y, x): (ratios.iloc[y, x], False, "") for y in range(2) for x in range(len(launches))}
    else:
        names = graphs
        found = _found(table, [[(graph, launch) for launch in launches] for graph in graphs])
    steep = _label_letters(table) > 3 * HALF_WIDTH
    mesh = _cells(ax, found, len(names), len(launches))
    if steep:
        ax.set_xticks(np.arange(len(launches)) + 0.5, launches, rotation=60)
    else:
        style.name_columns(ax, style.middles(launches))
    style.name_rows(ax, style.middles(names))
    ax.set_title(_title(table), fontsize=13, y=1)
    return mesh


def _grids(figure, room, table):
    """A grid of launches for each graph, side by side."""
    rows, columns = _axes_of(table["launch"].unique())
    graphs = list(table.drop_duplicates("graph").sort_values("arcs")["graph"])
    for number, (graph, cell) in enumerate(zip(graphs, room.subgridspec(1, len(graphs)), strict=True)):
        ax = figure.add_subplot(cell)
        wanted = [[(graph, "-".join(filter(None, (row, column)))) for column in columns] for row in rows]
        mesh = _cells(
            ax, _found(table, wanted), len(rows), len(columns), size=9 if len(columns) * len(graphs) > 20 else 11
        )
        style.name_columns(ax, style.middles(columns))
        style.name_rows(ax, style.middles(rows if number == 0 else []))
        ax.set_xlabel(graph, fontsize=11, labelpad=BELOW_NAMES)
        if number == 0:
            ax.set_title(_title(table), fontsize=13, y=1)
    return mesh


def _title(table):
    return f"{table['algorithm'].iloc[0]} · {style.DEVICES[table['device'].iloc[0]]}"


def _found(table, wanted):
    """The ratio, whether it is a tie, and the status of each graph and launch, by its place."""
    columns = table[["graph", "launch", "slower_than_best", "tie", "status"]].itertuples(index=False, name=None)
    known = {(graph, launch): values for graph, launch, *values in columns}
    nothing = (np.nan, False, None)
    return {(y, x): known.get(pair, nothing) for y, row in enumerate(wanted) for x, pair in enumerate(row)}


def _cells(ax, found, height, width, size=11):
    logs = np.full((height, width), np.nan)
    words = Words(ax)
    for (y, x), (ratio, tie, status) in found.items():
        text, colour, weight = SHORT_STATUSES.get(status, UNPLANNED), style.MUTED, "normal"
        if not np.isnan(ratio):
            logs[y, x] = 0 if tie else np.log(ratio)
            colour = style.PAPER if not tie and ratio > WORST**0.5 else style.INK
            text, weight = ("1", "bold") if ratio == 1 else (f"{'≈' if tie else ''}{_ratio(ratio)}", "normal")
        words.add(x + 0.5, y + 0.5, text, size, colour, weight)
    mesh = ax.pcolormesh(logs, cmap="YlGnBu", vmin=0, vmax=np.log(WORST), edgecolor="w", lw=2)
    mesh.set_zorder(0)
    ax.invert_yaxis()
    ax.set_facecolor(style.EMPTY)
    return mesh


def _ratio(ratio):
    return f"{ratio:.2f}" if ratio < 9.995 else f"{ratio:.1f}"


def _colour_bar(figure, mesh):
    """Draw the scale right of the panels, outside of their layout."""
    height = min(1, 2.6 / figure.get_figheight())
    bar = figure.colorbar(mesh, cax=figure.add_axes((1.005, 1 - height, 0.014, height * 0.92)))
    bar.set_ticks(np.log([1, 1.5, 2, 3, WORST]), labels=["1×", "1.5×", "2×", "3×", "≥ 4×"])
    bar.set_label("time over the best")


def _legend(figure):
    """What the short words of cells mean, of those that are there."""
    drawn = [artist for ax in figure.axes for artist in ax.artists if isinstance(artist, Words)]
    there = {text for words in drawn for text in words.texts()}
    words = {short: style.STATUSES[status] for status, short in SHORT_STATUSES.items()}
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
