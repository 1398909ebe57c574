"""Road networks (table 1 of harish2007).

BFS and SSSP on road networks of the United States, on the device and on the CPU, fastest launch of each. Diamonds in an
algorithm's row are the times that the paper prints for it. The paper finds that its GPU gains nothing on roads.
"""

from warpath.results import charts, select

PANELS = {
    "BFS": ["bfs/frontier", "bfs/cpu_queue"],
    "SSSP": ["sssp/racy", "sssp/two_kernel", "sssp/cpu_dijkstra"],
}
GRAPHS = ["USA-road-d.NY", "USA-road-d.FLA", "USA-road-d.E", "USA-road-d.W"]


def draw(tables):
    panels = {title: select.of(tables.summary, algorithms, GRAPHS) for title, algorithms in PANELS.items()}
    published = select.printed(tables.published, "harish2007")
    return charts.time_by_graph(tables, "Road networks (table 1 of harish2007)", panels, published)
