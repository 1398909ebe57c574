"""Harish and Narayanan (2007): their searches on a GPU and on a CPU, and the time of these over the degree."""

from warpath.results import select

ROADS = ("USA-road-d.", "pace16-USA-road-", "rome99", "inf-luxembourg_osm")  # starts of the names of road networks
PANELS = {
    "BFS": ["bfs/one_frontier", "bfs/frontier", "bfs/cpu_queue"],  # the paper's own, what makes it right, sequential
    "SSSP": ["sssp/racy", "sssp/two_kernel", "sssp/cpu_dijkstra"],  # the same, without the paper's data race
}


def by_degree(summary):
    """The fastest launch of each search on the random graphs of 100,000 vertices, with the graph's average degree."""
    searches = [algorithm for panel in PANELS.values() for algorithm in panel]
    rows = summary[summary["graph"].str.startswith("random-100k-d") & summary["algorithm"].isin(searches)]
    return select.best(rows.assign(degree=(rows["arcs"] / rows["vertices"]).round(1)))
