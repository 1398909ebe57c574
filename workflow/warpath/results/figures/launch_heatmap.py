"""What the launch configuration costs.

For every algorithm with more than one launch configuration: the median time of each, as a multiple of the best one on
the same graph. 1× is the best choice for that graph; a row of light cells means that the choice hardly matters.
"""

import re

import numpy as np

from warpath.results import select, style
from warpath.results.figures import Nothing, Picture

HALF = 36  # letters under a panel of half the width
WORST = 4  # the colour scale ends here: whatever is slower than this is simply a bad choice
SHORT = {
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
    blocks = dict(list(table.groupby("algorithm", sort=False)))
    rows = _arrange(blocks)
    heights = [max(blocks[name]["graph"].nunique() for name in row) for row in rows]
    size = (style.WIDTH, 0.9 * len(rows) + 0.33 * sum(heights))
    halves = [[row[0], row[-1]] for row in rows]
    figure, axes = plt.subplot_mosaic(halves, figsize=size, height_ratios=heights)
    for algorithm, ax in axes.items():
        mesh = _heatmap(ax, algorithm, blocks[algorithm])
    bar = figure.colorbar(mesh, ax=list(axes.values()), shrink=min(1, 3.2 / size[1]), pad=0.01, anchor=(0, 1))
    bar.set_ticks(np.log([1, 1.5, 2, 3, WORST]), labels=["1×", "1.5×", "2×", "3×", "≥ 4×"])
    bar.set_label("time over the best launch")
    style.heading(figure, "What the launch configuration costs", table)
    return Picture(figure, table[COLUMNS], reading(table))


def _launches(block):
    """In the order of their numbers: d8 before d32."""
    words = [re.split(r"(\d+)", launch) for launch in block["launch"].unique()]
    return ["".join(each) for each in sorted(words, key=lambda each: [int(w) if w.isdecimal() else w for w in each])]


def _letters(block):
    """That the names of launches take on a line, with what keeps them apart."""
    return sum(len(launch) + 2 for launch in block["launch"].unique())


def _wide(block):
    """Too many launches, or too long names, for half of the width."""
    return block["launch"].nunique() > 8 or _letters(block) > HALF


def _arrange(blocks):
    """Rows of panels: two narrow ones side by side, a wide one or the last one by itself."""
    rows = []
    for name, block in blocks.items():
        if rows and len(rows[-1]) == 1 and not _wide(block) and not _wide(blocks[rows[-1][0]]):
            rows[-1].append(name)
        else:
            rows.append([name])
    return rows


def relative(summary):
    """The runs of every algorithm that has a choice, with their time over the best of the same graph."""
    kernels = summary[summary["device"] != "cpu"]
    launches = kernels.groupby("algorithm")["launch"].transform("nunique")
    kernels = kernels[launches > 1].copy()
    best = select.sound(kernels).groupby(["algorithm", "graph"])["median_ms"].min().rename("best_ms")
    kernels = kernels.join(best, on=["algorithm", "graph"])
    kernels["slower_than_best"] = (kernels["median_ms"] / kernels["best_ms"]).where(kernels["status"] == "ok")
    return kernels


def _heatmap(ax, algorithm, block):
    order = block.drop_duplicates("graph").sort_values("arcs")["graph"]
    launches = _launches(block)
    values = block.pivot(index="graph", columns="launch", values="slower_than_best").loc[order, launches]
    statuses = block.pivot(index="graph", columns="launch", values="status").loc[order, launches]
    mesh = ax.pcolormesh(np.log(values.to_numpy(float)), cmap="YlGnBu", vmin=0, vmax=np.log(WORST), edgecolor="w", lw=2)
    for (row, column), value in np.ndenumerate(values.to_numpy(float)):
        words = f"{value:.2f}" if not np.isnan(value) else SHORT.get(statuses.iloc[row, column], "")
        colour = "white" if value > WORST**0.5 else style.INK
        ax.text(column + 0.5, row + 0.5, words, ha="center", va="center", color=colour, fontsize=11)
    ax.set_xticks(np.arange(len(launches)) + 0.5, launches, rotation=60 if _letters(block) > 3 * HALF else 0)
    ax.set_yticks(np.arange(len(order)) + 0.5, order)
    ax.invert_yaxis()
    ax.grid(visible=False)
    ax.set_facecolor("#EEEEEE")
    ax.set_title(f"{algorithm} · {style.DEVICES[block['device'].iloc[0]]}", fontsize=13)
    return mesh


def reading(table):
    worst = table.groupby("algorithm")["slower_than_best"].max().dropna()
    said = ", ".join(f"{algorithm} {style.factor(value)}" for algorithm, value in worst.items())
    return f"Slowest launch over the best one, worst graph of each algorithm: {said}."
