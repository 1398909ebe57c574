"""Time by algorithm and graph.

Median time of a solve over all sources and repetitions, with its interval, for each algorithm's fastest launch on each
graph, the fastest first. The axis is logarithmic.
"""

from warpath.results import charts


def draw(tables):
    return charts.time_by_graph(__doc__, charts.by_problem(tables.summary))
