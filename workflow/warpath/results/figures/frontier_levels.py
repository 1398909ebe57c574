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
    steps = {
        problem: charts.Measure(LEVEL_COLUMNS, style.duration, f"time of a {STEPS[problem]}") for problem in panels
    }
    figure, _ = charts.dot_panels(plt, panels, steps)
    charts.note_flags(figure, table)
    style.heading(figure, __doc__, table, reading(table))
    return Picture(figure, table[[*COLUMNS, *LEVEL_COLUMNS]], reading(table))


def reading(table):
    least = table.loc[table.groupby("problem", sort=False)["level_ms"].idxmin()]
    listed = "; ".join(
        f"{row.problem.upper()} {style.duration(row.level_ms)} ({row.algorithm} on {row.graph})"
        for row in least.itertuples()
    )
    return f"Least time of a level or round: {listed}."
