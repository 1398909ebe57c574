"""Four small graphs, then and now (figure 8 of singh2017).

BFS on graphs of 5 to 64 vertices, in one block with a thread for each: time of all kernel calls, of the last one, and
on the CPU. Below a number is its interval, in brackets the paper's, whose GPU time and speed-up are of the last call.
"""

import math

import pandas as pd

from warpath.results import charts, select, statistics, style
from warpath.results.figures import require
from warpath.results.papers.singh2017.claims import CPU, GPU, GRAPHS, LAUNCH

HEADS = {  # of each number its head, how it is written, and of which algorithm and quantity the paper prints it
    "device_ms": ("device", style.duration, None),
    "last_call_ms": ("last call", style.duration, (GPU, "time")),
    "cpu_ms": ("CPU", style.duration, (CPU, "time")),
    "kernel_calls": ("kernel calls", style.digits, (GPU, "kernel calls")),
    "over": ("device over CPU", style.factor, (GPU, "speed-up over the CPU")),
}


def draw(tables):
    data = pd.DataFrame([_row(tables, graph) for graph in GRAPHS], GRAPHS)
    require(data["over"].dropna(), "bfs/frontier_struct and bfs/cpu_queue have no right answers on the same graph yet")
    figure, (ax,) = charts.panels([0.42 * len(data)])
    words = {head: data.apply(_words, axis=1, args=(name, wording)) for name, (head, wording, _) in HEADS.items()}
    charts.table(ax, pd.DataFrame(words))
    return charts.picture(figure, __doc__, data, reading, runs=select.runs(tables.summary, [GPU, CPU]))


def _row(tables, graph):
    """Each number of HEADS with its interval, and what is printed of it."""
    sound = select.sound(select.runs(tables.summary, [GPU, CPU], [graph]))
    runs = {run["algorithm"]: run for run in sound[sound["launch"] == LAUNCH].to_dict("records")}
    times = {name: [run[end] for end in charts.MEDIAN] for name, run in runs.items()}
    calls = sound.loc[sound["algorithm"] == GPU, "kernel_launches"].median()  # alike with any launch
    last = select.processes(tables.timings, runs[GPU], "phase_last_call_ms") if GPU in runs else []
    last = [[values for values in process.values() if pd.notna(values).all()] for process in last]
    numbers = {"device_ms": times.get(GPU), "cpu_ms": times.get(CPU), "kernel_calls": (calls, math.nan, math.nan)}
    numbers["last_call_ms"] = statistics.median_interval(*last) if any(last) else None
    numbers["over"] = select.ratio(tables.timings, runs[GPU], runs[CPU]) if len(runs) > 1 else None
    printed = tables.published[tables.published["graph"] == graph].groupby(["algorithm", "quantity"])["value"].first()
    row = {"graph": graph}
    for name, (*_, quantity) in HEADS.items():
        row |= dict(zip((name, f"{name}_low", f"{name}_high"), numbers[name] or (math.nan,) * 3, strict=True))
        row[f"{name}_then"] = printed.get(quantity, math.nan) ** (-1 if name == "over" else 1)
    return row


def _words(row, name, wording):
    then, low, high = (row[f"{name}_{which}"] for which in ("then", "low", "high"))
    first = charts.known(row[name], wording) + (f"  ({wording(then)})" if pd.notna(then) else "")
    return first + (f"\n{wording(low)} to {wording(high)}" if pd.notna(low) else "")


def reading(data):
    return f"The GPU takes {style.span(data['over'].dropna())[:-1]} times as long as the CPU on 5 to 64 vertices."
