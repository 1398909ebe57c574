"""Basic Bellman-Ford and two flags (tables 1 and 2 of agarwal2015).

Time of SSSP on the Gnutella networks, relaxing in every round either all edges or only those whose tail changed in the
round before; fastest launch of each algorithm. Dotted lines are the times that the paper prints for its two GPUs.
"""

from warpath.results import charts, select, style
from warpath.results.figures import require
from warpath.results.papers.agarwal2015.claims import BASIC, EARLY_EXIT, SERIAL, TWO_FLAGS

ALGORITHMS = [BASIC, TWO_FLAGS, SERIAL, EARLY_EXIT, "sssp/cpu_dijkstra"]


def draw(tables):
    published = select.printed(tables.published, "agarwal2015")
    table = select.best(select.runs(tables.summary, ALGORITHMS, set(published["graph"])))
    require(select.sound(table), "no run on the Gnutella networks has a right answer yet")
    figure, (ax,) = charts.panels([5])
    charts.lines(ax, charts.labelled(table), "arcs", style.count, "edges", published=published)
    return charts.picture(figure, __doc__, table, reading)


def reading(table):
    times = select.sound(table).pivot(index="graph", columns="algorithm", values="median_ms")
    if not {BASIC, TWO_FLAGS} <= set(times):
        return charts.fastest(table)
    return f"Two flags are {style.span((times[BASIC] / times[TWO_FLAGS]).dropna())} as fast as the basic algorithm."
