"""Two flags by the cost of a round (after tables 1 and 2 of agarwal2015).

How many times faster Bellman-Ford is with two flags, over the time of a round without them, on sparse, general and
dense graphs; fastest launch of each. Two flags take two launches a round where the basic algorithm takes one. Left of
the dotted line a round's kernel takes no longer than its launch, and launches are compared, not relaxations.
"""

from warpath.results import charts, select, style
from warpath.results.figures import Nothing, Picture
from warpath.results.papers.agarwal2015 import BASIC, NEAR, TWO_FLAGS, launches


def draw(tables):
    import matplotlib.pyplot as plt

    table = launches(tables.summary)
    if table.empty:
        raise Nothing("no graph has right answers of both versions yet")
    table = table.assign(ratio=table["basic_us"] / table["two_flags_us"] / 2).sort_values("basic_us")
    figure, ax = plt.subplots(figsize=(style.WIDTH, 5.6))
    ax.plot(table["basic_us"], table["ratio"], "o", color=style.BLUE, ms=8)
    for row in table.itertuples():
        looks = {"fontsize": 10.5, "rotation": 35, "color": style.MUTED}
        ax.annotate(row.graph, (row.basic_us, row.ratio), (5, 5), textcoords="offset points", **looks)
    ax.axhline(1, color=style.INK, lw=1.2)
    ax.axvline(NEAR * table["launch_us"].iloc[0], color=style.MUTED, ls=":", lw=1.8)
    ax.update_datalim([(table["basic_us"].iloc[0], 1)])
    style.log_axis(ax.xaxis, lambda value: style.duration(value / 1000))
    style.log_axis(ax.yaxis, style.factor, least_span=4)
    ax.set_xlabel("time of a round of the basic algorithm")
    ax.set_ylabel("times faster with two flags")
    rows = select.of(tables.summary, [BASIC, TWO_FLAGS])
    style.heading(figure, __doc__, rows, reading(table, rows))
    return Picture(figure, table, reading(table, rows))


def reading(table, rows):
    if select.emulated(rows):
        return charts.UNRANKED
    first, last = table.iloc[0], table.iloc[-1]
    ends = (
        f"{style.factor(row.ratio)} on {row.graph} ({style.duration(row.basic_us / 1000)} a round)"
        for row in (first, last)
    )
    return f"Two flags over the basic algorithm, by the shortest and the longest round: {', '.join(ends)}."
