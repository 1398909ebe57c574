"""All pairs (figure 6 of pathak2021).

Median time of three all-pairs algorithms on the GPU and two on the CPU, on the paper's five graphs, fastest launch of
each. Shaded is where the paper has blocked Floyd-Warshall: 500 to 4000 times faster than the best CPU version, and at
least 20 times (drawn to 40) faster than the next best on the GPU.
"""

from warpath.results import charts, select
from warpath.results.papers.pathak2021.claims import ALL_PAIRS, BLOCKED, CPU_APSP, CPU_DIJKSTRA, CPU_FW, PAIR, REPEATED


def draw(tables):
    rows = select.runs(tables.summary, [BLOCKED, PAIR, REPEATED, CPU_FW, CPU_DIJKSTRA], ALL_PAIRS)
    return charts.time_by_graph(__doc__, {"APSP": rows}, ranges=printed(tables, rows))


def printed(tables, rows):
    """The ranges of times that the printed speed-ups of blocked Floyd-Warshall would be, by label and graph."""
    low, high = _factors(tables, "speed-up over the best CPU version")
    (least,) = _factors(tables, "speed-up over the next best GPU version")
    return {
        f"the paper: {low:g} to {high:g}× over the CPU": _ranges(select.fastest_ms(rows, CPU_APSP), low, high),
        f"the paper: {least:g}× over the next": _ranges(select.fastest_ms(rows, [PAIR, REPEATED]), least, 2 * least),
    }


def _factors(tables, quantity):
    return sorted(select.printed(tables.published, "pathak2021", quantity)["value"].unique())


def _ranges(times, low, high):
    return {graph: (time / high, time / low) for graph, time in times.items()}
