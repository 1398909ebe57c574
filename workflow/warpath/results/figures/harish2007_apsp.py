"""All pairs over vertices (figure 6 of harish2007).

Time of all-pairs shortest paths on random graphs of average degree 6: repeated SSSP, Floyd-Warshall with a thread for
each vertex or pair, and two CPU versions. Open markers are the times that the paper states for a GeForce 8800 GTX.
"""

from warpath.results import charts, select, style
from warpath.results.figures import require


def draw(tables):
    summary = tables.summary[tables.summary["graph"].str.startswith("random-")]
    table = select.best(summary[summary["problem"].isin(select.ALL_PAIRS)])
    require(select.sound(table), "no all-pairs run on the random graphs has a right answer yet")
    figure, (ax,) = charts.panels([4.7])
    published = select.printed(tables.published, "harish2007")
    charts.lines(ax, charts.labelled(table), "vertices", style.count, "vertices", published=published)
    return charts.picture(figure, __doc__, table, charts.fastest)
