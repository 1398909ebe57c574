"""Coarsening factors (figure 5 of pathak2021).

Median time of SSSP with 1, 2, 4, 8 or 16 vertices a thread, over that with one vertex a thread on the same graph; each
factor with its fastest block size. Above the line coarsening costs time. The paper finds every higher factor slower; of
its factors it names 16 alone, the others are assumed. A thread's vertices are neighbours (solid) or as far apart as the
grid is wide (dashed), which the paper does not say.
"""

import itertools

import pandas as pd

from warpath.results import charts, select, style
from warpath.results.figures import Nothing
from warpath.results.papers.pathak2021 import COARSENED, STRIDED
from warpath.runs import statuses

OVER_FIRST = ("over_factor_1", "over_low", "over_high")
COLUMNS = [
    *["graph", "arcs", "algorithm", "coarsening", "launch", "device_label", "device_name", "status", "median_ms"],
    *OVER_FIRST,
]


def draw(tables):
    table = relative(tables)
    if table.empty or (table["coarsening"] == 1).all():
        raise Nothing("sssp/coarsened was not run with factor 1 and others on any graph with right answers")
    figure, (ax,) = charts.panels([5.4])
    _lines(ax, table, tables.summary)
    ax.axhline(1, color=style.INK, lw=1.2)
    ax.update_datalim([(1, 1)])
    style.log_axis(ax.xaxis, lambda value: f"{value:g}")
    factors = sorted(table["coarsening"].unique())
    ax.set_xticks(factors, [f"{factor:g}" for factor in factors])
    style.log_axis(ax.yaxis, style.factor, least_span=4)
    ax.set_xlabel("coarsening factor: vertices a thread")
    ax.set_ylabel("time over factor 1")
    charts.legend(ax)
    return charts.picture(figure, __doc__, table, reading, COLUMNS)


def relative(tables):
    """The fastest launch of every algorithm, factor and graph, with its time over factor 1 and the interval of that."""
    rows = select.sound(select.runs(tables.summary, [COARSENED, STRIDED]))
    best = rows.sort_values("median_ms").drop_duplicates(["algorithm", "graph", "coarsening"])
    first = {(row["algorithm"], row["graph"]): row for row in best[best["coarsening"] == 1].to_dict("records")}
    rows = [row for row in best.to_dict("records") if (row["algorithm"], row["graph"]) in first]
    for row in rows:
        of_first = first[row["algorithm"], row["graph"]]
        ratio = (1, 1, 1) if row["coarsening"] == 1 else select.ratio(tables.timings, row, of_first)
        row.update(zip(OVER_FIRST, ratio, strict=True))
    return pd.DataFrame(rows, columns=[*best, *OVER_FIRST])


def _lines(ax, table, summary):
    graphs = table.sort_values(["arcs", "coarsening"]).groupby("graph", sort=False)
    looks = itertools.cycle(zip(style.PALETTE, itertools.cycle(style.MARKERS), strict=False))
    for (graph, rows), look in zip(graphs, looks, strict=False):
        label = f"{graph} ({style.count(rows['arcs'].iloc[0])} arcs){_unsound_factors(summary, graph)}"
        for algorithm, ls in ((COARSENED, "-"), (STRIDED, "--")):
            mine = rows[rows["algorithm"] == algorithm]
            if len(mine):
                ax.plot(mine["coarsening"], mine["over_factor_1"], color=look[0], ls=ls, lw=2.2, label=label)
            label = f"{graph}, apart"
        ax.vlines(rows["coarsening"], rows["over_low"], rows["over_high"], color=look[0], lw=2)
        charts.markers(ax, rows, "coarsening", "over_factor_1", look)


def _unsound_factors(summary, graph):
    """Lines for the label: the factors without a right answer and how they ended."""
    rows = select.runs(summary[summary["graph"] == graph], [COARSENED, STRIDED])
    best = select.best(rows, per=["coarsening"])
    unsound = best[best["status"] != select.SOUND].sort_values("coarsening")
    return "".join(f"\n✕ factor {row.coarsening:g} {statuses.WORDS[row.status]}" for row in unsound.itertuples())


def reading(table):
    higher = table[table["coarsening"] > 1]
    faster = (higher["over_high"] < 1).sum()
    most = table.loc[table["over_factor_1"].idxmax()]
    found = "No higher factor is faster" if not faster else f"{faster} of {len(higher)} higher factors are faster"
    worst = f"factor {most.coarsening:g} costs {style.factor(most.over_factor_1)} on {most.graph}"
    return f"{found} than one vertex a thread; {worst}."
