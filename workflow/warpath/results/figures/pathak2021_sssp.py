"""SSSP against the CPU (figure 4 of pathak2021).

Median time of the two-kernel SSSP, with and without the race that loses updates, and of Dijkstra's algorithm on the
CPU, on the paper's five graphs; fastest launch of each. A hollow marker beside "wrong answer" is the time of a run
whose answers are wrong.
"""

from warpath.results import charts, select
from warpath.results.papers.pathak2021 import CPU_SSSP, RACY, SEARCHED, SSSP


def draw(tables):
    rows = select.of(tables.summary, [SSSP, RACY, CPU_SSSP], SEARCHED)
    return charts.time_by_graph(__doc__, {"SSSP": rows})
