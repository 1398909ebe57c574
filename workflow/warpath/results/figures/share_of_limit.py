"""How close to the device's limit.

Each algorithm's fastest launch, of each width of its numbers, as a share of the device's limit: for searches the time
to read the graph once and write the answer once at the measured copy bandwidth, for Floyd-Warshall that of n³
relaxations at the measured add-min rate, two per instruction where they are packed in 16 bits.
"""

from warpath.results import charts, select, style
from warpath.results.figures import require

SHARE = ("percent_of_limit", "percent_low", "percent_high")
READING, RELAXING = "reading every arc once", "n³ relaxations at the full rate"
LIMITS = {"BFS": READING, "SSSP": READING, "APSP": RELAXING}


def draw(tables):
    table = shares(tables.summary)
    require(table, "the device's rates were not measured (results/probe.json), or no run has a right answer")
    panels, measures = charts.by_problem(table), {}
    for title in panels:
        measures[title] = charts.Measure(SHARE, style.percent, f"share of the time of {LIMITS[title]}", False)
    return charts.picture(charts.dots(panels, measures, marks={100: "the limit"}), __doc__, table, reading)


def shares(summary):
    """The fastest launch of each algorithm, graph and width, with its share of the limit and the interval of that."""
    rows = summary[summary["percent_of_limit"].notna()]
    widths = (", " + rows["width"].astype("str") + " bits").fillna("")
    rows = rows.assign(series=rows["algorithm"].map(style.plain_name) + widths)
    table = select.sound(select.best(rows, per=("algorithm", "graph", "series")))
    least_ms = table["percent_of_limit"] * table["median_ms"]
    return table.assign(percent_low=least_ms / table["high_ms"], percent_high=least_ms / table["low_ms"])


def reading(table):
    found = charts.extremes(table, "percent_of_limit", style.percent, who="series")
    return f"Of {READING}, or of {RELAXING}, at best: {found}."
