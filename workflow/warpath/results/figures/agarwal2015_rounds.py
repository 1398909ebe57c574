"""Two flags by the cost of a round (after tables 1 and 2 of agarwal2015).

How many times faster Bellman-Ford is with two flags, on sparse, general and dense graphs by the time of a round without
them; fastest launch of each, with its interval. Two flags take two launches a round where the basic algorithm takes
one. Where a round's kernel takes no longer than its launch, launches are compared, not relaxations.
"""

from warpath.results import charts, select, style
from warpath.results.figures import Nothing
from warpath.results.papers.agarwal2015 import BASIC, NEAR, TWO_FLAGS, launches

LINE = 0.34  # inches of a row


def draw(tables):
    table = launches(tables.summary)
    if table.empty:
        raise Nothing("no graph has right answers of both versions yet")
    table = with_ratios(table, tables).sort_values("basic_us")
    figure, (ax,) = charts.panels([LINE * len(table) + 1])
    for height, row in enumerate(table.itertuples()):  # the shortest rounds on top
        ax.hlines(height, row.low, row.high, color=style.BLUE, lw=2)
        ax.plot(row.ratio, height, "o", color=style.BLUE, ms=8)
        looks = {"textcoords": "offset points", "fontsize": 11, "va": "center"}
        ax.annotate(style.factor(row.ratio), (max(row.high, row.ratio), height), (8, 0), **looks)
    names = [f"{row.graph} · {style.duration(row.basic_us / 1000)} a round" for row in table.itertuples()]
    ax.set_yticks(range(len(table)), names)
    ax.set_ylim(len(table) - 0.4, -0.6)
    if near := (table["basic_us"] <= NEAR * table["launch_us"].iloc[0]).sum():
        ax.axhspan(-0.6, near - 0.5, color=style.BAND, zorder=0)
        charts.note(figure, "Grey: a round takes no longer than a launch.")
    ax.axvline(1, color=style.INK, lw=1.2, zorder=1)
    ax.update_datalim([(1, 0)])
    style.log_axis(ax.xaxis, style.factor, least_span=4)
    ax.set_xlabel("times faster with two flags")
    rows = select.runs(tables.summary, [BASIC, TWO_FLAGS])
    return charts.picture(figure, __doc__, table, reading, runs=rows)


def with_ratios(table, tables):
    """The table with the ratio of the times of a round, and its interval: that of the times of the whole solves."""
    best = select.sound(select.best(select.runs(tables.summary, [BASIC, TWO_FLAGS])))
    runs = {(select.label(row), row["algorithm"]): row for row in best.to_dict("records")}
    rows = []
    for row in table.itertuples():
        ratio = row.basic_us / row.two_flags_us / 2
        of_solves, *ends = select.ratio(tables.timings, runs[row.graph, BASIC], runs[row.graph, TWO_FLAGS])
        rows.append((ratio, *(ratio * end / of_solves for end in ends)))
    return table.assign(**dict(zip(("ratio", "low", "high"), zip(*rows, strict=True), strict=True)))


def reading(table):
    ends = (
        f"{style.factor(row.ratio)} on {row.graph} ({style.duration(row.basic_us / 1000)} a round)"
        for row in table.iloc[[0, -1]].itertuples()
    )
    return f"Two flags over the basic algorithm, by the shortest and the longest round: {', '.join(ends)}."
