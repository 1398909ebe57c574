"""BFS, three ways (figure 3 of pathak2021).

Median time of the level-synchronous, the queue and the scan BFS, and of a sequential CPU; fastest launch of each. The
paper finds the level-synchronous BFS fastest on every graph.
"""

from warpath.results import charts, select
from warpath.results.papers.pathak2021.claims import CPU_BFS, LEVEL, QUEUE, SCAN, SEARCHED


def draw(tables):
    rows = select.runs(tables.summary, [LEVEL, QUEUE, SCAN, CPU_BFS], SEARCHED)
    return charts.time_by_graph(__doc__, {"BFS": rows})
