"""The graphs, and what is fastest on each.

Vertices, arcs and arcs a vertex; the levels of a breadth-first search (the rounds of the shortest SSSP where none was
run); the share of the arcs that a search reaches, which is that of the component it starts in; and for each problem the
fastest algorithm with its median time. ≈ stands where the next one is as fast by their intervals.
"""

import pandas as pd

from warpath.results import charts, select, shapes, style
from warpath.results.figures import Nothing

ROW = 0.27  # inches
HEADS = {"vertices": "vertices", "arcs": "arcs", "degree": "arcs a\nvertex", "levels": "levels", "reached": "reached"}
SHAPE_WIDTH, WINNER_WIDTH = 0.62, 1.75  # of a column, in shares of the axis
COLUMNS = ["graph", "stand_in_for", "kind", *HEADS]


def draw(tables):
    table, problems = fastest(tables)
    if not problems:
        raise Nothing("no run of this study has a right answer")
    figure, (ax,) = charts.panels([ROW * (len(table) + 2)])
    rows = [
        [_shape(name, row[name]) for name in HEADS] + [_winner(row, problem) for problem in problems]
        for row in table.to_dict("records")
    ]
    heads = [*HEADS.values(), *(f"fastest {problem.upper()}" for problem in problems)]
    widths = [SHAPE_WIDTH] * len(HEADS) + [WINNER_WIDTH] * len(problems)
    charts.text_table(ax, rows, heads, list(table["graph"]), 11, widths)
    return charts.picture(figure, __doc__, table, reading, runs=select.sound(tables.summary))


def fastest(tables):
    """A row per graph with its shape and each problem's winner and time, and the problems."""
    table, found = shapes.table(tables.summary)[COLUMNS], shapes.winners(tables.summary, tables.timings)
    problems = list(found["problem"].unique())
    for problem in problems:
        rows = found[found["problem"] == problem].set_index("graph")
        for column in ("winner", "winner_ms", "tie"):
            table[f"{problem}_{column}"] = table["graph"].map(rows[column])
    labels = tables.summary.drop_duplicates("graph").set_index("graph")
    return table.assign(device_name=table["graph"].map(labels["device_name"])), problems


def _shape(name, value):
    if pd.isna(value):
        return "–"
    wordings = {"reached": lambda share: style.percent(100 * share), "levels": "{:,.0f}".format}
    return wordings.get(name, style.count)(value)


def _winner(row, problem):
    name, time = row[f"{problem}_winner"], row[f"{problem}_winner_ms"]
    if not isinstance(name, str):
        return "–"
    tie = "≈ " if row[f"{problem}_tie"] is True else ""
    return f"{tie}{style.plain_name(name)}, {style.duration(time)}"


def reading(table):
    levels = table["levels"].dropna()
    sizes = f"{style.count(table['arcs'].min())} to {style.count(table['arcs'].max())} arcs"
    depth = f", {levels.min():,.0f} to {levels.max():,.0f} levels" if len(levels) else ""
    return f"{len(table)} graphs of {sizes}{depth}."
