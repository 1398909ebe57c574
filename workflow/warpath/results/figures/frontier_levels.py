"""What a level costs.

Time of a solve divided by its number of levels (BFS) or rounds (SSSP), for the fastest launch of each algorithm. On
roads and grids, whose levels are small, this is the fixed cost of a step; on graphs with few large levels it is the
work of a level. A round of sssp/near_far covers as many steps as blocks take by themselves.
"""

from warpath.results import charts, select, style
from warpath.results.figures import require

LEVEL = {"level_ms": "median_ms", "level_low_ms": "low_ms", "level_high_ms": "high_ms"}
STEPS = {"BFS": "level", "SSSP": "round"}


def draw(tables):
    table = by_level(tables.summary)
    require(table, "no search by levels or rounds has a right answer yet")
    panels = charts.by_problem(table)
    steps = {problem: charts.Measure(tuple(LEVEL), style.duration, f"time of a {STEPS[problem]}") for problem in panels}
    return charts.picture(charts.dots(panels, steps), __doc__, table, reading)


def by_level(summary):
    """The fastest launch of every search kernel on every graph, with its time per iteration."""
    best = select.searches(select.sound(select.best(summary)))
    kernels = best[best["device"].isin(["cuda", "host"]) & (best["iterations"] > 0)]
    return kernels.assign(**{level: kernels[time] / kernels["iterations"] for level, time in LEVEL.items()})


def reading(table):
    return f"Least time of a level or round: {charts.extremes(table, 'level_ms', style.duration, least=True)}."
