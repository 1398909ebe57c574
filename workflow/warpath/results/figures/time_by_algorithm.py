"""Time by algorithm and graph.

Median time of a solve over all sources and repetitions, with its 95 % bootstrap interval, for the fastest launch of
each algorithm on each graph. Graphs are ordered by their arcs; lower is better, and the axis is logarithmic.
"""

from warpath.results import charts, select, style
from warpath.results.figures import Nothing, Picture

COLUMNS = [
    *["problem", "graph", "stand_in_for", "vertices", "arcs", "algorithm", "launch", "device_label", "device_name"],
    *["status", "median_ms", "low_ms", "high_ms", "samples", "flags"],
]


def draw(tables):
    import matplotlib.pyplot as plt

    table = select.best(tables.summary)
    if select.sound(table).empty:
        raise Nothing("no run of this study has a right answer yet")
    panels = {problem.upper(): rows for problem, rows in table.groupby("problem", sort=False)}
    figure, axes = charts.dot_panels(plt, panels, style.duration)
    for ax in axes:
        ax.set_xlabel("median time of a solve")
    style.heading(figure, "Time by algorithm and graph", table)
    charts.note_flags(figure, table)
    return Picture(figure, table[COLUMNS], reading(table))


def reading(table):
    """Who is fastest where, in one sentence a problem."""
    sentences = []
    for problem, rows in select.sound(table).groupby("problem", sort=False):
        winners = rows.sort_values("median_ms").drop_duplicates("graph")
        named = ", ".join(
            f"{row.algorithm.split('/')[1]} on {row.graph} ({style.duration(row.median_ms)})" for row in winners.itertuples()
        )
        sentences.append(f"Fastest {problem.upper()}: {named}.")
    return " ".join(sentences)
