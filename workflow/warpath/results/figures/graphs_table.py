"""The graphs, and what is fastest on each.

Vertices, arcs and arcs a vertex; the levels of a breadth-first search (the rounds of the shortest SSSP where none was
run), in the median over the study's start vertices, and from which; the share of the arcs that a search reaches, which
is that of the component it starts in; and for each problem the fastest algorithm with its median time and launch. ≈
stands where the next one is as fast by their intervals.
"""

import pandas as pd

from warpath.results import charts, select, shapes, style
from warpath.results.figures import Nothing

ROW = 0.36  # inches
SHAPE = {
    "vertices": style.count,
    "arcs": style.count,
    "arcs a\nvertex": style.digits,
    "levels": "{:,.0f}".format,
    "reached": lambda share: style.percent(100 * share),
}


def draw(tables):
    table, found = shapes.table(tables.summary).drop(columns="size"), shapes.winners(tables.summary, tables.timings)
    if found.empty:
        raise Nothing("no run of this study has a right answer")
    launches, shape = style.launches(tables.summary), table.rename(columns={"degree": "arcs a\nvertex"})
    words = {head: [charts.known(value, wording) for value in shape[head]] for head, wording in SHAPE.items()}
    starts = table["graph"].map(select.searches(tables.timings).groupby("graph")["source"].unique())
    words["levels"] = [_from(*pair) for pair in zip(words["levels"], starts, strict=True)]
    for problem, best in found.groupby("problem", sort=False):
        rows = best.set_index("graph")[["winner", "launch", "winner_ms", "tie"]]
        table = table.join(rows.add_prefix(f"{problem}_"), on="graph")
        cells = pd.Series([_winner(row, launches) for row in rows.to_dict("records")], rows.index, dtype=object)
        words[f"fastest {problem.upper()}"] = table["graph"].map(cells)
    figure, (ax,) = charts.panels([ROW * (len(table) + 2)])
    widths = [1, 1, 1, 1.4, 1] + [2.6] * (len(words) - len(SHAPE))
    charts.table(ax, pd.DataFrame(words).set_index(table["graph"]), widths)
    return charts.picture(figure, __doc__, table, reading, runs=select.sound(tables.summary))


def _from(levels, starts):
    """The levels, and below them the start vertices."""
    if levels == charts.known(None, str):
        return levels
    return f"{levels}\n" + (f"median of {len(starts)} starts" if len(starts) > 1 else f"from vertex {starts[0]}")


def _winner(row, launches):
    words = f"{'≈ ' if row['tie'] else ''}{style.plain_name(row['winner'])}, {style.duration(row['winner_ms'])}"
    return f"{words}\n{launches[row['launch']]}".strip()


def reading(table):
    levels = table["levels"].dropna()
    depth = f", {style.span(levels, '{:,.0f}'.format)} levels" if len(levels) else ""
    return f"{len(table)} graphs of {style.span(table['arcs'].dropna(), style.count)} arcs{depth}."
