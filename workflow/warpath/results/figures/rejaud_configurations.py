"""Configuration and edge order, by variant (the charts of rejaud).

Time of each variant on six networks in five configurations (threads a block, blocks), with the edges sorted by source
(solid, filled) or by target (dashed, hollow). On the left are the times that the report prints for its unnamed card, on
the right those measured here, where stand-ins replace networks that were not available. For the to-process-edge
variants the report prints filter and compute time, together too short for a whole solve (see the claims), so their two
sides have scales of their own.
"""

from warpath.algorithms.launches import CONFIGURATIONS
from warpath.results import select, style
from warpath.results.figures import Nothing, Picture
from warpath.results.papers.rejaud import TO_PROCESS_EDGE, VARIANTS, graph_labels, then_and_now

TITLES = {
    "sssp/bmf_outcore": "Bellman-Ford, out of core",
    "sssp/bmf_shared": "... with shared memory",
    "sssp/bmf_incore": "... in core",
    "sssp/tpe_outcore": "To-process edges, out of core",
    "sssp/tpe_incore": "... in core",
}
MARKERS = "osD^vP"


def draw(tables):
    import matplotlib.pyplot as plt

    data = then_and_now(tables)
    if data["now_ms"].isna().all():
        raise Nothing("no run of the five variants on the six networks has a right answer yet")
    looks = _looks(sorted(data["graph"].unique()))
    figure, axes = plt.subplots(len(VARIANTS), 2, figsize=(style.WIDTH, 13.5), sharex=True)
    for pair, variant in zip(axes, VARIANTS, strict=True):
        _variant(pair, variant, data[data["algorithm"] == variant], looks)
    for ax in axes[-1]:
        ax.set_xlim(-0.35, len(CONFIGURATIONS) - 0.65)
        ax.set_xticks(range(len(CONFIGURATIONS)), [f"{block}, {grid}" for block, grid in CONFIGURATIONS])
        ax.set_xlabel("threads a block, blocks")
    handles = [plt.Line2D([], [], color=colour, marker=marker, lw=2) for colour, marker in looks.values()]
    handles += [plt.Line2D([], [], color=style.INK), plt.Line2D([], [], color=style.INK, ls="--")]
    labels = [*graph_labels(data), "by source", "by target"]
    figure.legend(handles, labels, loc="outside lower left", ncols=4, frameon=False)
    style.heading(figure, __doc__, select.of(tables.summary, VARIANTS))
    return Picture(figure, data, reading(data))


def _looks(graphs):
    """Colour and marker of each graph."""
    import seaborn

    return dict(zip(graphs, zip(seaborn.color_palette("colorblind", len(graphs)), MARKERS, strict=False), strict=True))


def _variant(pair, variant, rows, looks):
    for ax, column, when in zip(pair, ("then_ms", "now_ms"), ("then", "now"), strict=True):
        _lines(ax, rows, column, looks)
        if variant not in TO_PROCESS_EDGE:  # the same scale on both sides
            ax.update_datalim([(0, value) for value in rows[["then_ms", "now_ms"]].stack()], updatex=False)
        style.log_axis(ax.yaxis, style.duration)
        ax.set_title(f"{TITLES[variant]} · {when}")


def _lines(ax, rows, column, looks):
    for graph, (colour, marker) in looks.items():
        for order, ls in (("source", "-"), ("target", "--")):
            line = rows[(rows["graph"] == graph) & (rows["order"] == order)].set_index(["block", "grid"])[column]
            values = [line.get(configuration, float("nan")) for configuration in CONFIGURATIONS]
            ax.plot(values, color=colour, ls=ls, marker=marker, mfc=colour if ls == "-" else "white", ms=7, lw=1.8)


def reading(data):
    rows = data.dropna(subset=["now_ms"])
    spread = rows.groupby(["algorithm", "graph", "order"])["now_ms"].agg(lambda times: times.max() / times.min())
    orders = rows.pivot_table(index=["algorithm", "graph", "block"], columns="order", values="now_ms").dropna()
    text = f"Slowest over fastest configuration, median over graphs and variants: {style.factor(spread.median())}."
    if {"source", "target"} <= set(orders) and len(orders):
        text += f" Target over source order: {style.factor((orders['target'] / orders['source']).median())}."
    return text
