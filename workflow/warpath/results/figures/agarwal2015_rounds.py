"""Two flags by the cost of a round (after tables 1 and 2 of agarwal2015).

How many times faster Bellman-Ford is with two flags, by the time of a round without them; fastest launch of each, with
its interval. Two flags take two launches a round where the basic algorithm takes one.
"""

import pandas as pd

from warpath.results import charts, select, style
from warpath.results.figures import require
from warpath.results.papers.agarwal2015.claims import BASIC, NEAR, TWO_FLAGS, launches

RATIO = ("ratio", "low", "high")
TITLES = {True: "A round takes no longer than a launch", False: "A round takes longer"}


def draw(tables):
    best = select.sound(select.best(select.runs(tables.summary, [BASIC, TWO_FLAGS])))
    runs = {(select.label(row), row["algorithm"]): row for row in best.to_dict("records")}
    table = launches(tables.summary)
    require(table, "no graph has right answers of both versions yet")
    rows = []
    for row in table.to_dict("records"):
        two_flags = runs[row["graph"], TWO_FLAGS]
        of_solves, *ends = select.ratio(tables.timings, runs[row["graph"], BASIC], two_flags)
        ratio = row["basic_us"] / row["two_flags_us"] / 2
        times = dict(zip(RATIO, (ratio, *(ratio * end / of_solves for end in ends)), strict=True))
        rows.append({key: two_flags[key] for key in ("algorithm", "device", "device_name", "status")} | row | times)
    table = pd.DataFrame(rows).sort_values("basic_us", ignore_index=True)  # the shortest rounds on top
    near = (table["basic_us"] <= NEAR * table["launch_us"].iloc[0]).map(TITLES)
    rounds = [f"{row.graph} · {style.duration(row.basic_us / 1000)} a round" for row in table.itertuples()]
    panels = dict(list(table.assign(row=rounds, launch="", flags="").groupby(near, sort=False)))
    measure = charts.Measure(RATIO, style.factor, "times as fast with two flags", False)
    figure = charts.dots(panels, measure, marks={1: "as fast"}, sharex=True)
    return charts.picture(figure, __doc__, table, reading, runs=select.runs(tables.summary, [BASIC, TWO_FLAGS]))


def reading(table):
    ends = (
        f"{style.factor(row.ratio)} as fast on {row.graph} ({style.duration(row.basic_us / 1000)} a round)"
        for row in table.iloc[[0, -1]].itertuples()
    )
    return f"With two flags instead of the basic algorithm, by the shortest and the longest round: {', '.join(ends)}."
