"""What the launch configuration costs.

The median time of every launch configuration as a multiple of the best one of the same algorithm on the same graph. The
best choice for a graph is 1×; a row of light cells means that the choice hardly matters. Algorithms with a single
configuration are not shown.
"""

import re

import numpy as np

from warpath.results import select, style
from warpath.results.figures import Nothing, Picture

HALF_WIDTH = 36  # letters of launch labels that fit under a panel of half the width
MANY = 8  # more launches than this take the whole width
WORST = 4  # end of the colour scale: anything slower is simply a bad choice
SHORT_STATUSES = {
    "wrong": "wrong",
    "timeout": "timeout",
    "out_of_memory": "mem",
    "unsupported": "n/a",
    "failed": "fail",
    "missing": "–",
}
COLUMNS = ["algorithm", "graph", "launch", "device_label", "device_name", "status", "median_ms", "slower_than_best"]


def draw(tables):
    import matplotlib.pyplot as plt

    table = relative(tables.summary)
    if table["slower_than_best"].isna().all():
        raise Nothing("no algorithm of this study has right answers with more than one launch configuration")
    panels = dict(list(table.groupby("algorithm", sort=False)))
    rows = _arrange(panels)
    heights = [max(panels[name]["graph"].nunique() for name in row) for row in rows]
    size = (style.WIDTH, 0.9 * len(rows) + 0.33 * sum(heights))
    halves = [[row[0], row[-1]] for row in rows]
    figure, axes = plt.subplot_mosaic(halves, figsize=size, height_ratios=heights)
    for algorithm, ax in axes.items():
        mesh = _heatmap(ax, algorithm, panels[algorithm])
    bar = figure.colorbar(mesh, ax=list(axes.values()), shrink=min(1, 3.2 / size[1]), pad=0.01, anchor=(0, 1))
    bar.set_ticks(np.log([1, 1.5, 2, 3, WORST]), labels=["1×", "1.5×", "2×", "3×", "≥ 4×"])
    bar.set_label("time over the best launch")
    style.heading(figure, __doc__, table)
    return Picture(figure, table[COLUMNS], reading(table))


def relative(summary):
    """The runs of every algorithm with several launches, with their time over the best one on the same graph."""
    kernels = summary[summary["device"] != "cpu"]
    launches = kernels.groupby("algorithm")["launch"].transform("nunique")
    kernels = kernels[launches > 1].copy()
    best = select.sound(kernels).groupby(["algorithm", "graph"])["median_ms"].min().rename("best_ms")
    kernels = kernels.join(best, on=["algorithm", "graph"])
    ratios = kernels["median_ms"] / kernels["best_ms"]
    return kernels.assign(slower_than_best=ratios.where(kernels["status"] == select.SOUND))


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


def _launches(table):
    """The launch labels in natural order: d8 before d32."""
    parts = [re.split(r"(\d+)", launch) for launch in table["launch"].unique()]
    parts.sort(key=lambda label: [int(part) if part.isdecimal() else part for part in label])
    return ["".join(label) for label in parts]


def _heatmap(ax, algorithm, table):
    graphs = table.drop_duplicates("graph").sort_values("arcs")["graph"]
    launches = _launches(table)
    ratios = table.pivot(index="graph", columns="launch", values="slower_than_best").loc[graphs, launches]
    statuses = table.pivot(index="graph", columns="launch", values="status").loc[graphs, launches]
    mesh = ax.pcolormesh(np.log(ratios.to_numpy(float)), cmap="YlGnBu", vmin=0, vmax=np.log(WORST), edgecolor="w", lw=2)
    for (row, column), ratio in np.ndenumerate(ratios.to_numpy(float)):
        text = f"{ratio:.2f}" if not np.isnan(ratio) else SHORT_STATUSES.get(statuses.iloc[row, column], "")
        colour = "white" if ratio > WORST**0.5 else style.INK
        ax.text(column + 0.5, row + 0.5, text, ha="center", va="center", color=colour, fontsize=11)
    ax.set_xticks(
        np.arange(len(launches)) + 0.5, launches, rotation=60 if _label_letters(table) > 3 * HALF_WIDTH else 0
    )
    ax.set_yticks(np.arange(len(graphs)) + 0.5, graphs)
    ax.invert_yaxis()
    ax.grid(visible=False)
    ax.set_facecolor("#EEEEEE")
    ax.set_title(f"{algorithm} · {style.DEVICES[table['device'].iloc[0]]}", fontsize=13)
    return mesh


def reading(table):
    worst = table.groupby("algorithm")["slower_than_best"].max().dropna()
    listed = ", ".join(f"{algorithm} {style.factor(value)}" for algorithm, value in worst.items())
    return f"Slowest launch over the best one, worst graph of each algorithm: {listed}."
