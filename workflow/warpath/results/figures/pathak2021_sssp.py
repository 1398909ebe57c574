"""SSSP against the CPU (figure 4 of pathak2021).

Median time of the two-kernel SSSP, with and without the race that loses updates, and of Dijkstra on the CPU, on the
paper's five graphs; the fastest launch of each. The racy one has a time only where its answers happened to be right.
"""

from warpath.results import charts, select

ALGORITHMS = ["sssp/two_kernel", "sssp/racy", "sssp/cpu_dijkstra"]
GRAPHS = ["dense-2700", "bio-human-gene1", "soc-Slashdot0902", "as-skitter", "rgg_n_2_24_s0"]


def draw(tables):
    rows = select.of(tables.summary, ALGORITHMS, GRAPHS)
    return charts.time_by_graph(tables, "SSSP against the CPU (figure 4 of pathak2021)", {"SSSP": rows})
