"""Trials: an algorithm that can search in several ways finds out while preparing which is the fastest on a graph."""

import math


def time_search(device, graph, solve, most=math.inf):
    """Search from the graph's trial sources, once to warm up; return the milliseconds of all and the last solution.

    Above `most` milliseconds the other sources are left out.
    """
    timer, milliseconds = device.timer(), 0
    solve(graph.trial_sources[-1])
    for source in graph.trial_sources:
        timer.start()
        solution = solve(source)
        timer.stop()
        milliseconds += timer.milliseconds()
        if milliseconds > most:
            break
    return milliseconds, solution
