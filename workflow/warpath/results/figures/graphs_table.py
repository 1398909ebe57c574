"""The graphs, and what is fastest on each.

Vertices, arcs and arcs a vertex; the levels of a breadth-first search (the rounds of the shortest SSSP where none was
run), in the median over the study's start vertices; the share of the arcs that a search reaches, which is that of the
component it starts in; and for each problem the fastest algorithm with its median time and launch. ≈ stands where the
next one is as fast by their intervals.
"""

import pandas as pd

from warpath.results import charts, select, shapes, style
from warpath.results.figures import Nothing

ROW = 0.36  # inches
SHAPE = {"vertices": style.count, "arcs": style.count, "degree": style.digits, "levels": "{:,.0f}".format}
HEADS = {"degree": "arcs a\nvertex", "levels": "levels,\nin the median"}
COLUMNS = ["graph", "stand_in_for", "kind", *SHAPE, "reached"]


def draw(tables):
    table, found = shapes.table(tables.summary)[COLUMNS], shapes.winners(tables.summary, tables.timings)
    if found.empty:
        raise Nothing("no run of this study has a right answer")
    launches, shape = style.launches(tables.summary), SHAPE | {"reached": lambda share: style.percent(100 * share)}
    words = {
        HEADS.get(name, name): [charts.known(value, each) for value in table[name]] for name, each in shape.items()
    }
    for problem in found["problem"].unique():
        rows = found[found["problem"] == problem].set_index("graph")
        for column in ("winner", "launch", "winner_ms", "tie"):
            table[f"{problem}_{column}"] = table["graph"].map(rows[column])
        cells = pd.Series([_winner(row, launches) for row in rows.to_dict("records")], rows.index, dtype=object)
        words[f"fastest {problem.upper()}"] = table["graph"].map(cells)
    figure, (ax,) = charts.panels([ROW * (len(table) + 2)])
    charts.table(
        ax, pd.DataFrame(words).set_index(table["graph"]), [1] * len(shape) + [2.6] * (len(words) - len(shape))
    )
    return charts.picture(figure, __doc__, table, reading, runs=select.sound(tables.summary))


def _winner(row, launches):
    words = f"{'≈ ' if row['tie'] else ''}{style.plain_name(row['winner'])}, {style.duration(row['winner_ms'])}"
    return f"{words}\n{launches[row['launch']]}".strip()


def reading(table):
    levels = table["levels"].dropna()
    depth = f", {style.span(levels, '{:,.0f}'.format)} levels" if len(levels) else ""
    return f"{len(table)} graphs of {style.span(table['arcs'].dropna(), style.count)} arcs{depth}."
