"""All pairs over vertices (figure 6 of harish2007).

Time of all-pairs shortest paths on random graphs of average degree 6: repeated SSSP, Floyd-Warshall with a thread for
each vertex or for each pair, and two CPU versions. Diamonds are the times that the paper states for a GeForce 8800 GTX.
"""

from warpath.results import charts, select, style
from warpath.results.figures import Nothing, Picture


def draw(tables):
    import matplotlib.pyplot as plt

    summary = select.all_pairs(tables.summary)
    table = select.best(summary[summary["graph"].str.startswith("random-")])
    if select.sound(table).empty:
        raise Nothing("no all-pairs run on the random graphs has a right answer yet")
    figure, ax = plt.subplots(figsize=(style.WIDTH, 5.6))
    charts.lines(ax, table, "vertices")
    charts.printed_points(ax, select.printed(tables.published, "harish2007"), table, "vertices")
    charts.log_log(ax, style.count, "vertices")
    charts.legend(ax)
    charts.note_flags(figure, table)
    style.heading(figure, __doc__, table, charts.fastest(table))
    return Picture(figure, table[charts.TIME_COLUMNS], charts.fastest(table))
