"""SSSP against the CPU (figure 4 of pathak2021).

Median time of the two-kernel SSSP, with and without the race that loses updates, and of Dijkstra's algorithm on the
CPU, on the paper's five graphs; fastest launch of each. Shaded is where half to double of the speed-ups that the paper
prints would be: 3.9 on its first graph, 94.4 on its last.
"""

from warpath.results import charts, select, style
from warpath.results.papers.pathak2021 import claims as paper


def draw(tables):
    algorithms = [paper.SSSP, paper.BUGGED, paper.RACY, paper.COARSENED, paper.STRIDED, paper.CPU_SSSP]
    rows = select.runs(tables.summary, algorithms, paper.SEARCHED)
    coarse = rows["algorithm"].isin([paper.COARSENED, paper.STRIDED])
    rows = rows[~coarse | (rows["coarsening"] == paper.FACTORS[-1])]
    names = rows["algorithm"].map(style.plain_name)
    series = names.where(~coarse, names + f" by {paper.FACTORS[-1]}")
    ranges = {"the paper's speed-up": printed(tables, rows)}
    return charts.time_by_graph(__doc__, {"SSSP": rows.assign(series=series)}, ranges=ranges)


def printed(tables, rows):
    """The range of times that half to double of a printed speed-up over the CPU would be, by graph."""
    times = select.fastest_ms(rows, [paper.CPU_SSSP])
    return {
        graph: (times[graph] / (2 * factor), times[graph] / (factor / 2))
        for graph, factor in paper.printed_speedups(tables.published).items()
        if graph in times
    }
