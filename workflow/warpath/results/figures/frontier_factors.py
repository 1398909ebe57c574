"""How many times as fast as the fastest library.

This project's own kernels over the fastest GPU library or paper's code on each graph, or over the fastest CPU library
where none on a GPU was timed. Graphs with a single GPU library are left out if others have several. Lines are
intervals.
"""

import pandas as pd

from warpath.results import charts, libraries, style
from warpath.results.figures import Nothing
from warpath.runs import statuses

COLUMNS = ["problem", "graph", "own", "algorithm", "device", "device_name", "own_ms", "library_ms", *charts.SPEEDUP]
ROW = 0.3  # inches


def draw(tables):
    import matplotlib.pyplot as plt

    table = libraries.against(tables.timings, tables.summary, tables.published)
    if table.empty:
        raise Nothing("no library is installed (make peers installs them), and none has published times for this card")
    panels = {problem: libraries.closest(rows) for problem, rows in table.groupby("problem", sort=False)}
    most = max(map(len, panels.values()))
    figure, axes = plt.subplots(1, len(panels), figsize=(style.WIDTH, ROW * most + 1.2), squeeze=False)
    for ax, (problem, rows) in zip(axes.flat, panels.items(), strict=True):
        bars = rows.sort_values("speedup", ascending=False)
        on_gpu = bars["device"].isin(libraries.ON_GPU).all()
        ax.barh(range(len(bars)), bars["speedup"], height=0.62, color=style.BLUE if on_gpu else style.TEAL, lw=0)
        ax.hlines(range(len(bars)), bars["speedup_low"], bars["speedup_high"], color=style.INK, lw=1.5)
        for place, row in enumerate(bars.itertuples()):
            words = style.factor(row.speedup), style.plain_name(row.algorithm), statuses.weakness(row.flags)
            looks = {"textcoords": "offset points", "va": "center_baseline", "fontsize": 11.5}
            ax.annotate("  ".join(words), (row.speedup_high, place), (5, 0), **looks)
        ax.axvline(1, color=style.INK, lw=1, ls=":")
        ax.set_xlim(0, bars["speedup_high"].max() * 1.55)
        ax.set_ylim(most - 0.4, -0.6)
        ax.set_yticks(range(len(bars)), bars["graph"])
        ax.xaxis.set_visible(False)
        ax.grid(visible=False)
        ax.spines[["top", "right", "bottom"]].set_visible(False)
        kind = libraries.GPU_CODE if on_gpu else "CPU library (none on a GPU)"
        ax.set_title(f"{problem.upper()}: over the fastest\n{kind}", fontsize=13)
    drawn = pd.concat(panels.values())
    return charts.picture(figure, __doc__, drawn, reading, COLUMNS, libraries.runs(tables.summary, drawn))


def reading(table):
    spans = {}
    for problem, rows in table.groupby("problem", sort=False):
        kind = libraries.GPU_CODE if rows["device"].isin(libraries.ON_GPU).all() else "CPU library"
        span = f"{style.factor(rows['speedup'].min())[:-1]} to {style.factor(rows['speedup'].max())}"
        spans.setdefault(kind, []).append(f"{problem.upper()} {span}")
    return " ".join(f"{' and '.join(each)} as fast as the fastest {kind}." for kind, each in spans.items())
