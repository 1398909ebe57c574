"""Configuration and edge order, then and now (the charts of rejaud).

For each variant, the time of a configuration (threads a block, blocks) over that of the best one for the same network
and edge order: on one axis what the report prints for its unnamed card and what was measured here, where stand-ins
replace networks that were not available. The last panel is the time with edges sorted by target over that with edges
sorted by source. A dot is the median over networks and edge orders, a bar reaches from the least to the most.
"""

import pandas as pd
import seaborn
from matplotlib import pyplot as plt

from warpath.algorithms.launches import CONFIGURATIONS
from warpath.results import charts, select, style
from warpath.results.figures import Nothing
from warpath.results.papers.rejaud import POINT, VARIANTS, then_and_now

TITLES = {
    "sssp/bmf_outcore": "Bellman-Ford, out of core",
    "sssp/bmf_shared": "Bellman-Ford, shared memory",
    "sssp/bmf_incore": "Bellman-Ford, in core",
    "sssp/tpe_outcore": "To-process edges, out of core",
    "sssp/tpe_incore": "To-process edges, in core",
}
WHEN = {"then": "then, as printed", "now": "now, measured here"}


def draw(tables):
    data = relative(then_and_now(tables))
    if data["now_ms"].isna().all():
        raise Nothing("no run of the five variants on the six networks has a right answer yet")
    configurations = [f"{block}, {grid}" for block, grid in CONFIGURATIONS]
    data = data.assign(row=[f"{row.block:.0f}, {row.grid:.0f}" for row in data.itertuples()])
    panels = {title: (data[data["algorithm"] == name], "over_best", configurations) for name, title in TITLES.items()}
    by_order = data.assign(row=data["algorithm"].map(style.short_name))
    panels["Edge order"] = by_order, "over_source", [style.short_name(name) for name in VARIANTS]
    figure, axes = plt.subplots(2, 3, figsize=(style.WIDTH, 7), sharex=True)
    for ax, (title, (rows, column, order)) in zip(axes.flat, panels.items(), strict=True):
        times = [rows.assign(when=words, ratio=rows[f"{column}_{when}"]) for when, words in WHEN.items()]
        times = pd.concat(times).dropna(subset="ratio")
        looks = {"palette": [style.PUBLISHED, style.BLUE], "markers": ["D", "o"], "linestyle": "none", "dodge": 0.35}
        hues = {"hue": "when", "hue_order": list(WHEN.values()), "order": order}
        how = {"estimator": "median", "errorbar": ("pi", 100), "err_kws": {"lw": 2}, "markersize": 6}
        seaborn.pointplot(times, x="ratio", y="row", ax=ax, legend=ax is axes.flat[0], **hues, **how, **looks)
        ax.axvline(1, color=style.INK, lw=1.2, zorder=1)
        ax.set_title(title, fontsize=13)
        ax.set(ylabel="", xlabel={"over_best": "time over the best"}.get(column, "time by target over time by source"))
    for ax in axes.flat:
        style.log_axis(ax.xaxis, style.factor, least_span=2.5)
    seaborn.move_legend(axes.flat[0], "lower right", bbox_to_anchor=(1, 1.1), ncols=2, title=None)
    stand_ins = set(data.dropna(subset=["stand_in_for"])["graph"])
    names = [f"{name} (now a stand-in)" if name in stand_ins else name for name in sorted(data["graph"].unique())]
    charts.note(figure, f"networks: {', '.join(names)}")
    return charts.picture(figure, __doc__, data, reading, runs=select.runs(tables.summary, VARIANTS))


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
    orders = data[["over_source_then", "over_source_now"]].median()
    found = {
        "The worst configuration takes {} as long as the best": worst,
        "edges by target {} as long as by source": orders,
    }
    sentences = []
    for words, (then, now) in found.items():
        printed = f" ({style.factor(then)} then)" if then > 0 else ""
        sentences += [words.format(style.factor(now)) + printed] if now > 0 else []
    return f"{'; '.join(sentences)}, in the median."
