"""What a level costs.

Time of a solve divided by its number of levels (BFS) or rounds (SSSP), for the fastest launch of each algorithm. On
roads and grids, whose levels are small, this is the fixed cost of a step: a kernel launch and a flag read back, a
barrier of all blocks, or the step of a single block that goes on by itself. On graphs with few large levels it is the
work of a level. A round of sssp/near_far covers as many steps as blocks take by themselves.
"""

from warpath.results import charts, style
from warpath.results.figures import Nothing, Picture
from warpath.results.papers.frontier import LEVEL_COLUMNS, by_level

COLUMNS = ["problem", "graph", "arcs", "algorithm", "launch", "device_label", "device_name", "median_ms", "iterations"]
STEPS = {"BFS": "level", "SSSP": "round"}


def draw(tables):
    import matplotlib.pyplot as plt

    table = by_level(tables.summary)
    if table.empty:
        raise Nothing("no search by levels or rounds has a right answer yet")
    panels = charts.by_problem(table)
    figure, axes = charts.dot_panels(plt, panels, style.duration, LEVEL_COLUMNS)
    for ax, problem in zip(axes, panels, strict=True):
        ax.set_xlabel(f"time of a {STEPS[problem]}")
    charts.note_flags(figure, table)
    style.heading(figure, __doc__, table)
    least = table.loc[table["level_ms"].idxmin()]
    reading = f"Least: {least.algorithm} on {least.graph}, {style.duration(least.level_ms)}."
    return Picture(figure, table[[*COLUMNS, *LEVEL_COLUMNS]], reading)
