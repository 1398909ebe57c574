"""Coarsening factors (figure 5 of pathak2021).

SSSP with a thread for 1, 2, 4, 8 or 16 vertices: median time over that of factor 1 on the same graph, each factor with
its fastest block size. Above the line coarsening costs time. The paper finds every higher factor slower.
"""

from warpath.results import charts, select, style
from warpath.results.figures import Nothing, Picture

MARKERS = "osD^vP<>"
COLUMNS = [
    "graph",
    "arcs",
    "coarsening",
    "launch",
    "device_label",
    "device_name",
    "status",
    "median_ms",
    "over_factor_1",
]


def draw(tables):
    import matplotlib.pyplot as plt
    import seaborn

    table = relative(tables.summary)
    if table["over_factor_1"].isna().all():
        raise Nothing("sssp/coarsened was not run with factor 1 and others on any graph with right answers")
    figure, ax = plt.subplots(figsize=(style.WIDTH, 5))
    graphs = table.sort_values(["arcs", "coarsening"]).groupby("graph", sort=False)
    colours = seaborn.color_palette("colorblind", len(graphs))
    for (graph, rows), colour, marker in zip(graphs, colours, MARKERS * 9, strict=False):
        label = f"{graph} ({style.count(rows['arcs'].iloc[0])} arcs){_without(tables.summary, graph)}"
        ax.plot(rows["coarsening"], rows["over_factor_1"], color=colour, marker=marker, lw=2.2, ms=8, label=label)
        charts.hollow_where_flagged(ax, rows, "coarsening", "over_factor_1", (colour, marker))
    ax.axhline(1, color=style.INK, lw=1.2)
    ax.update_datalim([(1, 1)])
    style.log_axis(ax.xaxis, lambda value: f"{value:g}")
    factors = sorted(table["coarsening"].unique())
    ax.set_xticks(factors, [f"{factor:g}" for factor in factors])
    style.log_axis(ax.yaxis, style.factor, least_span=4)
    ax.set_xlabel("coarsening factor: vertices a thread")
    ax.set_ylabel("time over factor 1")
    charts.legend(ax)
    charts.note_flags(figure, table)
    style.heading(figure, "Coarsening factors (figure 5 of pathak2021)", table)
    worst = table.loc[table["over_factor_1"].idxmax()]
    best = table.loc[table["over_factor_1"].idxmin()]
    said = [f"factor {row.coarsening:g} on {row.graph}, {style.factor(row.over_factor_1)}" for row in (best, worst)]
    return Picture(figure, table[COLUMNS], f"Least time over that of factor 1: {said[0]}; most: {said[1]}.")


def _without(summary, graph):
    """The factors of which no launch has a right answer, and why."""
    mine = select.of(summary[summary["graph"] == graph], ["sssp/coarsened"])
    bad = select.best(mine, per=["coarsening"]).query("status != 'ok'").sort_values("coarsening")
    return "".join(f"\n✕ factor {row.coarsening:g} {style.STATUSES[row.status]}" for row in bad.itertuples())


def relative(summary):
    """The fastest launch of every factor and graph, with its time over that of factor 1."""
    rows = select.sound(select.of(summary, ["sssp/coarsened"]))
    best = rows.sort_values("median_ms").drop_duplicates(["graph", "coarsening"])
    first = best[best["coarsening"] == 1].set_index("graph")["median_ms"]
    return best.assign(over_factor_1=best["median_ms"] / best["graph"].map(first))
