"""All pairs (figure 6 of pathak2021).

Median time of three all-pairs algorithms on the device and of two on the CPU, on the paper's five graphs, fastest
launch of each. As in the paper, runs end at a time limit. The paper finds blocked Floyd-Warshall at least 20 times
faster than the next.
"""

from warpath.results import charts, select
from warpath.results.papers.pathak2021 import ALL_PAIRS, BLOCKED, CPU_DIJKSTRA, CPU_FW, PAIR, REPEATED


def draw(tables):
    rows = select.of(tables.summary, [BLOCKED, PAIR, REPEATED, CPU_FW, CPU_DIJKSTRA], ALL_PAIRS)
    return charts.time_by_graph(__doc__, {"APSP": rows})
