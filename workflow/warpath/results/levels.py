"""Time and frontier by level of a search: what the distances say, and traces of one algorithm or two beside each other.

Of SSSP, whose rounds are not levels of the distances, time is shown by round.
"""

import numpy as np
import pandas as pd

from warpath.base.problems import PROBLEMS
from warpath.base.text import counted
from warpath.results import charts, figures, style
from warpath.runs import csgraph, levels

MOST_POINTS = 150  # along an axis; of more levels, a point is the mean of several
TIMES = ("ms", "waiting_ms", "least_waiting_ms")
COLOURS = (style.BLUE, style.VERMILLION)


def draw(graph, traces, output):
    """Write the picture and its table; return their name and the main result."""
    style.apply()
    searches_by_level = not PROBLEMS[traces[0].algorithm.split("/")[0]].weighted
    table = _table(graph, traces, searches_by_level)
    name = "-".join([graph.name, *(trace.algorithm.replace("/", "-") for trace in traces)])
    title = f"Time by {'level' if searches_by_level else 'round'}"
    text = f"{graph.name}: {'; '.join(map(_share_of_waiting, traces))}."
    picture = figures.Picture(_picture(table, traces, title, text), table, text)
    figures.save(picture, name, f"{title} on {graph.name}", output)
    return name, text


def _table(graph, traces, by_level):
    """A row for each level, with its vertices and the arcs that leave them, or for each round; times by algorithm."""
    if by_level:
        found = csgraph.levels(csgraph.matrix(graph), traces[0].source)
        reached = np.isfinite(found)
        level, degrees = found[reached].astype(int), np.diff(graph.offsets)[reached]
        sizes = {"vertices": np.bincount(level), "arcs": np.bincount(level, degrees).astype(int)}
        table = pd.DataFrame({"level": range(level.max() + 1)} | sizes)
        times = [levels.by_level(trace.rounds, len(table)) for trace in traces]
    else:
        table = pd.DataFrame({"round": range(max(len(trace.rounds) for trace in traces))})
        times = [np.transpose([each[1:] for each in trace.rounds]) for trace in traces]
    for columns, letter in zip(times, "ab", strict=False):
        for name, column in zip(TIMES, columns, strict=True):
            table[f"{letter}_{name}"] = pd.Series(column)
    return table


def _picture(table, traces, title, text):
    import matplotlib.pyplot as plt

    by_level = "arcs" in table
    rows = len(traces) + by_level
    figure, axes = plt.subplots(rows, 1, figsize=(style.WIDTH, 2.5 * rows), squeeze=False, layout="constrained")
    axes = list(axes.flat)
    thinned = table.groupby(np.arange(len(table)) // -(-len(table) // MOST_POINTS)).mean()
    steps = thinned.iloc[:, 0]
    if by_level:
        ax = axes.pop(0)
        for column, colour in (("arcs", style.TEAL), ("vertices", style.PLUM)):
            ax.plot(steps, thinned[column].clip(lower=1), color=colour, lw=2, label=column)
        style.log_axis(ax.yaxis, style.count)
        ax.set_title("Frontier")
        charts.key(ax)
    for ax, trace, letter, colour in zip(axes, traces, "ab", COLOURS, strict=False):
        waiting = thinned[f"{letter}_waiting_ms"]
        ax.plot(steps, thinned[f"{letter}_ms"], color=colour, lw=2, label="time")
        ax.plot(steps, waiting.where(waiting > 0), color=style.MUTED, lw=1.4, ls="--", label="of it waiting")
        ax.set_title(f"{trace.algorithm} {trace.launch}")
    every = thinned.filter(regex="^._(ms|waiting_ms)$").stack()
    for ax in axes:  # the same axis for all
        ax.update_datalim([(0, every[every > 0].min()), (0, every.max())])
        style.log_axis(ax.yaxis, style.duration)
        charts.key(ax)
    axes[-1].set_xlabel(table.columns[0])
    costs = [
        f"{trace.algorithm}: {style.duration(trace.untraced_ms)} without tracing, "
        f"{100 * (trace.traced_ms / trace.untraced_ms - 1):+.0f} % with it"
        for trace in traces
    ]
    charts.head(figure, text, [title, style.devices(pd.DataFrame([trace._asdict() for trace in traces]))], costs)
    return figure


def _share_of_waiting(trace):
    total, waiting, least = np.sum([each[1:] for each in trace.rounds], axis=0)
    rounds = f"{counted(len(trace.rounds), 'round')} of {style.duration(total / len(trace.rounds))}"
    shares = f"blocks wait {style.percent(100 * waiting / total)} of the time"
    if 0 < least < waiting:
        shares += f", the slowest {style.percent(100 * least / total)}"
    return f"{trace.algorithm} {rounds}, {shares}"
