"""Time over degree (figure 7 of harish2007).

Time of BFS and SSSP on random graphs of 100,000 vertices with a growing average degree. The paper finds that it grows
almost in proportion to the degree; the dotted grey line shows what proportion looks like.
"""

from itertools import chain

from warpath.results import charts, select, statistics, style
from warpath.results.figures import Nothing
from warpath.results.papers.harish2007.claims import PANELS


def draw(tables):
    rows = tables.summary[tables.summary["graph"].str.startswith("random-100k-d")]
    rows = select.runs(rows, [*chain(*PANELS.values())])
    table = select.best(rows.assign(degree=(rows["arcs"] / rows["vertices"]).round(1)))
    if select.sound(table)["degree"].nunique() < 2:
        raise Nothing("fewer than two of the graphs of 100,000 vertices have right answers yet")
    figure, axes = charts.panels([3.5] * len(PANELS))
    for ax, (title, algorithms) in zip(axes, PANELS.items(), strict=True):
        rows = table[table["algorithm"].isin(algorithms)]
        sound = select.sound(rows).sort_values("degree")
        if len(sound):
            ends = sound["degree"].iloc[[0, -1]]
            times = sound["median_ms"].iloc[0] * ends / ends.iloc[0]
            ax.plot(ends, times, color=style.MUTED, ls=":", lw=1.8, label="in proportion", zorder=1)
        ax.set_title(title)
        charts.lines(ax, charts.labelled(rows), "degree", style.digits, "average degree of 100,000 vertices")
    return charts.picture(figure, __doc__, table, reading)


def reading(table):
    groups = select.sound(table).groupby("algorithm", sort=False)
    listed = ", ".join(
        f"{style.plain_name(algorithm)} {statistics.slope(rows['degree'], rows['median_ms']):.2f}"
        for algorithm, rows in groups
        if rows["degree"].nunique() > 1
    )
    return f"Time grows with the degree to the power of (1 is in proportion): {listed}."
