"""Configuration and edge order, then and now (the charts of rejaud).

For each variant, the time of a configuration (threads a block, blocks) over that of the best one for the same network
and edge order: on one axis what the report prints for its unnamed card and what was measured here. The last panel is
edges by target over edges by source. A dot is the median over networks and orders, a bar the least to the most.
"""

import pandas as pd
import seaborn

from warpath.results import charts, select, style
from warpath.results.papers.rejaud.claims import POINT, VARIANTS, then_and_now

WHEN = {"then": "then, as printed", "now": "now, measured here"}
ORDER = "edges by target over by source"


def draw(tables):
    data = relative(then_and_now(tables))
    names = data["algorithm"].map(style.plain_name)
    launches = [f"{row.block:.0f}, {row.grid:.0f}" for row in data.itertuples()]
    points = [
        data.assign(when=words, panel=panel, row=rows, ratio=data[f"{column}_{when}"])
        for when, words in WHEN.items()
        for panel, rows, column in ((names, launches, "over_best"), (ORDER, names, "over_source"))
    ]
    points = pd.concat(points, ignore_index=True).dropna(subset="ratio")
    looks = {"hue": "when", "hue_order": list(WHEN.values()), "linestyle": "none", "dodge": 0.35, "markersize": 6}
    looks |= {"palette": [style.PUBLISHED, style.BLUE], "markers": ["D", "o"], "err_kws": {"lw": 2}, **charts.INTERVALS}
    options = {"kind": "point", "col_wrap": 3, "sharey": False, "height": 3.5, "aspect": style.WIDTH / 10.5}
    panels = [*names.unique(), ORDER]
    grid = seaborn.catplot(points, x="ratio", y="row", col="panel", col_order=panels, **options, **looks)
    grid.set_titles("{col_name}").set_axis_labels("time over the best", "")
    for ax in grid.axes.flat:
        ax.axvline(1, color=style.INK, lw=1.2, zorder=1)
        charts.log_axis(ax.xaxis, style.factor, least_span=2.5)
    seaborn.move_legend(grid, "center right", title=None)
    kinds = data["stand_in_for"].notna().map({True: " (now a stand-in)", False: ""})
    notes = [f"networks: {', '.join(sorted(set(data['graph'] + kinds)))}"]
    return charts.picture(grid.figure, __doc__, data, reading, select.runs(tables.summary, VARIANTS), notes=notes)


def relative(data):
    """The table with each time, then and now, over the best configuration and over the same edges by source."""
    for when in WHEN:
        times = data[f"{when}_ms"]
        best = times.groupby([data["algorithm"], data["graph"], data["order"]]).transform("min")
        by_source = times.where(data["order"] == "source").groupby([data[name] for name in POINT[:-1]]).transform("max")
        over_source = (times / by_source).where(data["order"] == "target")
        data = data.assign(**{f"over_best_{when}": times / best, f"over_source_{when}": over_source})
    return data


def reading(data):
    worst = data.groupby(["algorithm", "graph", "order"])[["over_best_then", "over_best_now"]].max().median()
    then, now = map(style.factor, worst)
    return f"The worst configuration takes {now} as long as the best ({then} then), in the median."
