"""How close to the device's limit.

Each algorithm's fastest launch as a share of what its device can do: for BFS and SSSP the time that reading the graph
once and writing the answer once would take at the measured copy bandwidth; for Floyd-Warshall the time that n³
relaxations would take at the measured add-min rate, two an instruction where they are packed in 16 bits. The rates were
measured at the start of the study, on one device of that name.
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
    panels = {problem.upper(): rows for problem, rows in table.groupby("problem", sort=False)}
    columns = ("percent_of_limit",) * 3
    figure, axes = charts.dot_panels(plt, panels, lambda value: f"{value:.3g} %", columns, include=[100])
    for ax in axes:
        ax.axvline(100, color=style.INK, lw=1.2, zorder=1)
        ax.set_xlabel("percent of the device's limit")
    charts.note_flags(figure, table)
    style.heading(figure, "How close to the device's limit", table)
    closest = table.loc[table["percent_of_limit"].idxmax()]
    said = f"Closest: {closest.algorithm} on {closest.graph} with {closest.percent_of_limit:.3g} % of the limit."
    return Picture(figure, table[COLUMNS], said)
