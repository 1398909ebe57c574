"""This project's own kernels over the fastest library; a first search includes preparing.

How many times as fast they are, on each graph, as the fastest GPU library or paper's code, or as the fastest CPU
library where none on a GPU was timed. A row says where times are published ones, for the same model of card. Graphs
with a single GPU library are left out if others have several. A diamond is our first search.
"""

import pandas as pd

from warpath.results import charts, libraries, style
from warpath.results.figures import require

WIDTH = 6.5  # inches: to be read on a telephone


def draw(tables):
    table = libraries.against(tables.timings, tables.summary, tables.published)
    require(table, "no library is installed (make peers installs them), and none has published times for this card")
    panels = {}
    for problem, against in table.groupby("problem", sort=False):
        rows = libraries.closest(against).sort_values("speedup", ascending=False, ignore_index=True)
        kind = rows["device"].eq(libraries.PUBLISHED).map({True: "published", False: "measured here"})
        every = kind.nunique() == 1
        words = rows["algorithm"].map(style.plain_name) + ("" if every else ", " + kind)
        (launch, count), *others = rows["own_launch"].map(style.launch).value_counts().items()
        where = f" on {count} of {len(rows)}" if others else ""
        title = f"{problem.upper()}: {style.plain_name(rows['own'].iloc[0])}, {launch}{where}\nover {_kind(rows)}"
        rows = rows.assign(row=rows["graph"], launch=words, kind=rows["device"], device=rows["own_device"])
        panels[f"{title}, {kind[0]}" if every else title] = rows
    measure = charts.Measure(charts.SPEEDUP, style.factor, "times as fast", False)
    figure = charts.dots(panels, measure, marks={1: "as fast as the library"}, width=WIDTH, sharex=True)
    drawn = pd.concat([rows.assign(device=rows["kind"]) for rows in panels.values()])
    return charts.picture(figure, __doc__, drawn, reading, libraries.runs(tables.summary, drawn))


def _kind(rows):
    return libraries.GPU_CODE if rows["device"].isin(libraries.ON_GPU).all() else "CPU library"


def reading(table):
    spans = {}
    for problem, rows in table.groupby("problem", sort=False):
        spans.setdefault(_kind(rows), []).append(f"{problem.upper()} {style.span(rows['speedup'])}")
    parts = [f"{' and '.join(each)} as fast as the fastest {kind}" for kind, each in spans.items()]
    return f"This project's {'; '.join(parts)}."
