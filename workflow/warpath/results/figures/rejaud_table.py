"""The whole table, then and now (rejaud).

Every variant, network, configuration and edge order: the time measured here and, below it in brackets, the one that the
report prints for its unnamed card (filter and computation together for the to-process-edge variants). The colour says
how many times faster it is now; where a stand-in was run here, that is another network than there. Grey is what was not
measured here or not printed there, and the to-process-edge variants, whose printed times are too short to be those of a
whole solve (see the claims).
"""

import numpy as np
import pandas as pd

from warpath.results import select, style
from warpath.results.figures import Nothing, Picture
from warpath.results.figures.rejaud_configurations import (
    CONFIGURATIONS,
    TO_PROCESS_EDGE,
    VARIANTS,
    labels,
    then_and_now,
)


def draw(tables):
    import matplotlib.pyplot as plt

    data = then_and_now(tables)
    if data["now_ms"].isna().all():
        raise Nothing("no run of the five variants on the six networks has a right answer yet")
    whole = ~data["algorithm"].isin(TO_PROCESS_EDGE)
    data["faster_now"] = (data["then_ms"] / data["now_ms"]).where(whole)
    rows = [(variant, graph) for variant in VARIANTS for graph in sorted(data["graph"].unique())]
    columns = [(*configuration, order) for configuration in CONFIGURATIONS for order in ("target", "source")]
    figure, ax = plt.subplots(figsize=(style.WIDTH + 2, 0.5 * len(rows) + 1))
    mesh = _cells(ax, data, rows, columns)
    heads = [f"{block}, {grid}\nby {order}" for block, grid, order in columns]
    _as_table(ax, heads, [f"{variant.split('/')[1]} · {name}" for variant in VARIANTS for name in labels(data)])
    _colour_bar(figure, ax, mesh)
    style.heading(figure, "The whole table, then and now (rejaud)", select.of(tables.summary, VARIANTS))
    return Picture(figure, data, reading(data))


def _cells(ax, data, rows, columns):
    cells = data.set_index(["algorithm", "graph", "block", "grid", "order"])
    grid = cells["faster_now"].to_dict()
    values = np.log10(np.array([[grid.get((*row, *column), np.nan) for column in columns] for row in rows], float))
    limit = max(2, np.nanmax(np.abs(values), initial=0))
    mesh = ax.pcolormesh(values, cmap="RdYlBu", vmin=-limit, vmax=limit, edgecolor="w", lw=1.5)
    for at, row in enumerate(rows):
        for place, column in enumerate(columns):
            if (*row, *column) in cells.index:
                _cell(ax, place, at, cells.loc[(*row, *column)], limit)
    return mesh


def _cell(ax, place, at, cell, limit):
    now = style.duration(cell["now_ms"]) if pd.notna(cell["now_ms"]) else _ending(cell["status"])
    then = f"\n({style.duration(cell['then_ms'])})" if pd.notna(cell["then_ms"]) else ""
    strong = abs(np.log10(cell["faster_now"])) > 0.75 * limit
    colour = "white" if strong else style.INK
    ax.text(place + 0.5, at + 0.5, now + then, ha="center", va="center", fontsize=9, color=colour, linespacing=1.05)


def _ending(status):
    return style.STATUSES.get(status, "–")


def _as_table(ax, heads, names):
    ax.set_facecolor("#E8E8E8")
    ax.grid(visible=False)
    ax.invert_yaxis()
    ax.xaxis.tick_top()
    ax.set_xticks(np.arange(len(heads)) + 0.5, heads, fontsize=10.5)
    ax.set_yticks(np.arange(len(names)) + 0.5, names, fontsize=11)


def _colour_bar(figure, ax, mesh):
    bar = figure.colorbar(mesh, ax=ax, shrink=0.4, pad=0.01)
    marks = range(int(mesh.norm.vmin), int(mesh.norm.vmax) + 1)
    bar.set_ticks(list(marks), labels=[style.factor(10.0**mark) for mark in marks])
    bar.set_label("times faster now")


def reading(data):
    middle = data.groupby("algorithm")["faster_now"].median().dropna()
    said = ", ".join(f"{name.split('/')[1]} {style.factor(value)}" for name, value in middle.items())
    return f"Then over now, median of each variant: {said}."
