"""Trials: an algorithm that can search in several ways finds out while preparing which is the fastest on a graph."""


def time_search(device, graph, solve):
    """Search twice from the vertex with the most arcs; return the second search's milliseconds and its solution."""
    timer = device.timer()
    solve(graph.busiest)
    timer.start()
    solution = solve(graph.busiest)
    timer.stop()
    return timer.milliseconds(), solution
