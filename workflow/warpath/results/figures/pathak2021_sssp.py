"""SSSP against the CPU (figure 4 of pathak2021).

Median time of the two-kernel SSSP, with and without the race that loses updates, with 16 vertices a thread, and of
Dijkstra's algorithm on the CPU, on the paper's five graphs; fastest launch of each. A hollow marker beside "wrong
answer" is the time of a run whose answers are wrong. The shaded ranges are where the two-kernel SSSP would be with half
to double of the speed-ups that the paper prints, 3.9 on its first graph and 94.4 on its last.
"""

from warpath.results import charts, select, style
from warpath.results.papers.pathak2021 import (
    BUGGED,
    COARSENED,
    CPU_SSSP,
    FACTORS,
    RACY,
    SEARCHED,
    SSSP,
    STRIDED,
    printed_speedups,
)


def draw(tables):
    rows = select.runs(tables.summary, [SSSP, BUGGED, RACY, COARSENED, STRIDED, CPU_SSSP], SEARCHED)
    coarse = rows["algorithm"].isin([COARSENED, STRIDED])
    rows = rows[~coarse | (rows["coarsening"] == FACTORS[-1])]
    names = rows["algorithm"].map(style.plain_name)
    series = names.where(~coarse, names + f" by {FACTORS[-1]}")
    ranges = {"the paper's speed-up": printed(tables, rows)}
    return charts.time_by_graph(__doc__, {"SSSP": rows.assign(series=series)}, ranges=ranges)


def printed(tables, rows):
    """The range of times that half to double of a printed speed-up over the CPU would be, by graph."""
    times = select.fastest_ms(rows, [CPU_SSSP])
    return {
        graph: (times[graph] / (2 * factor), times[graph] / (factor / 2))
        for graph, factor in printed_speedups(tables.published).items()
        if graph in times
    }
