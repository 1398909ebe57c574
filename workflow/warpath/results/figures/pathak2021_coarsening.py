"""Coarsening factors (figure 5 of pathak2021).

Median time of SSSP with 1, 2, 4, 8 or 16 vertices a thread, over that with one on the same graph; each factor with its
fastest block size. Above the line coarsening costs time; the paper finds each higher factor slower. A thread has
neighbours (solid) or vertices as far apart as the grid is wide (dashed), which the paper does not say.
"""

import itertools

import pandas as pd

from warpath.results import charts, select, style
from warpath.results.figures import Nothing
from warpath.results.papers.pathak2021.claims import COARSENED, STRIDED

OVER_FIRST = ("over_factor_1", "over_low", "over_high")
DASHES = {COARSENED: "", STRIDED: (3, 2)}


def draw(tables):
    best = select.best(select.runs(tables.summary, [COARSENED, STRIDED]), ("algorithm", "graph", "coarsening"))
    first = {(row["algorithm"], row["graph"]): row for row in best[best["coarsening"] == 1].to_dict("records")}
    rows = [row for row in best.to_dict("records") if (row["algorithm"], row["graph"]) in first]
    for row in rows:
        one = first[row["algorithm"], row["graph"]]
        known = row["status"] == one["status"] == select.SOUND
        ratio = select.ratio(tables.timings, row, one) if known and row is not one else (1.0 if known else None,) * 3
        row.update(zip(OVER_FIRST, ratio, strict=True))
    table = pd.DataFrame(rows, columns=[*best, *OVER_FIRST])
    if (table.dropna(subset=OVER_FIRST[0])["coarsening"] == 1).all():
        raise Nothing("sssp/coarsened was not run with factor 1 and others on any graph with right answers")
    figure, (ax,) = charts.panels([4.7])
    graphs = table.sort_values("arcs")["graph"].unique()
    looks = dict(zip(graphs, zip(style.PALETTE, itertools.cycle(style.MARKERS), strict=False), strict=False))
    names = [f"{row['graph']}{'' if row['algorithm'] == COARSENED else ', apart'}" for row in rows]
    shown = table.assign(series=names, look=table["graph"].map(looks), dashes=table["algorithm"].map(DASHES))
    ax.axhline(1, color=style.INK, lw=1.2)
    charts.lines(ax, shown, "coarsening", style.digits, "vertices a thread", OVER_FIRST)
    ax.set_xticks(factors := sorted(table["coarsening"].unique()), map(style.digits, factors))
    ax.set_ylabel("time over one vertex a thread")
    return charts.picture(figure, __doc__, table[table[OVER_FIRST[0]].notna()], reading)


def reading(table):
    higher = table[table["coarsening"] > 1]
    faster = (higher["over_high"] < 1).sum()
    most = table.loc[table["over_factor_1"].idxmax()]
    found = "No higher factor is faster" if not faster else f"{faster} of {len(higher)} higher factors are faster"
    worst = f"factor {most.coarsening:g} takes {style.factor(most.over_factor_1)} as long on {most.graph}"
    return f"{found} than one vertex a thread; {worst}."
