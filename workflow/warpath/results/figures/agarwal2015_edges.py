"""Basic Bellman-Ford and two flags (tables 1 and 2 of agarwal2015).

SSSP over the edges of Gnutella's networks, with every edge relaxed in every round and with the edges whose source
changed, fastest launch of each; dotted and dash-dotted lines are what the paper prints for its two cards.
"""

import pandas as pd

from warpath.results import charts, select, style
from warpath.results.figures import Nothing, Picture

NOW = ["sssp/bellman_ford", "sssp/two_flags", "sssp/cpu_bellman_ford", "sssp/cpu_dijkstra"]


def draw(tables):
    import matplotlib.pyplot as plt

    published = select.printed(tables.published, "agarwal2015")
    table = select.best(select.of(tables.summary, NOW, set(published["graph"])))
    if select.sound(table).empty:
        raise Nothing("no run on the Gnutella networks has a right answer yet")
    figure, ax = plt.subplots(figsize=(style.WIDTH, 6))
    for algorithm, rows in table.groupby("algorithm", sort=False):
        label = style.algorithm_label(algorithm, rows["device"].iloc[0])
        charts.line(ax, rows, "arcs", label, style.look(algorithm))
    _then(ax, published, table)
    charts.log_log(ax, style.count, "edges")
    charts.legend(ax, handlelength=3)
    charts.note_flags(figure, table)
    style.heading(figure, "Basic Bellman-Ford and two flags (tables 1 and 2 of agarwal2015)", table)
    return Picture(figure, table[charts.TIME_COLUMNS], reading(table))


def _then(ax, published, table):
    sizes = {select.subject(row): row["arcs"] for row in table.to_dict("records") if pd.notna(row["arcs"])}
    then = published[published["graph"].isin(sizes)]
    styles = dict(zip(sorted(then["device"].unique()), [":", "-."], strict=False))
    for (device, algorithm), rows in then.groupby(["device", "algorithm"]):
        colour, marker = style.look(algorithm)
        name = f"{algorithm.split('/')[1]}, the paper: {device.removeprefix('NVIDIA ')}"
        edges = [sizes[graph] for graph in rows["graph"]]
        ax.plot(edges, rows["value"], color=colour, marker=marker, mfc="white", ms=6, ls=styles[device], label=name)


def reading(table):
    times = select.sound(table).pivot(index="graph", columns="algorithm", values="median_ms")
    if not {"sssp/bellman_ford", "sssp/two_flags"} <= set(times):
        return charts.fastest(table)
    gains = (times["sssp/bellman_ford"] / times["sssp/two_flags"]).dropna()
    return f"Two flags are {style.factor(gains.min())} to {style.factor(gains.max())} as fast as the basic algorithm."
