"""Four small graphs, then and now (figure 8 of singh2017).

BFS from vertex 0 on the paper's graphs of 5 to 64 vertices, in one block of as many threads as vertices: time of all
kernel calls on the device, of the last call alone, and on the CPU; number of kernel calls; speed-up. Below each number
is its interval. Numbers in brackets are printed in the paper, whose GPU time and speed-up cover the last call alone.
"""

import math

import pandas as pd

from warpath.results import charts, select, statistics, style
from warpath.results.figures import Nothing
from warpath.results.papers.singh2017 import CPU, GPU, GRAPHS, LAUNCH

UNKNOWN = (math.nan,) * 3
HEADS = {  # of each number its head, how it is written, and of which algorithm and quantity the paper prints it
    "device_ms": ("device", style.duration, None),
    "last_call_ms": ("last call", style.duration, (GPU, "time")),
    "cpu_ms": ("CPU", style.duration, (CPU, "time")),
    "kernel_calls": ("kernel calls", style.digits, (GPU, "kernel calls")),
    "over": ("device over CPU", style.factor, (GPU, "speed-up over the CPU")),
}


def draw(tables):
    data = pd.DataFrame([_row(tables, graph) for graph in GRAPHS], GRAPHS)
    if data[["device_ms", "cpu_ms"]].isna().all(axis=None):
        raise Nothing("neither bfs/frontier_struct nor bfs/cpu_queue has a right answer on these graphs yet")
    figure, (ax,) = charts.panels([0.6 * len(data)])
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
    numbers = {
        "device_ms": times.get(GPU, UNKNOWN),
        "last_call_ms": statistics.median_interval(*last) if any(last) else UNKNOWN,
        "cpu_ms": times.get(CPU, UNKNOWN),
        "kernel_calls": (calls, math.nan, math.nan),
        "over": select.ratio(tables.timings, runs[GPU], runs[CPU]) if len(runs) > 1 else UNKNOWN,
    }
    printed = tables.published[(tables.published["paper"] == "singh2017") & (tables.published["graph"] == graph)]
    values = printed.groupby(["algorithm", "quantity"])["value"].first()
    row = {"graph": graph}
    for name, estimate in numbers.items():
        then = values.get(HEADS[name][2], math.nan) ** (-1 if name == "over" else 1)  # of the CPU over the device
        row |= dict(zip((name, f"{name}_low", f"{name}_high", f"{name}_then"), (*estimate, then), strict=True))
    return row


def _words(row, name, wording):
    then, low, high = (row[f"{name}_{which}"] for which in ("then", "low", "high"))
    first = charts.known(row[name], wording) + (f"  ({wording(then)})" if pd.notna(then) else "")
    return first + (f"\n{wording(low)} to {wording(high)}" if pd.notna(low) else "")


def reading(data):
    if not len(known := data["over"].dropna()):
        return "The device and the CPU cannot be compared yet."
    return f"The GPU takes {style.span(known)[:-1]} times as long as the CPU on graphs of 5 to 64 vertices."
