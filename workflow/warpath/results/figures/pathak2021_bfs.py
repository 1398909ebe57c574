"""BFS, three ways (figure 3 of pathak2021).

Median time of the level-synchronous, the queue and the scan BFS and of the sequential CPU, on the paper's five graphs,
fewest arcs first; the fastest launch of each. The paper finds the level-synchronous one best everywhere.
"""

from warpath.results import charts, select

ALGORITHMS = ["bfs/level", "bfs/queue", "bfs/scan", "bfs/cpu_queue"]
GRAPHS = ["dense-2700", "bio-human-gene1", "soc-Slashdot0902", "as-skitter", "rgg_n_2_24_s0"]


def draw(tables):
    rows = select.of(tables.summary, ALGORITHMS, GRAPHS)
    return charts.time_by_graph(tables, "BFS, three ways (figure 3 of pathak2021)", {"BFS": rows})
