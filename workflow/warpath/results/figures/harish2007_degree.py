"""Time over degree (figure 7 of harish2007).

Time of BFS and SSSP on random graphs of 100,000 vertices with a growing average degree, on the device and on the CPU.
The paper finds that it grows almost in proportion to the degree; the dotted grey line shows what proportion looks like.
Hollow markers are flagged runs, and those of the published SSSP (racy), whose answers are wrong.
"""

from warpath.results import charts, select, statistics, style
from warpath.results.figures import Nothing
from warpath.results.papers.harish2007 import PANELS, by_degree


def draw(tables):
    table = by_degree(tables.summary)
    if select.sound(table)["degree"].nunique() < 2:
        raise Nothing("fewer than two of the graphs of 100,000 vertices have right answers yet")
    figure, axes = charts.panels([4.3] * len(PANELS))
    for ax, (title, algorithms) in zip(axes, PANELS.items(), strict=True):
        rows = table[table["algorithm"].isin(algorithms)]
        charts.lines(ax, rows, "degree")
        sound = select.sound(rows).sort_values("degree")
        if len(sound):
            first = sound.iloc[0]
            degrees = [first.degree, sound["degree"].max()]
            times = [first.median_ms, first.median_ms * degrees[1] / degrees[0]]
            ax.plot(degrees, times, color=style.MUTED, ls=":", lw=1.8, label="in proportion", zorder=1)
        ax.set_title(title, y=1)
        charts.log_log(ax, lambda value: f"{value:g}", "average degree of 100,000 vertices")
    return charts.picture(figure, __doc__, table, reading, ["degree", *charts.TIME_COLUMNS])


def reading(table):
    listed = ", ".join(f"{name} {exponent:.2f}" for name, exponent in exponents(table).items())
    return f"Exponents of time over degree (1 is in proportion): {listed}."


def exponents(table):
    """The exponent of the best power law of time over degree, for each algorithm measured at several degrees."""
    groups = select.sound(table).groupby("algorithm", sort=False)
    return {
        algorithm: statistics.slope(rows["degree"], rows["median_ms"])
        for algorithm, rows in groups
        if rows["degree"].nunique() > 1
    }
