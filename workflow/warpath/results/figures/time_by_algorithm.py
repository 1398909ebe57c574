"""Time by algorithm and graph.

Median time of a solve over all sources and repetitions, with its interval, for each algorithm's fastest
launch on each graph. Graphs are ordered by their number of arcs. The axis is logarithmic; further left is faster.
"""

from warpath.results import charts


def draw(tables):
    return charts.time_by_graph(__doc__, charts.by_problem(tables.summary))
