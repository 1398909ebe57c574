"""All pairs over vertices (figure 6 of harish2007).

All-pairs shortest paths on random graphs of average degree 6: repeated SSSP, Floyd-Warshall with a thread a vertex and
with a thread a pair, and two CPU versions. Diamonds are the times that the paper states for a GeForce 8800 GTX.
"""

from warpath.results import charts, select, style
from warpath.results.figures import Nothing, Picture


def draw(tables):
    import matplotlib.pyplot as plt

    summary = tables.summary
    table = select.best(summary[(summary["problem"] == "apsp") & summary["graph"].str.startswith("random-")])
    if select.sound(table).empty:
        raise Nothing("no all-pairs run on the random graphs has a right answer yet")
    figure, ax = plt.subplots(figsize=(style.WIDTH, 5.6))
    for algorithm, rows in table.groupby("algorithm", sort=False):
        label = style.algorithm_label(algorithm, rows["device"].iloc[0])
        charts.line(ax, rows, "vertices", label, style.look(algorithm))
    charts.printed_points(ax, select.printed(tables.published, "harish2007"), table, "vertices")
    charts.log_log(ax, style.count, "vertices")
    charts.legend(ax)
    charts.note_flags(figure, table)
    style.heading(figure, "All pairs over vertices (figure 6 of harish2007)", table)
    return Picture(figure, table[charts.TIME_COLUMNS], charts.fastest(table))
