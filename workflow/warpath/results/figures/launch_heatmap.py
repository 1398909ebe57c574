"""What the launch configuration costs.

The median time of every launch configuration as a multiple of the best one of the same algorithm on the same graph,
which is 1. ≈ marks the launches whose interval overlaps the best one's, which have its colour. An algorithm without
darker cells hardly depends on the choice. Of more than a dozen graphs the median and the worst are shown. Algorithms
with a single configuration are left out.
"""

import pandas as pd
from matplotlib import pyplot as plt

from warpath.algorithms.launches import AXES
from warpath.results import charts, select, style
from warpath.results.figures import Nothing
from warpath.runs import statuses

LINE, TOP = 0.24, 1  # inches of a row, and of the names of graphs
WORST = 4  # end of the colour scale: anything slower is simply a bad choice


def draw(tables):
    table = relative(tables.summary)
    if table["slower_than_best"].isna().all():
        raise Nothing("no algorithm of this study has right answers with more than one launch configuration")
    words, blocks = style.launches(table), table.groupby("algorithm", sort=False)
    cells = pd.concat([_cells(runs) for _, runs in blocks])
    total, few = len(blocks) + cells["row"].nunique(), cells["column"].nunique() <= 6
    sides = [{}, {}] if total >= 30 and few else [{}]
    for algorithm, runs in blocks:
        launches = runs.sort_values([*AXES, "launch"])["launch"].unique()
        side = sides[len(sides[0]) + (1 + len(launches)) / 2 > total / 2 if len(sides) > 1 else 0]
        side[algorithm] = f"{algorithm} · {runs['device_label'].iloc[0]}"
        side |= {f"{algorithm} {launch}": words[launch] or launch for launch in launches}
    most = max(map(len, sides))
    figure, axes = plt.subplots(1, len(sides), figsize=(style.WIDTH, LINE * most + TOP), squeeze=False)
    for ax, rows in zip(axes.flat, sides, strict=True):
        mine = cells[cells["row"].isin(rows)]
        columns = mine.sort_values("arcs", kind="stable")["column"].unique()
        charts.matrix(ax, mine, rows, columns, WORST, turned=True)
        ax.set_ylim(most, 0)  # rows of the same height on both sides
    shorts = {status.short: status.word for status in statuses.STATUSES.values()} | {"≈": "as fast as the best"}
    listed = [f"{short}  {word}" for short, word in shorts.items() if cells["words"].str.startswith(short).any()]
    charts.note(figure, "     ".join(each for each in listed if not each.startswith(("wrong", "ok"))))
    return charts.picture(figure, __doc__, table, reading)


def relative(summary):
    """The runs of every algorithm with several launches, with their time over the best one on the same graph.

    A `tie` is a launch whose interval overlaps that of the best.
    """
    kernels = summary[summary["device"] != "cpu"]
    kernels = kernels[kernels.groupby("algorithm")["launch"].transform("nunique") > 1]
    places, times = ["algorithm", "graph"], kernels["median_ms"].where(kernels["status"] == select.SOUND)
    best = kernels.assign(ms=times).groupby(places)["ms"].transform("min")
    highest = kernels.assign(ms=kernels["high_ms"].where(times == best)).groupby(places)["ms"].transform("max")
    return kernels.assign(slower_than_best=times / best, tie=times.notna() & (kernels["low_ms"] <= highest))


def _cells(runs):
    """The cells of an algorithm: a column for each graph, or the median and the worst of many."""
    names = {"row": runs["algorithm"] + " " + runs["launch"], "column": runs["graph"]}
    cells = runs.assign(**names, arcs=runs["arcs"].astype(float))
    if (graphs := runs["graph"].nunique()) > charts.MANY:
        ratios = cells.groupby("row")["slower_than_best"].agg(["median", "max"])
        ratios.columns = [f"median of {graphs} graphs", "worst"]
        cells = ratios.melt(ignore_index=False, var_name="column", value_name="slower_than_best").reset_index()
        cells = cells.assign(tie=False, status=select.SOUND, arcs=0.0)
    ratio = cells["slower_than_best"]
    short = cells["status"].map(lambda status: statuses.STATUSES[status].short)
    ties = cells["tie"].map({True: "≈", False: ""}).where(ratio != 1, "")
    words = (ties + ratio.map(style.digits)).where(ratio.notna(), short)
    return cells.assign(words=words, value=(1 / ratio).mask(cells["tie"], 1))


def reading(table):
    worst = table.groupby("algorithm")["slower_than_best"].max().dropna().sort_values()
    ends = [f"{name} (up to {style.factor(value)})" for name, value in (*worst.tail(1).items(), *worst.head(1).items())]
    matters = f"The launch matters most to {ends[0]}" + (f" and least to {ends[1]}" if len(worst) > 1 else "")
    ties = table.loc[table["slower_than_best"] > 1, "tie"].mean()
    share = "no other launch is sound" if pd.isna(ties) else f"{style.percent(100 * ties)} of the other launches"
    return f"{matters}; {share}{'' if pd.isna(ties) else ' are as fast as the best'}."
