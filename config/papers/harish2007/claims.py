"""Harish and Narayanan (2007): their searches and road networks, and what the rows of their claims cannot say."""

from warpath.results import statistics

ROADS = ("USA-road-d.", "pace16-USA-road-", "rome99", "inf-luxembourg_osm")  # starts of the names of road networks
PANELS = {
    "BFS": ["bfs/one_frontier", "bfs/frontier", "bfs/cpu_queue"],  # the paper's own, what makes it right, sequential
    "SSSP": ["sssp/racy", "sssp/two_kernel", "sssp/cpu_dijkstra"],  # the same, without the paper's data race
}


def by_graph(evidence, row):
    """The range of the numbers behind an average."""
    ends = sorted(row["found"].estimates, key=lambda estimate: estimate.value)
    return f"By graph: {ends[0]} to {ends[-1]}." if len(ends) > 1 else ""


def where_even(evidence, row):
    """Say at how many vertices a growing ratio passes 1: between two graphs, or beyond the largest ones."""
    sizes = evidence.summary.groupby("graph")["vertices"].max()
    known = sorted((sizes[each.subject], each.value) for each in row["found"].estimates if not each.bound)
    below = [at for at, (_, value) in enumerate(known) if value < 1]
    first = min(below[-1], len(known) - 2) if below else -1
    if first < 0 or not all(low < high for low, high in zip(*known[first : first + 2], strict=True)):
        return ""
    vertices, values = zip(*known[first : first + 2], strict=True)
    even = vertices[1] * values[1] ** (-1 / statistics.slope(vertices, values))
    return (
        f"The ratio grows with the graph: by the power law through {vertices[0]:,.0f} and {vertices[1]:,.0f}, repeated "
        f"SSSP is faster from about {float(f'{even:.2g}'):,.0f} vertices on."
    )
