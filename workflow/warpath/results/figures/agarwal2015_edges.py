"""Basic Bellman-Ford and two flags (tables 1 and 2 of agarwal2015).

Time of SSSP over the number of edges of the Gnutella networks, relaxing in every round either all edges or only those
whose tail changed in the round before; fastest launch of each algorithm. Dotted and dash-dotted lines are the times
that the paper prints for its two GPUs.
"""

import pandas as pd

from warpath.results import charts, select, style
from warpath.results.figures import Nothing
from warpath.results.papers.agarwal2015 import BASIC, EARLY_EXIT, SERIAL, TWO_FLAGS

ALGORITHMS = [BASIC, TWO_FLAGS, SERIAL, EARLY_EXIT, "sssp/cpu_dijkstra"]


def draw(tables):
    published = select.printed(tables.published, "agarwal2015")
    table = select.best(select.runs(tables.summary, ALGORITHMS, set(published["graph"])))
    if select.sound(table).empty:
        raise Nothing("no run on the Gnutella networks has a right answer yet")
    figure, (ax,) = charts.panels([6])
    charts.lines(ax, table, "arcs")
    sizes = {select.subject(row): row["arcs"] for row in table.to_dict("records") if pd.notna(row["arcs"])}
    then = published[published["graph"].isin(sizes)]
    styles = dict(zip(sorted(then["device"].unique()), [":", "-."], strict=False))
    for (device, algorithm), rows in then.groupby(["device", "algorithm"]):
        colour, marker = style.look(algorithm)
        label = f"{style.short_name(algorithm)}, the paper: {device.removeprefix('NVIDIA ')}"
        looks = {"color": colour, "marker": marker, "mfc": style.PAPER, "ms": 6, "ls": styles[device]}
        ax.plot(rows["graph"].map(sizes), rows["value"], label=label, **looks)
    charts.log_log(ax, style.count, "edges")
    return charts.picture(figure, __doc__, table, reading, charts.TIME_COLUMNS)


def reading(table):
    times = select.sound(table).pivot(index="graph", columns="algorithm", values="median_ms")
    if not {BASIC, TWO_FLAGS} <= set(times):
        return charts.fastest(table)
    ratios = (times[BASIC] / times[TWO_FLAGS]).dropna()
    return f"Two flags are {style.factor(ratios.min())} to {style.factor(ratios.max())} as fast as the basic algorithm."
