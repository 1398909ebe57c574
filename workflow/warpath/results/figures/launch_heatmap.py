"""What the launch configuration costs.

For every algorithm with more than one launch configuration: the median time of each, as a multiple of the best one on
the same graph. 1× is the best choice for that graph; a row of light cells means that the choice hardly matters.
"""

import numpy as np

from warpath.results import select, style
from warpath.results.figures import Nothing, Picture

WORST = 4  # the colour scale ends here: whatever is slower than this is simply a bad choice
SHORT = {"wrong": "wrong", "timeout": "timeout", "out_of_memory": "mem", "unsupported": "n/a", "failed": "fail", "missing": "–"}
COLUMNS = ["algorithm", "graph", "launch", "device_label", "device_name", "status", "median_ms", "slower_than_best"]


def draw(tables):
    import matplotlib.pyplot as plt

    table = relative(tables.summary)
    if table.empty:
        raise Nothing("no algorithm of this study was run with more than one launch configuration")
    blocks = list(table.groupby("algorithm", sort=False))
    across = 1 if table.groupby("algorithm")["launch"].nunique().max() > 8 else 2
    heights = [max(block["graph"].nunique() for _, block in blocks[at : at + across]) for at in range(0, len(blocks), across)]
    figure, axes = plt.subplots(
        len(heights),
        across,
        figsize=(style.WIDTH, 1.1 * len(heights) + 0.36 * sum(heights)),
        height_ratios=heights,
        squeeze=False,
    )
    used, unused = axes.flat[: len(blocks)], axes.flat[len(blocks) :]
    for ax in unused:
        ax.remove()
    for ax, (algorithm, block) in zip(used, blocks, strict=True):
        mesh = _heatmap(ax, algorithm, block)
    bar = figure.colorbar(mesh, ax=used, shrink=min(1, 3 / figure.get_figheight() + 0.3), pad=0.01)
    bar.set_ticks(np.log([1, 1.5, 2, 3, WORST]), labels=["1×", "1.5×", "2×", "3×", "≥ 4×"])
    bar.set_label("time over the best launch")
    style.heading(figure, "What the launch configuration costs", table)
    return Picture(figure, table[COLUMNS], reading(table))


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
    launches = block["launch"].drop_duplicates()
    values = block.pivot(index="graph", columns="launch", values="slower_than_best").loc[order, launches]
    statuses = block.pivot(index="graph", columns="launch", values="status").loc[order, launches]
    mesh = ax.pcolormesh(np.log(values.to_numpy(float)), cmap="YlGnBu", vmin=0, vmax=np.log(WORST), edgecolor="w", lw=2)
    for (row, column), value in np.ndenumerate(values.to_numpy(float)):
        words = f"{value:.2f}" if value == value else SHORT[statuses.iloc[row, column]]
        colour = "white" if value > WORST**0.5 else style.INK
        ax.text(column + 0.5, row + 0.5, words, ha="center", va="center", color=colour, fontsize=11)
    ax.set_xticks(np.arange(len(launches)) + 0.5, launches, rotation=0 if len(launches) < 9 else 60)
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
