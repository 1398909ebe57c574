"""Harish and Narayanan (2007): their searches on a GPU and on a CPU, and road networks."""

ROADS = ("USA-road-d.", "pace16-USA-road-", "rome99", "inf-luxembourg_osm")  # starts of the names of road networks
PANELS = {
    "BFS": ["bfs/one_frontier", "bfs/frontier", "bfs/cpu_queue"],  # the paper's own, what makes it right, sequential
    "SSSP": ["sssp/racy", "sssp/two_kernel", "sssp/cpu_dijkstra"],  # the same, without the paper's data race
}
