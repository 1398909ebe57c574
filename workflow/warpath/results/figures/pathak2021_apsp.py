"""All pairs (figure 6 of pathak2021).

Median time of the three all-pairs algorithms on the device and of two on the CPU, on the paper's five graphs; the
fastest launch of each. Runs were ended after the time limit, as in the paper. The paper finds blocked Floyd-Warshall at
least 20 times ahead of the next.
"""

from warpath.results import charts, select

ALGORITHMS = [
    "apsp/fw_blocked",
    "apsp/fw_pair",
    "apsp/repeated_sssp",
    "apsp/cpu_floyd_warshall",
    "apsp/cpu_repeated_dijkstra",
]
GRAPHS = ["dense-2700", "facebook_combined", "bio-HS-CX", "soc-sign-bitcoinotc", "dense-7500"]


def draw(tables):
    rows = select.of(tables.summary, ALGORITHMS, GRAPHS)
    return charts.time_by_graph(tables, "All pairs (figure 6 of pathak2021)", {"APSP": rows})
