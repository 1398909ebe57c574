"""This project's own kernels beside the libraries.

How many times faster our fastest launch is than each library, with its 95 % interval; right of the line ours wins.
Published times of GPU libraries are of the same card and, for roads, grids and networks, of the same graphs and source
vertices; rmat22, rmat24 and urand10m6 are of the same family and size. Libraries called here ran on the same kind of
device.
"""

from warpath.results import charts, libraries, style
from warpath.results.figures import Nothing, Picture

COLUMNS = [
    *["problem", "graph", "stand_in_for", "arcs", "own", "own_launch", "own_device", "device_name", "own_ms"],
    *["algorithm", "device", "library_ms", "speedup", "speedup_low", "speedup_high"],
]


def draw(tables):
    import matplotlib.pyplot as plt

    table = libraries.against(tables.timings, tables.summary, tables.published)
    if table.empty:
        raise Nothing(
            "no library is installed (make peers installs them), and this is not the card that published times are from"
        )
    panels = {problem.upper(): rows for problem, rows in table.groupby("problem", sort=False)}
    columns = ("speedup", "speedup_low", "speedup_high")
    figure, axes = charts.dot_panels(plt, panels, style.factor, columns, include=[1], dense=True)
    for ax, rows in zip(axes, panels.values(), strict=True):
        ax.axvline(1, color=style.INK, lw=1.2, zorder=1)
        ax.set_xlabel(f"times faster {rows['own'].iloc[0].split('/')[1]} is than the library")
    charts.note_flags(figure, table)
    drawn = tables.summary["algorithm"].isin([*table["own"], *table["algorithm"]])
    style.heading(figure, "Beside the libraries", tables.summary[drawn])
    return Picture(figure, table[COLUMNS], reading(table))


def reading(table):
    sentences = []
    for problem, rows in table.groupby("problem", sort=False):
        closest = libraries.best_of(rows)
        least, most = closest.loc[closest["speedup"].idxmin()], closest.loc[closest["speedup"].idxmax()]
        said = [f"{style.factor(row.speedup)} on {row.graph} ({row.algorithm.split('/')[1]})" for row in (least, most)]
        sentences.append(f"{problem.upper()} over the fastest library of each graph: {said[0]} to {said[1]}.")
    return " ".join(sentences)
