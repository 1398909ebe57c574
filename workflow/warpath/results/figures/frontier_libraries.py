"""This project's own kernels beside the libraries.

How many times faster our fastest launch is than each library, with its 95 % interval. Right of the line ours is faster.
Published times of GPU libraries are from the same model of card. They are for the same graphs and source vertices,
except rmat22, rmat24 and urand10m6, which are of the same family and size. Libraries called here ran on the same kind
of device.
"""

from warpath.results import charts, libraries, style
from warpath.results.figures import Nothing, Picture

COLUMNS = [
    *["problem", "graph", "stand_in_for", "arcs", "own", "own_launch", "own_device", "device_name", "own_ms"],
    *["algorithm", "device", "library_ms", *charts.SPEEDUP],
]


def draw(tables):
    import matplotlib.pyplot as plt

    table = libraries.against(tables.timings, tables.summary, tables.published)
    if table.empty:
        raise Nothing("no library is installed (make peers installs them), and none has published times for this card")
    panels = charts.by_problem(table)
    figure, axes = charts.dot_panels(plt, panels, style.factor, charts.SPEEDUP, mark=1, dense=True)
    for ax, rows in zip(axes, panels.values(), strict=True):
        ax.set_xlabel(f"times faster {style.short_name(rows['own'].iloc[0])} is than the library")
    charts.note_flags(figure, table)
    drawn = tables.summary["algorithm"].isin([*table["own"], *table["algorithm"]])
    style.heading(figure, __doc__, tables.summary[drawn])
    return Picture(figure, table[COLUMNS], reading(table))


def reading(table):
    sentences = []
    for problem, rows in table.groupby("problem", sort=False):
        closest = libraries.best_of(rows)
        ends = closest.loc[closest["speedup"].idxmin()], closest.loc[closest["speedup"].idxmax()]
        least, most = (f"{style.factor(row.speedup)} on {row.graph} ({_library(row)})" for row in ends)
        sentences.append(f"{problem.upper()} over the fastest library of each graph: {least} to {most}.")
    return " ".join(sentences)


def _library(row):
    return style.short_name(row.algorithm)
