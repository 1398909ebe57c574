"""What a level costs.

Time of a solve over the number of its levels (BFS) or rounds (SSSP), fastest launch of each algorithm. On roads and
grids, where a level has little work, it is what one step of the chain costs: a launch and a look at a flag, a barrier
of all blocks, or of one block that goes on by itself. On graphs of few large levels it is the work of a level. A round
of sssp/near_far goes on for as many steps as blocks make by themselves.
"""

from warpath.results import charts, select, style
from warpath.results.figures import Nothing, Picture

COLUMNS = ["problem", "graph", "arcs", "algorithm", "launch", "device_label", "device_name", "median_ms", "iterations"]


def draw(tables):
    import matplotlib.pyplot as plt

    table = by_level(tables.summary)
    if table.empty:
        raise Nothing("no search by levels or rounds has a right answer yet")
    panels = {problem.upper(): rows for problem, rows in table.groupby("problem", sort=False)}
    columns = ("level_ms", "level_low_ms", "level_high_ms")
    figure, axes = charts.dot_panels(plt, panels, style.duration, columns)
    for ax, problem in zip(axes, panels, strict=True):
        ax.set_xlabel(f"time of a {'level' if problem == 'BFS' else 'round'}")
    charts.note_flags(figure, table)
    style.heading(figure, "What a level costs", table)
    least = table.loc[table["level_ms"].idxmin()]
    said = f"Least: {least.algorithm} on {least.graph}, {style.duration(least.level_ms)}."
    return Picture(figure, table[[*COLUMNS, *columns]], said)


def by_level(summary):
    """The fastest launch of every search that a kernel does, with what one of its iterations took."""
    best = select.sound(select.best(summary))
    searches = best[best["problem"].isin(["bfs", "sssp"]) & best["device"].isin(["cuda", "host"])]
    searches = searches[searches["iterations"] > 0]
    shares = {f"level{end}_ms": searches[f"{name}_ms"] / searches["iterations"] for end, name in _ENDS.items()}
    return searches.assign(**shares)


_ENDS = {"": "median", "_low": "low", "_high": "high"}
