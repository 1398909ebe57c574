"""Memory on the device.

What each algorithm's fastest launch allocates, the graph included: for searches bytes for each arc, for all pairs
bytes for each pair of vertices, whose distances alone take four, or two where they are packed in 16 bits.
"""

from warpath.results import charts, select, style
from warpath.results.figures import require

EACH = ("bytes_each",) * 3
UNITS = {"BFS": "bytes for each arc", "SSSP": "bytes for each arc", "APSP": "bytes for each pair of vertices"}


def draw(tables):
    best = select.sound(select.best(tables.summary))
    table = best[best["device"].isin(["cuda", "host"]) & (best["memory_bytes"] > 0)]
    require(table, "no run on a GPU with a right answer has recorded its memory")
    pairs = table["vertices"].astype(float) ** 2
    over = table["arcs"].astype(float).where(~table["problem"].isin(select.ALL_PAIRS), pairs)
    table = table.assign(bytes_each=table["memory_bytes"].astype(float) / over, flags="")
    panels = charts.by_problem(table)
    measures = {title: charts.Measure(EACH, style.digits, UNITS[title]) for title in panels}
    return charts.picture(charts.dots(panels, measures), __doc__, table, reading, timed=False)


def reading(table):
    largest = table.loc[table["memory_bytes"].idxmax()]
    medians = table.groupby(["problem", "algorithm"], sort=False)["bytes_each"].median()
    least = medians.groupby("problem", sort=False).idxmin()
    listed = ", ".join(f"{pair[1]} ({style.digits(medians[pair])})" for pair in least)
    most = f"{style.memory(largest.memory_bytes)} ({largest.algorithm} on {largest.graph})"
    return f"Least bytes for each arc or pair: {listed}. Most in all: {most}."
