"""A graph in one picture: degrees, the levels of a search, components, and what is fastest on it.

Sizes and arcs of levels follow from the distances of a breadth-first search on the CPU; nothing is timed.
"""

import numpy as np
import pandas as pd

from warpath.graphs import csr, shape
from warpath.results import charts, figures, select, style
from warpath.runs import csgraph

FEW = 4096  # arcs of a level that keep less than a tenth of a large card busy


def draw(name, folder, tables, output):
    """Write <output>/<name>.svg, .png and .csv of the prepared graph in `folder`; `tables` may be None."""
    csr.require(folder, name)
    style.apply()
    picture = portray(name, csr.read(folder), shape.of(folder), _fastest(name, tables))
    figures.save(picture, name, f"The graph {name}", output)
    return picture.reading


def portray(name, graph, known, fastest):
    """The picture of a graph; `known` is its shape, `fastest` a list of lines."""
    import matplotlib.pyplot as plt

    degrees = np.diff(graph.offsets)
    table = levels(graph, int(degrees.argmax()))
    figure, (left, right) = plt.subplots(1, 2, figsize=(style.WIDTH, 4.4), width_ratios=[2, 3])
    _degrees(left, degrees)
    _levels(right, table)
    charts.note(figure, "  ·  ".join([_numbers(known), *fastest]))
    text = reading(name, known, table)
    figure.text(0.005, 1.03, text, ha="left", va="bottom", fontsize=15, fontweight="bold")
    return figures.Picture(figure, table, text)


def levels(graph, source):
    """Vertices of each level of a search from the source, and the arcs that leave them."""
    found, _ = csgraph.breadth_first(csgraph.matrix(graph), source)
    degrees = np.diff(graph.offsets)
    sizes = [(level, len(vertices), int(degrees[vertices].sum())) for level, vertices in enumerate(found)]
    return pd.DataFrame(sizes, columns=["level", "vertices", "arcs"])


def _degrees(ax, degrees):
    """Draw the share of vertices that have so many arcs or more."""
    values, counts = np.unique(degrees[degrees > 0], return_counts=True)
    shares = counts[::-1].cumsum()[::-1] / len(degrees)
    ax.step(values, shares, where="post", color=style.BLUE, lw=2)
    style.log_axis(ax.xaxis, style.count)
    style.log_axis(ax.yaxis, lambda value: style.percent(100 * value))
    ax.set_xlabel("arcs of a vertex, at least")
    ax.set_ylabel("share of vertices")
    ax.set_title("Degrees")


def _levels(ax, table):
    for column, colour, marker in (("arcs", style.VERMILLION, "s"), ("vertices", style.BLUE, "o")):
        looks = {"marker": marker, "ms": 5} if len(table) <= 30 else {}
        ax.plot(table["level"], table[column].clip(lower=1), color=colour, lw=2, label=column, **looks)
    style.log_axis(ax.yaxis, style.count)
    ax.set_xlabel("level of a search from the vertex with most arcs")
    ax.set_title("Frontier by level")
    charts.legend(ax)


def _numbers(known):
    degrees = f"degrees {known['least_degree']} to {known['largest_degree']:,}, mean {known['mean_degree']:.3g}"
    size = f"{known['vertices']:,} vertices, {known['arcs']:,} arcs"
    components = f"{known['components']:,} weakly connected component{'s' if known['components'] > 1 else ''}"
    return f"{size}; {degrees}; {components}"


def reading(name, known, table):
    small = (table["arcs"] < FEW).mean()
    return (
        f"{name}: {style.count(known['arcs'])} arcs in {len(table):,} levels, "
        f"{style.percent(100 * small)} of which have fewer than {FEW:,} arcs."
    )


def _fastest(name, tables):
    """A line for each problem on this graph with a right answer."""
    if tables is None:
        return []
    runs = tables.summary[tables.summary["graph"] == name]
    if select.emulated(runs):
        return []
    best = select.sound(select.best(runs)).sort_values("median_ms").drop_duplicates("problem")
    return [
        f"fastest {row.problem.upper()}: {row.algorithm}, {style.duration(row.median_ms)}" for row in best.itertuples()
    ]
