"""What the launch configuration costs.

The median time of every launch configuration as a multiple of the best one of the same algorithm on the same graph. ≈
marks launches whose interval overlaps the best one's. Of more than a dozen graphs the median and the worst are shown.
"""

from warpath.algorithms.launches import AXES
from warpath.results import charts, select, style
from warpath.results.figures import require
from warpath.runs import statuses

ROW, WORST = 0.2, 4  # inches; end of the scale of colours


def draw(tables):
    table = relative(tables.summary)
    found = table["slower_than_best"].dropna()
    require(found, "no algorithm of this study has right answers with more than one launch configuration")
    panels = {title: _cells(rows) for title, rows in charts.by_problem(table).items()}
    figure, axes = charts.panels([ROW * cells["row"].nunique() for cells in panels.values()])
    for ax, (title, cells) in zip(axes, panels.items(), strict=True):
        columns = cells.sort_values("arcs", kind="stable")["column"].unique()
        charts.matrix(ax, cells, cells["row"].unique(), columns, WORST, title)
    shown = " ".join(words for cells in panels.values() for words in cells["words"])
    notes = [f"{status.short}: {status.word}" for status in statuses.STATUSES.values() if status.short in shown.split()]
    return charts.picture(figure, __doc__, table, reading, notes=["1: the best", *notes, "≈: as fast as the best"])


def relative(summary):
    """The runs of algorithms with several launches, with their time over the best one, or a `tie` with its interval."""
    kernels = summary[summary.groupby("algorithm")["launch"].transform("nunique") > 1]
    places, times = ["algorithm", "graph"], kernels["median_ms"].where(kernels["status"] == select.SOUND)
    best = kernels.assign(ms=times).groupby(places)["ms"].transform("min")
    highest = kernels.assign(ms=kernels["high_ms"].where(times == best)).groupby(places)["ms"].transform("max")
    return kernels.assign(slower_than_best=times / best, tie=times.notna() & (kernels["low_ms"] <= highest))


def _cells(runs):
    """The cells of a problem: a row for each launch, a column for each graph, or the median and the worst of many."""
    runs = runs.sort_values(["algorithm", *AXES, "launch"])
    rows = runs["algorithm"].map(style.plain_name) + ": " + runs["launch"].map(lambda name: style.launch(name) or name)
    cells = runs.assign(row=rows, column=runs["graph"], weak=runs["flags"].map(statuses.weakness))
    if (graphs := runs["graph"].nunique()) > charts.MANY:
        both = {f"median of {graphs} graphs": "median", "worst": "max"}
        cells = cells.groupby("row", sort=False)["slower_than_best"].agg(**both).reset_index()
        cells = cells.melt("row", var_name="column", value_name="slower_than_best")
        cells = cells.assign(tie=False, status=select.SOUND, arcs=0.0, weak="")
    ratio, short = cells["slower_than_best"], [statuses.STATUSES[status].short for status in cells["status"]]
    ties = cells["tie"].map({True: "≈", False: ""}).where(ratio != 1, "")
    words = (ties + ratio.map(style.digits) + " " + cells["weak"]).str.strip().where(ratio.notna(), short)
    return cells.assign(words=words, value=(1 / ratio).mask(cells["tie"], 1))


def reading(table):
    worst = table.groupby("algorithm")["slower_than_best"].max().dropna().sort_values()
    ends = [f"{name} (up to {style.factor(value)})" for name, value in (*worst.tail(1).items(), *worst.head(1).items())]
    matters = f"The launch matters most to {ends[0]}" + (f" and least to {ends[1]}" if len(worst) > 1 else "")
    ties = table.loc[table["slower_than_best"] > 1, "tie"].mean()
    share = f"{style.percent(100 * ties)} of the other launches are as fast as the best" if ties >= 0 else ""
    return f"{'; '.join(filter(None, [matters, share]))}."
