"""Speed-up over the sequential CPU.

The median time of the fastest sequential CPU run over that of each algorithm's fastest launch on the same graph, with
its interval. Right of the line the algorithm is faster.
"""

from warpath.results import charts, select, style
from warpath.results.figures import require


def draw(tables):
    table = select.speedups(tables.timings, tables.summary)
    require(table, "no graph has both a CPU baseline and another algorithm with a right answer")
    measure = charts.Measure(charts.SPEEDUP, style.factor, "times faster than the CPU baseline", False)
    figure = charts.dots(charts.by_problem(table), measure, marks={1: "as fast as the CPU"})
    return charts.picture(figure, __doc__, table, reading, tables.summary)


def reading(table):
    return f"At best, over the sequential CPU: {charts.extremes(table, 'speedup', style.factor)}."
