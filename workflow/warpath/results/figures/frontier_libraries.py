"""This project's own kernels beside the libraries.

How many times faster our fastest launch is than each library, the interval, and the same of our first search, preparing
included, as if the library prepared nothing. Blue is faster, red slower; ≈ stands where the interval has 1 in it.
Published times are from the same model of card, for the same graphs and source vertices (rmat22, rmat24 and urand10m6:
the same family and size). The clock of adds, atos and blest has the kernels alone.
"""

import numpy as np
import pandas as pd

from warpath.results import charts, libraries, style
from warpath.results.figures import frontier_factors, require

HEADS = {"published": "published", "peer_gpu": "run here", "peer": "CPU,\nrun here"}
ROW, END = 0.5, 100  # inches, and the end of the scale of colours


def draw(tables):
    table = libraries.against(tables.timings, tables.summary, tables.published)
    require(table, "no library is installed (make peers installs them), and none has published times for this card")
    table = once(table, tables.summary)
    panels = charts.by_problem(table)
    figure, axes = charts.panels([ROW * (1 + rows["graph"].nunique()) for rows in panels.values()])
    for ax, (title, against) in zip(axes, panels.items(), strict=True):
        panel = against.sort_values(["arcs", "graph"]).assign(order=against["device"].map(list(HEADS).index))
        rows = panel["graph"] + " · " + panel["arcs"].map(style.count) + "\n" + panel["own_launch"].map(style.launch)
        heads = panel["algorithm"].map(style.plain_name) + "\n" + panel["device"].map(HEADS)
        cells = panel.assign(row=rows, column=heads, words=panel.apply(_words, axis=1), value=panel["speedup"])
        means = np.log(cells["value"]).groupby(cells["column"]).agg(value="mean", graphs="size").reset_index()
        means = means.assign(row="geometric mean", value=np.exp(means["value"]))
        means["words"] = means["value"].map(style.factor) + means["graphs"].map("\nof {}".format)
        columns = cells.sort_values(["order", "algorithm"])["column"].unique()
        heading = f"{title}: {style.plain_name(panel['own'].iloc[0])} over each library"
        charts.matrix(ax, pd.concat([cells, means]), [*rows.unique(), "geometric mean"], columns, END, heading)
        ax.axvline(panel.loc[panel["device"].isin(libraries.ON_GPU), "algorithm"].nunique(), color=style.INK, lw=1.5)
    notes = ["In a cell: times as fast, interval, first search with preparing. Left of the line: on a GPU."]
    return charts.picture(figure, __doc__, table, reading, libraries.runs(tables.summary, table), notes=notes)


def once(table, summary):
    """The rows of each network under one name: of names of equal vertices and arcs, that with most libraries."""
    sizes = table["graph"].map(summary.drop_duplicates("graph").set_index("graph")["vertices"])
    counts = -table.groupby(["problem", "graph"])["algorithm"].transform("count")
    ranked = table.assign(sizes=sizes, counts=counts).sort_values("counts", kind="stable")
    names = ranked.groupby(["problem", "sizes", "arcs"])["graph"].transform("first")
    return table[table["graph"] == names.reindex(table.index)].reset_index(drop=True)


def _words(row):
    ends = "–".join(style.digits(row[end]) for end in charts.SPEEDUP[1:])
    first = f"\nfirst {style.factor(row['first_speedup'])}" if row["first_speedup"] > 0 else ""
    return f"{charts.ratio(row)}\n{ends}{first}"


def reading(table):
    return frontier_factors.reading(pd.concat([libraries.closest(rows) for rows in charts.by_problem(table).values()]))
