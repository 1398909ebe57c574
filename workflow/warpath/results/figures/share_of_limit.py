"""How close to the device's limit.

Each algorithm's fastest launch as a share of the device's limit. For BFS and SSSP the limit is the time to read the
graph once and write the answer once at the measured copy bandwidth; for Floyd-Warshall it is the time of n³ relaxations
at the measured add-min rate, two per instruction where they are packed in 16 bits. Rates were measured at the start of
the study, on one device of that name.
"""

from warpath.results import charts, select, style
from warpath.results.figures import Nothing, Picture

COLUMNS = ["problem", "graph", "algorithm", "launch", "device_label", "device_name", "median_ms", "percent_of_limit"]


def draw(tables):
    import matplotlib.pyplot as plt

    table = select.sound(select.best(tables.summary))
    table = table[table["percent_of_limit"].notna()]
    if table.empty:
        raise Nothing("the device's rates were not measured (results/probe.json), or no run has a right answer")
    columns = ("percent_of_limit",) * 3
    figure, axes = charts.dot_panels(plt, charts.by_problem(table), lambda value: f"{value:.3g} %", columns, mark=100)
    for ax in axes:
        ax.set_xlabel("percent of the device's limit")
    charts.note_flags(figure, table)
    style.heading(figure, __doc__, table)
    closest = table.loc[table["percent_of_limit"].idxmax()]
    reading = f"Closest: {closest.algorithm} on {closest.graph} with {closest.percent_of_limit:.3g} % of the limit."
    return Picture(figure, table[COLUMNS], reading)
