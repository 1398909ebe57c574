"""The whole table, then and now (rejaud).

Every variant, network, configuration and edge order: the time measured here and, below it in brackets, the time that
the report prints for its unnamed card (filter and compute time together for the to-process-edge variants; which of its
two times is which is inferred). The colour is the speed-up since then; a stand-in is compared with another network than
its own. Grey cells are not compared: not measured here, not printed there, or of a to-process-edge variant, whose
printed times are too short for a whole solve (see the claims).
"""

import numpy as np
import pandas as pd

from warpath.algorithms.launches import CONFIGURATIONS
from warpath.results import select, style
from warpath.results.figures import Nothing, Picture
from warpath.results.papers.rejaud import POINT, TO_PROCESS_EDGE, VARIANTS, graph_labels, then_and_now


def draw(tables):
    import matplotlib.pyplot as plt

    data = then_and_now(tables)
    if data["now_ms"].isna().all():
        raise Nothing("no run of the five variants on the six networks has a right answer yet")
    comparable = ~data["algorithm"].isin(TO_PROCESS_EDGE)
    data["faster_now"] = (data["then_ms"] / data["now_ms"]).where(comparable)
    rows = [(variant, graph) for variant in VARIANTS for graph in sorted(data["graph"].unique())]
    columns = [(*configuration, order) for configuration in CONFIGURATIONS for order in ("target", "source")]
    figure, ax = plt.subplots(figsize=(style.WIDTH + 2, 0.5 * len(rows) + 1))
    mesh = _cells(ax, data, rows, columns)
    heads = [f"{block}, {grid}\nby {order}" for block, grid, order in columns]
    labels = graph_labels(data)
    _as_table(ax, heads, [f"{style.short_name(variant)} · {label}" for variant in VARIANTS for label in labels])
    _colour_bar(figure, ax, mesh)
    style.heading(figure, __doc__, select.of(tables.summary, VARIANTS))
    return Picture(figure, data, reading(data))


def _cells(ax, data, rows, columns):
    cells = data.set_index(POINT)
    factors = cells["faster_now"].to_dict()
    values = np.log10(np.array([[factors.get((*row, *column), np.nan) for column in columns] for row in rows], float))
    limit = max(2, np.nanmax(np.abs(values), initial=0))
    mesh = ax.pcolormesh(values, cmap="RdYlBu", vmin=-limit, vmax=limit, edgecolor="w", lw=1.5)
    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            if (*row, *column) in cells.index:
                _cell(ax, x, y, cells.loc[(*row, *column)], limit)
    return mesh


def _cell(ax, x, y, cell, limit):
    now = style.duration(cell["now_ms"]) if pd.notna(cell["now_ms"]) else style.STATUSES.get(cell["status"], "–")
    then = f"\n({style.duration(cell['then_ms'])})" if pd.notna(cell["then_ms"]) else ""
    strong = abs(np.log10(cell["faster_now"])) > 0.75 * limit
    colour = "white" if strong else style.INK
    ax.text(x + 0.5, y + 0.5, now + then, ha="center", va="center", fontsize=9, color=colour, linespacing=1.05)


def _as_table(ax, heads, names):
    ax.set_facecolor("#E8E8E8")
    ax.grid(visible=False)
    ax.invert_yaxis()
    ax.xaxis.tick_top()
    ax.set_xticks(np.arange(len(heads)) + 0.5, heads, fontsize=10.5)
    ax.set_yticks(np.arange(len(names)) + 0.5, names, fontsize=11)


def _colour_bar(figure, ax, mesh):
    bar = figure.colorbar(mesh, ax=ax, shrink=0.4, pad=0.01)
    powers = range(int(mesh.norm.vmin), int(mesh.norm.vmax) + 1)
    bar.set_ticks(list(powers), labels=[style.factor(10.0**power) for power in powers])
    bar.set_label("times faster now")


def reading(data):
    medians = data.groupby("algorithm")["faster_now"].median().dropna()
    listed = ", ".join(f"{style.short_name(name)} {style.factor(value)}" for name, value in medians.items())
    return f"Then over now, median of each variant: {listed}."
