"""Time over degree (figure 7 of harish2007).

BFS and SSSP on random graphs of 100,000 vertices and a growing average degree, on the device and on the CPU. The paper
finds that the time grows almost in proportion to the degree; the grey line shows what proportion looks like.
"""

from warpath.results import charts, select, statistics, style
from warpath.results.figures import Nothing, Picture

PANELS = {
    "BFS": ["bfs/frontier", "bfs/cpu_queue"],
    "SSSP": ["sssp/racy", "sssp/two_kernel", "sssp/cpu_dijkstra"],
}


def draw(tables):
    import matplotlib.pyplot as plt

    table = by_degree(tables.summary)
    good = select.sound(table)
    if good["degree"].nunique() < 2:
        raise Nothing("fewer than two of the graphs of 100,000 vertices have right answers yet")
    figure, axes = plt.subplots(len(PANELS), 1, figsize=(style.WIDTH, 8.6))
    for ax, (title, algorithms) in zip(axes, PANELS.items(), strict=True):
        _panel(ax, table[table["algorithm"].isin(algorithms)])
        ax.set_title(title)
        charts.log_log(ax, lambda value: f"{value:g}", "average degree of 100,000 vertices")
        charts.legend(ax)
    charts.note_flags(figure, table)
    style.heading(figure, "Time over degree (figure 7 of harish2007)", table)
    said = ", ".join(f"{name} {exponent:.2f}" for name, exponent in exponents(table).items())
    reading = f"Exponents of time over degree (1 is in proportion): {said}."
    return Picture(figure, table[["degree", *charts.TIME_COLUMNS]], reading)


def _panel(ax, table):
    for algorithm, rows in table.groupby("algorithm", sort=False):
        label = style.algorithm_label(algorithm, rows["device"].iloc[0])
        charts.line(ax, rows, "degree", label, style.look(algorithm))
    good = select.sound(table).sort_values("degree")
    if len(good):
        _proportion(ax, good)


def exponents(table):
    """How time grows with degree: the power that fits best, per algorithm measured at several degrees."""
    groups = select.sound(table).groupby("algorithm", sort=False)
    return {
        algorithm: statistics.slope(rows["degree"], rows["median_ms"])
        for algorithm, rows in groups
        if rows["degree"].nunique() > 1
    }


def by_degree(summary):
    algorithms = [algorithm for panel in PANELS.values() for algorithm in panel]
    rows = summary[summary["graph"].str.startswith("random-100k-d") & summary["algorithm"].isin(algorithms)]
    return select.best(rows.assign(degree=(rows["arcs"] / rows["vertices"]).round(1)))


def _proportion(ax, good):
    first = good.iloc[0]
    degrees = [first.degree, good["degree"].max()]
    times = [first.median_ms, first.median_ms * degrees[1] / degrees[0]]
    ax.plot(degrees, times, color=style.MUTED, ls=":", lw=1.8, label="in proportion", zorder=1)
