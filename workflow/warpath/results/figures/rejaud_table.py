"""The whole table, then and now (rejaud).

Every variant, network, configuration and edge order: the time measured here and, below it, the time that the report
prints for its unnamed card (filter and compute time together for the to-process-edge variants; which of its two times
is which is inferred). Blue is faster now, red slower; a stand-in is compared with another network than its own. Grey
cells are not compared: not measured here, not printed there, or of a to-process-edge variant, whose printed times are
too short for a whole solve (see the claims). The report has no edges by source for the variant with shared memory.
"""

import numpy as np

from warpath.algorithms.launches import CONFIGURATIONS
from warpath.results import charts, select, style
from warpath.results.figures import Nothing
from warpath.results.papers.rejaud import POINT, TO_PROCESS_EDGE, VARIANTS, then_and_now
from warpath.runs import statuses

ORDERS = ("target", "source")
MISSING = "–"
ROW, HEADING = 0.45, 0.62  # inches of a row, and of a variant's name and its column heads
END = 1000  # of the scale of colours: the largest ratios are about 40, whose blue is light enough for dark text


def draw(tables):
    data = then_and_now(tables)
    if data["now_ms"].isna().all():
        raise Nothing("no run of the five variants on the six networks has a right answer yet")
    comparable = ~data["algorithm"].isin(TO_PROCESS_EDGE)
    data["faster_now"] = (data["then_ms"] / data["now_ms"]).where(comparable)
    graphs = sorted(data["graph"].unique())
    figure, axes = charts.panels([ROW * len(graphs)] * len(VARIANTS), HEADING)
    stand_ins = set(data.dropna(subset=["stand_in_for"])["graph"])
    names = [f"{graph} *" if graph in stand_ins else graph for graph in graphs]
    for ax, variant in zip(axes, VARIANTS, strict=True):
        _variant(ax, data[data["algorithm"] == variant].set_index(POINT), variant, graphs, names)
    if stand_ins:
        charts.note(figure, f"* now a stand-in: {', '.join(sorted(stand_ins))}")
    charts.note(figure, _legend(tables.summary, data))
    return charts.picture(figure, __doc__, data, reading, runs=select.runs(tables.summary, VARIANTS))


def _variant(ax, cells, variant, graphs, names):
    columns = [(*configuration, order) for configuration in CONFIGURATIONS for order in ORDERS]
    ratios = np.full((len(graphs), len(columns)), np.nan)
    for y, graph in enumerate(graphs):
        for x, column in enumerate(columns):
            if (variant, graph, *column) in cells.index:
                cell = cells.loc[(variant, graph, *column)]
                ratios[y, x] = cell["faster_now"]
                then, colour = style.duration(cell["then_ms"]), style.on(cell["faster_now"], END)
                now = style.duration(cell["now_ms"]) or statuses.WORDS.get(cell["status"], MISSING)
                style.cell(ax, x + 0.5, y + (0.33 if then else 0.5), now, 12, colour)
                style.cell(ax, x + 0.5, y + 0.74, then, 10, colour)
    heads = [f"{block}, {grid}\n{order}" for block, grid, order in columns]
    charts.ratio_table(ax, ratios, END, heads, names, title=style.short_name(variant), fontsize=13, x=-0.14)


def _legend(summary, data):
    """What the cells say, and the width of the intervals of the times measured here."""
    sound = select.sound(select.runs(summary, VARIANTS))
    width = ((sound["high_ms"] - sound["low_ms"]) / sound["median_ms"] / 2).quantile(0.9)
    missing = data["now_ms"].isna() & ~data["status"].isin(statuses.WORDS)
    explained = f" {MISSING}: not measured." if missing.any() else ""
    intervals = f"Nine of ten intervals are within ± {style.percent(100 * width)}."
    return f"Upper time: now; lower: then. {intervals}{explained}"


def reading(data):
    medians = data.groupby("algorithm")["faster_now"].median().dropna()
    listed = ", ".join(f"{style.short_name(name)} {style.factor(value)}" for name, value in medians.items())
    return f"Faster than the report's card, in the median: {listed}."
