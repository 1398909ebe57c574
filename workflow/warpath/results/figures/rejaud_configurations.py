"""Configuration and edge order, then and now (the charts of rejaud).

For each variant, the time of a configuration (threads a block, blocks) over that of the best one for the same network
and edge order: on one axis what the report prints for its unnamed card and what was measured here, where stand-ins
replace networks that were not available. The last panel is the time with edges sorted by target over that with edges
sorted by source. A dot is the median over networks and edge orders, a bar reaches from the least to the most.
"""

import numpy as np

from warpath.algorithms.launches import CONFIGURATIONS
from warpath.results import charts, select, style
from warpath.results.figures import Nothing
from warpath.results.papers.rejaud import POINT, VARIANTS, then_and_now

TITLES = {
    "sssp/bmf_outcore": "Bellman-Ford, out of core",
    "sssp/bmf_shared": "... with shared memory",
    "sssp/bmf_incore": "... in core",
    "sssp/tpe_outcore": "To-process edges, out of core",
    "sssp/tpe_incore": "... in core",
}
LOOKS = {"then": (style.PUBLISHED, "D", -0.17), "now": (style.BLUE, "o", 0.17)}


def draw(tables):
    import matplotlib.pyplot as plt

    data = relative(then_and_now(tables))
    if data["now_ms"].isna().all():
        raise Nothing("no run of the five variants on the six networks has a right answer yet")
    figure, axes = plt.subplots(2, 3, figsize=(style.WIDTH, 7))
    for ax, variant in zip(axes.flat, VARIANTS, strict=False):
        groups = data[data["algorithm"] == variant].groupby(["block", "grid"])
        _panel(ax, {f"{block}, {grid}": groups.get_group((block, grid)) for block, grid in CONFIGURATIONS}, "over_best")
        ax.set_title(TITLES[variant], fontsize=13, y=1)
        ax.set_xlabel("time over the best configuration")
    orders = {style.short_name(variant): data[data["algorithm"] == variant] for variant in VARIANTS}
    _panel(axes.flat[-1], orders, "over_source")
    axes.flat[-1].set_title("Edge order", fontsize=13, y=1)
    axes.flat[-1].set_xlabel("time by target over time by source")
    limits = np.array([ax.get_xlim() for ax in axes.flat[:-1]])
    for ax in axes.flat[:-1]:
        ax.set_xlim(limits.min(), limits.max())
        ax.set_xticks([1, 1.5, 2, 3], ["1×", "1.5×", "2×", "3×"])
    handles = [plt.Line2D([], [], color=colour, marker=marker, lw=2) for colour, marker, _ in LOOKS.values()]
    labels = ["then, as printed", "now, measured here"]
    figure.legend(handles, labels, loc="outside lower right", ncols=2, frameon=False)
    stand_ins = set(data.dropna(subset=["stand_in_for"])["graph"])
    names = [f"{name} (now a stand-in)" if name in stand_ins else name for name in sorted(data["graph"].unique())]
    charts.note(figure, f"networks: {', '.join(names)}")
    return charts.picture(figure, __doc__, data, reading, runs=select.runs(tables.summary, VARIANTS))


def relative(data):
    """The table with each time, then and now, over the best configuration and over the same edges by source."""
    for when in LOOKS:
        times = data[f"{when}_ms"]
        best = times.groupby([data["algorithm"], data["graph"], data["order"]]).transform("min")
        by_source = times.where(data["order"] == "source").groupby([data[name] for name in POINT[:-1]]).transform("max")
        over_source = (times / by_source).where(data["order"] == "target")
        data = data.assign(**{f"over_best_{when}": times / best, f"over_source_{when}": over_source})
    return data


def _panel(ax, rows, column):
    for place, table in enumerate(rows.values()):
        for when, (colour, marker, aside) in LOOKS.items():
            values = table[f"{column}_{when}"].dropna()
            if len(values):
                ax.hlines(place + aside, values.min(), values.max(), color=colour, lw=2)
                ax.plot(values.median(), place + aside, marker, color=colour, ms=7, zorder=3)
    ax.axvline(1, color=style.INK, lw=1.2, zorder=1)
    ax.set_yticks(range(len(rows)), rows)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    style.log_axis(ax.xaxis, style.factor, least_span=2.5)
    ax.minorticks_off()


def reading(data):
    worst = data.groupby(["algorithm", "graph", "order"])[["over_best_then", "over_best_now"]].max().median()
    text = f"The worst configuration takes {style.factor(worst['over_best_now'])} as long as the best"
    text += f" ({style.factor(worst['over_best_then'])} then)" if worst["over_best_then"] > 0 else ""
    orders = data[["over_source_then", "over_source_now"]].median()
    if orders["over_source_now"] > 0:
        text += f"; edges by target {style.factor(orders['over_source_now'])} as long as by source"
        text += f" ({style.factor(orders['over_source_then'])} then)" if orders["over_source_then"] > 0 else ""
    return f"{text}, in the median."
