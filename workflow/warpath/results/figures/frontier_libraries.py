"""This project's own kernels beside the libraries.

How many times faster our fastest launch is than each library, and below it the interval. Blue is faster, red
slower; ≈ stands where the interval has 1 in it. Published times are from the same model of card, or from 16 CPU cores
beside it. They are for the same graphs and source vertices, except rmat22, rmat24 and urand10m6, which are of the same
family and size. adds, atos and blest are codes of papers, not libraries. Our clock has the clearing of a search's state
in it, that of adds, atos and blest the kernels alone. Libraries called here ran on the same kind of device. A network
that the study has under two names has one row. Empty cells were not measured.
"""

import numpy as np
import pandas as pd

from warpath.results import charts, libraries, style
from warpath.results.figures import Nothing
from warpath.runs import statuses

COLUMNS = [
    *["problem", "graph", "stand_in_for", "arcs", "own", "own_launch", "own_device", "device_name", "own_ms"],
    *["algorithm", "device", "library_ms", *charts.SPEEDUP],
]
HEADS = {
    "published": "published",
    "published_code": "a paper's",
    "peer_gpu": "run here",
    "published_cpu": "CPU, publ.",
    "peer": "CPU",
}
ROW, HEADING = 0.36, 0.9  # inches
END = 100  # of the scale of colours


def draw(tables):
    table = libraries.against(tables.timings, tables.summary, tables.published)
    if table.empty:
        raise Nothing("no library is installed (make peers installs them), and none has published times for this card")
    table, launches = once(table, tables.summary), style.launches(tables.summary)
    panels = charts.by_problem(table)
    figure, axes = charts.panels([ROW * (1 + rows["graph"].nunique()) for rows in panels.values()], HEADING)
    for ax, (title, against) in zip(axes, panels.items(), strict=True):
        panel = against.sort_values(["arcs", "graph"]).assign(order=against["device"].map(list(HEADS).index))
        launch = panel["own_launch"].map(launches).map(lambda words: f"\n{words}" if words else "")
        rows = panel["graph"] + " · " + panel["arcs"].map(style.count) + launch
        heads = panel["algorithm"].map(style.plain_name) + "\n" + panel["device"].map(HEADS)
        cells = panel.assign(row=rows, column=heads, words=panel.apply(_words, axis=1), value=panel["speedup"])
        means = np.exp(np.log(cells["value"]).groupby(cells["column"]).mean()).rename("value").reset_index()
        means = means.assign(row="geometric mean", words=means["value"].map(style.factor))
        columns = cells.sort_values(["order", "algorithm"])["column"].unique()
        heading = f"{title}: {style.plain_name(panel['own'].iloc[0])} over each library"
        charts.matrix(ax, pd.concat([cells, means]), [*rows.unique(), "geometric mean"], columns, END, heading)
        ax.axvline(panel.loc[panel["device"].isin(libraries.ON_GPU), "algorithm"].nunique(), color=style.INK, lw=1.5)
    return charts.picture(figure, __doc__, table, reading, COLUMNS, libraries.runs(tables.summary, table))


def once(table, summary):
    """The rows of each network under one name: of names of equal vertices and arcs, that with most libraries."""
    sizes = summary.drop_duplicates("graph").set_index("graph")["vertices"]
    counts = table.groupby(["problem", "graph"])["algorithm"].transform("count")
    chosen = table.assign(count=counts).sort_values("count", ascending=False, kind="stable")
    names = chosen.groupby([chosen["problem"], chosen["graph"].map(sizes), chosen["arcs"]])["graph"].transform("first")
    return table[table["graph"] == names.reindex(table.index)].reset_index(drop=True)


def _words(row):
    tie = "≈ " if row["speedup_low"] <= 1 <= row["speedup_high"] else ""
    ends = "–".join(style.digits(row[end]) for end in charts.SPEEDUP[1:])
    return f"{tie}{style.factor(row['speedup'])} {statuses.weakness(row['flags'])}".strip() + f"\n{ends}"


def reading(table):
    spans = {}
    for problem, rows in table.groupby("problem", sort=False):
        closest = libraries.closest(rows)
        least, most = closest.loc[closest["speedup"].idxmin()], closest["speedup"].max()
        kind = libraries.GPU_CODE if least["device"] in libraries.ON_GPU else "library"
        peer = f"{style.plain_name(least['algorithm'])}, {least['graph']}"
        span = f"{problem.upper()} {style.factor(least['speedup'])} ({peer}) to {style.factor(most)}"
        spans.setdefault(kind, []).append(span)
    return " ".join(f"Over the best {kind}: {', '.join(each)}." for kind, each in spans.items())
