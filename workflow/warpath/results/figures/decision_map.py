"""Which algorithm to take.

For each kind of graph and each size, the algorithm that is fastest on most of the study's graphs there, its launch, on
how many of them, and how many times as long the next one takes; ≈ where most intervals of that reach 1. Kinds come from
what was measured: the levels of a breadth-first search and the arcs a vertex.
"""

import pandas as pd

from warpath.devices import ON_GPU
from warpath.results import charts, select, shapes, style
from warpath.results.figures import require

ROW, END = 0.62, 100  # inches, and the end of the scale of colours


def draw(tables):
    winners = shapes.winners(tables.summary, tables.timings).dropna(subset="margin")
    table = winners.merge(shapes.table(tables.summary), on="graph")
    require(table, "no graph of this study has two algorithms with right answers")
    panels = charts.by_problem(table)
    figure, axes = charts.panels([ROW * rows["kind"].nunique() for rows in panels.values()])
    sizes = [size for size in shapes.SIZES.values() if size in set(table["size"])]
    for ax, (title, panel) in zip(axes, panels.items(), strict=True):
        groups = panel.groupby([panel["kind"].map(shapes.KINDS), "size"])
        cells = pd.DataFrame([{"row": kind, "column": size, **_cell(rows)} for (kind, size), rows in groups])
        names = [kind for kind in shapes.KINDS.values() if kind in set(cells["row"])]
        charts.matrix(ax, cells, names, sizes, END, f"{title}, {panel['graph'].nunique()} graphs by arcs")
    notes = ["Blue: a GPU is fastest; red: a CPU; the stronger, the wider the margin over the next."]
    return charts.picture(figure, __doc__, table, shapes.leaders, runs=select.sound(tables.summary), notes=notes)


def _cell(rows):
    """The words of a cell, and its margin: above 1 on a GPU, below on a CPU, and none in emulation."""
    counts = rows["winner"].value_counts()
    won = rows[rows["winner"] == counts.index[0]]
    margin = 1 if won["tie"].mean() > 0.5 else won["margin"].median()
    if len(counts) > 1 and counts.iloc[0] == counts.iloc[1]:
        split = " and ".join(f"{style.plain_name(name)} {count}" for name, count in counts.head(2).items())
        return {"words": f"no overall winner\n{split} of {len(rows)}", "value": 1}
    lines = [style.plain_name(counts.index[0]), style.launch(won["launch"].mode()[0])]
    lines.append(f"{counts.iloc[0]} of {len(rows)}, {'≈ ' if margin == 1 else ''}by {style.span(won['margin'])}")
    device = won["device"].iloc[0]
    value = float("nan") if device == "host" else margin if device in ON_GPU else 1 / margin
    return {"words": "\n".join(filter(None, lines)), "value": value}
