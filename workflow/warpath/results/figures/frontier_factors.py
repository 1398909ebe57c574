"""How many times as fast as the fastest library.

This project's own kernels over the fastest GPU library or paper's code on each graph, or over the fastest CPU library
where none on a GPU was timed. Graphs with a single GPU library are left out if others have several. Lines are
intervals.
"""

import pandas as pd

from warpath.results import charts, libraries, style
from warpath.results.figures import Nothing

COLUMNS = ["problem", "graph", "own", "algorithm", "device", "device_name", "own_ms", "library_ms", *charts.SPEEDUP]


def draw(tables):
    table = libraries.against(tables.timings, tables.summary, tables.published)
    if table.empty:
        raise Nothing("no library is installed (make peers installs them), and none has published times for this card")
    panels = {}
    for problem, against in table.groupby("problem", sort=False):
        rows = libraries.closest(against).sort_values("speedup", ascending=False)
        on_gpu = rows["device"].isin(libraries.ON_GPU).all()
        kind = libraries.GPU_CODE if on_gpu else "CPU library (none on a GPU)"
        names = rows["graph"] + ", over " + rows["algorithm"].map(style.plain_name)
        title = f"{problem.upper()}: {style.plain_name(rows['own'].iloc[0])} over the fastest {kind}"
        launches = rows["own_launch"].map(style.launches(tables.summary))
        panels[title] = rows.assign(row=names, kind=rows["device"], device=rows["own_device"], launch=launches)
        panels[title]["arcs"] = range(len(rows))  # the order of rows
    measure = charts.Measure(charts.SPEEDUP, style.factor, "times as fast; 1×: as fast as the library", False)
    figure = charts.dots(panels, measure, mark=1, sharex=True)
    drawn = pd.concat([rows.assign(device=rows["kind"]) for rows in panels.values()])
    return charts.picture(figure, __doc__, drawn, reading, COLUMNS, libraries.runs(tables.summary, drawn))


def reading(table):
    spans = {}
    for problem, rows in table.groupby("problem", sort=False):
        kind = libraries.GPU_CODE if rows["device"].isin(libraries.ON_GPU).all() else "CPU library"
        spans.setdefault(kind, []).append(f"{problem.upper()} {style.span(rows['speedup'])}")
    return " ".join(f"{' and '.join(each)} as fast as the fastest {kind}." for kind, each in spans.items())
