"""Time by algorithm and graph.

Median time of a solve over all sources and repetitions, with its 95 % bootstrap interval, for the fastest launch of
each algorithm on each graph. Graphs are ordered by their arcs; lower is better, and the axis is logarithmic.
"""

from warpath.results import charts


def draw(tables):
    panels = {problem.upper(): rows for problem, rows in tables.summary.groupby("problem", sort=False)}
    return charts.time_by_graph(tables, "Time by algorithm and graph", panels)
