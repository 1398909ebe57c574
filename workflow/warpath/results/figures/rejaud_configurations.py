"""Configuration and edge order, by variant (the charts of rejaud).

One row a variant: its time in the five configurations (threads a block, blocks), with the edges sorted by source
(solid, filled) and by target (dashed, hollow), for six networks. On the left what the report prints for its unnamed
card, on the right what was measured here, where networks that could not be had are stand-ins. For the to-process-edge
variants the report prints filter and computation, together too short to be those of a whole solve (see the claims):
there the two scales differ.
"""

import pandas as pd

from warpath.results import select, style
from warpath.results.figures import Nothing, Picture

VARIANTS = {
    "sssp/bmf_outcore": "Bellman-Ford, out of core",
    "sssp/bmf_shared": "... with shared memory",
    "sssp/bmf_incore": "... in core",
    "sssp/tpe_outcore": "To-process edges, out of core",
    "sssp/tpe_incore": "... in core",
}
TO_PROCESS_EDGE = ("sssp/tpe_outcore", "sssp/tpe_incore")
CONFIGURATIONS = [(256, 8), (384, 5), (512, 4), (768, 2), (1024, 2)]
MARKERS = "osD^vP"


def draw(tables):
    import matplotlib.pyplot as plt
    import seaborn

    data = then_and_now(tables)
    if data["now_ms"].isna().all():
        raise Nothing("no run of the five variants on the six networks has a right answer yet")
    graphs = sorted(data["graph"].unique())
    colours = dict(zip(graphs, seaborn.color_palette("colorblind", len(graphs)), strict=True))
    figure, axes = plt.subplots(len(VARIANTS), 2, figsize=(style.WIDTH, 13.5), sharex=True)
    for (left, right), (variant, title) in zip(axes, VARIANTS.items(), strict=True):
        rows = data[data["algorithm"] == variant]
        for ax, column in ((left, "then_ms"), (right, "now_ms")):
            _lines(ax, rows, column, graphs, colours)
            if variant not in TO_PROCESS_EDGE:  # the same scale for both
                ax.update_datalim([(0, value) for value in rows[["then_ms", "now_ms"]].stack()], updatex=False)
            style.log_axis(ax.yaxis, style.duration)
        left.set_title(f"{title} · then")
        right.set_title(f"{title} · now")
    for ax in axes[-1]:
        ax.set_xlim(-0.35, len(CONFIGURATIONS) - 0.65)
        ax.set_xticks(range(len(CONFIGURATIONS)), [f"{block}, {grid}" for block, grid in CONFIGURATIONS])
        ax.set_xlabel("threads a block, blocks")
    handles = [plt.Line2D([], [], color=colours[graph], marker=MARKERS[at], lw=2) for at, graph in enumerate(graphs)]
    handles += [plt.Line2D([], [], color=style.INK), plt.Line2D([], [], color=style.INK, ls="--")]
    figure.legend(handles, [*labels(data), "by source", "by target"], loc="outside lower left", ncols=4, frameon=False)
    style.heading(figure, "Configuration and edge order, by variant (the charts of rejaud)", _mine(tables.summary))
    return Picture(figure, data, reading(data))


def _mine(summary):
    return select.of(summary, VARIANTS)


def then_and_now(tables):
    """A row per variant, graph, configuration and order: milliseconds in the report and here."""
    keys = ["algorithm", "graph", "block", "grid", "order"]
    printed = tables.published[(tables.published["paper"] == "rejaud") & tables.published["block"].notna()]
    then = printed.assign(order=printed["order"].fillna("target")).groupby(keys)["value"].sum().rename("then_ms")
    mine = _mine(tables.summary)
    mine = mine.assign(
        order=mine["order"].fillna("target"), graph=[select.subject(row) for row in mine.to_dict("records")]
    )
    mine = mine[mine["graph"].isin(printed["graph"])]
    mine["now_ms"] = mine["median_ms"].where(mine["status"] == "ok")
    phases = [name for name in ("phase_filter_ms", "phase_compute_ms") if name in mine]
    now = mine.astype({"block": float, "grid": float}).set_index(keys)[["now_ms", "status", "stand_in_for", *phases]]
    return pd.concat([then, now], axis=1).reset_index()


def labels(data):
    """The networks' names in order, stand-ins marked."""
    stands_in = data.dropna(subset=["stand_in_for"])["graph"].unique()
    return [f"{graph} (now a stand-in)" if graph in stands_in else graph for graph in sorted(data["graph"].unique())]


def _lines(ax, rows, column, graphs, colours):
    for at, graph in enumerate(graphs):
        for order, ls in (("source", "-"), ("target", "--")):
            mine = rows[(rows["graph"] == graph) & (rows["order"] == order)].set_index(["block", "grid"])[column]
            face = colours[graph] if order == "source" else "white"
            values = [mine.get(configuration, float("nan")) for configuration in CONFIGURATIONS]
            ax.plot(values, color=colours[graph], ls=ls, marker=MARKERS[at], mfc=face, ms=7, lw=1.8)


def reading(data):
    rows = data.dropna(subset=["now_ms"])
    spread = rows.groupby(["algorithm", "graph", "order"])["now_ms"].agg(lambda times: times.max() / times.min())
    wide = rows.pivot_table(index=["algorithm", "graph", "block"], columns="order", values="now_ms").dropna()
    said = f"Slowest over fastest configuration, median over graphs and variants: {style.factor(spread.median())}."
    if {"source", "target"} <= set(wide) and len(wide):
        said += f" Target over source order: {style.factor((wide['target'] / wide['source']).median())}."
    return said
