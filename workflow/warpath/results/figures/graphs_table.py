"""The graphs, and what is fastest on each.

Vertices, arcs and arcs a vertex; the levels of a breadth-first search (the rounds of the shortest SSSP where none was
run); the share of the arcs that a search reaches, which is that of the component it starts in; and for each problem the
fastest algorithm with its median time. ≈ stands where the next one is as fast by their intervals.
"""

import pandas as pd

from warpath.results import charts, select, shapes, style
from warpath.results.figures import Nothing, Picture

ROW = 0.27  # inches
HEADS = {"vertices": "vertices", "arcs": "arcs", "degree": "arcs a\nvertex", "levels": "levels", "reached": "reached"}
SHAPE_WIDTH, WINNER_WIDTH = 0.62, 1.75  # of a column, in shares of the axis
SIZE, SMALL = 10.5, 9.5  # of letters; the small ones are for names that would reach the next column
LONG = 26  # letters
COLUMNS = ["graph", "stand_in_for", "kind", *HEADS]


def draw(tables):
    import matplotlib.pyplot as plt

    table, problems = fastest(tables)
    if not problems:
        raise Nothing("no run of this study has a right answer")
    figure, ax = plt.subplots(figsize=(style.WIDTH, ROW * (len(table) + 2)))
    _table(ax, table, problems)
    runs = select.sound(tables.summary)
    finding = charts.UNRANKED if select.emulated(runs) else reading(table)
    style.heading(figure, __doc__, runs, finding)
    return Picture(figure, table, finding)


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


def _table(ax, table, problems):
    widths = [SHAPE_WIDTH] * len(HEADS) + [WINNER_WIDTH] * len(problems)
    heads = [*HEADS.values(), *(f"fastest {problem.upper()}" for problem in problems)]
    starts = [sum(widths[:place]) for place in range(len(widths))]
    for y, row in enumerate(table.to_dict("records")):
        texts = [_shape(name, row[name]) for name in HEADS] + [_winner(row, problem) for problem in problems]
        for text, start, width in zip(texts, starts, widths, strict=True):
            is_shape = width == SHAPE_WIDTH
            at = start + (width - 0.06 if is_shape else 0.1)
            size = SMALL if len(text) > LONG else SIZE
            looks = {"ha": "right" if is_shape else "left", "va": "center", "fontsize": size, "in_layout": False}
            ax.text(at, y + 0.5, text, **looks)
        if y % 2 == 0:
            ax.axhspan(y, y + 1, color=style.BAND, zorder=0)
    middles = [start + width / 2 for start, width in zip(starts, widths, strict=True)]
    style.as_table(ax, dict(zip(middles, heads, strict=True)), list(table["graph"]), size=11)
    ax.set_facecolor(style.PAPER)
    ax.set_xlim(0, sum(widths))


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
