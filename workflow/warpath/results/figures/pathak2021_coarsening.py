"""Coarsening factors (figure 5 of pathak2021).

Median time of SSSP with 1, 2, 4, 8 or 16 vertices a thread, over that with one vertex a thread on the same graph; each
factor with its fastest block size. Above the line coarsening costs time. The paper finds every higher factor slower; of
its factors it names 16 alone, the others are assumed. A thread's vertices are neighbours (solid) or as far apart as the
grid is wide (dashed), which the paper does not say.
"""

from warpath.results import charts, select, style
from warpath.results.figures import Nothing, Picture
from warpath.results.papers.pathak2021 import COARSENED, STRIDED

MARKERS = "osD^vP<>"
COLUMNS = [
    *[
        "graph",
        "arcs",
        "algorithm",
        "coarsening",
        "launch",
        "device_label",
        "device_name",
        "status",
        "median_ms",
        "over_factor_1",
    ],
]


def draw(tables):
    import matplotlib.pyplot as plt

    table = relative(tables.summary)
    if table["over_factor_1"].isna().all():
        raise Nothing("sssp/coarsened was not run with factor 1 and others on any graph with right answers")
    figure, ax = plt.subplots(figsize=(style.WIDTH, 5))
    _lines(ax, table, tables.summary)
    _axes(ax, sorted(table["coarsening"].unique()))
    charts.legend(ax)
    charts.note_flags(figure, table)
    style.heading(figure, __doc__, table)
    return Picture(figure, table[COLUMNS], reading(table))


def relative(summary):
    """The fastest launch of every algorithm, factor and graph, with its time over that of factor 1."""
    rows = select.sound(select.of(summary, [COARSENED, STRIDED]))
    best = rows.sort_values("median_ms").drop_duplicates(["algorithm", "graph", "coarsening"])
    first = best[best["coarsening"] == 1].set_index(["algorithm", "graph"])["median_ms"].rename("first_ms")
    best = best.join(first, on=["algorithm", "graph"])
    return best.assign(over_factor_1=best["median_ms"] / best["first_ms"])


def _lines(ax, table, summary):
    import seaborn

    graphs = table.sort_values(["arcs", "coarsening"]).groupby("graph", sort=False)
    colours = seaborn.color_palette("colorblind", len(graphs))
    for (graph, rows), colour, marker in zip(graphs, colours, MARKERS * 9, strict=False):
        label = f"{graph} ({style.count(rows['arcs'].iloc[0])} arcs){_unsound_factors(summary, graph)}"
        for algorithm, ls in ((COARSENED, "-"), (STRIDED, "--")):
            mine = rows[rows["algorithm"] == algorithm]
            looks = {"color": colour, "marker": marker, "ls": ls, "lw": 2.2, "ms": 8}
            ax.plot(mine["coarsening"], mine["over_factor_1"], label=label, **looks)
            charts.hollow_where_flagged(ax, mine, "coarsening", "over_factor_1", (colour, marker))
            label = None


def _unsound_factors(summary, graph):
    """Lines for the legend: the factors without a right answer and how they ended."""
    rows = select.of(summary[summary["graph"] == graph], [COARSENED, STRIDED])
    best = select.best(rows, per=["coarsening"])
    unsound = best[best["status"] != select.SOUND].sort_values("coarsening")
    return "".join(f"\n✕ factor {row.coarsening:g} {style.STATUSES[row.status]}" for row in unsound.itertuples())


def _axes(ax, factors):
    ax.axhline(1, color=style.INK, lw=1.2)
    ax.update_datalim([(1, 1)])
    style.log_axis(ax.xaxis, lambda value: f"{value:g}")
    ax.set_xticks(factors, [f"{factor:g}" for factor in factors])
    style.log_axis(ax.yaxis, style.factor, least_span=4)
    ax.set_xlabel("coarsening factor: vertices a thread")
    ax.set_ylabel("time over factor 1")


def reading(table):
    ends = table.loc[table["over_factor_1"].idxmin()], table.loc[table["over_factor_1"].idxmax()]
    least, most = (
        f"{style.short_name(row.algorithm)} by {row.coarsening:g} on {row.graph}, {style.factor(row.over_factor_1)}"
        for row in ends
    )
    return f"Least time over that of factor 1: {least}; most: {most}."
