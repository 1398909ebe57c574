"""Four small graphs, then and now (figure 8 of singh2017).

BFS from vertex 0 on the paper's graphs of 5 to 64 vertices, in one block of as many threads as vertices: time of all
kernel calls on the device, of the last call alone, and on the CPU; number of kernel calls; speed-up. Below each number
is its interval. Numbers in brackets are printed in the paper; its GPU time, and so its speed-up, covers the last
kernel call alone.
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
    data = pd.DataFrame([_row(tables, graph) for graph in GRAPHS])
    if data[["device_ms", "cpu_ms"]].isna().all(axis=None):
        raise Nothing("neither bfs/frontier_struct nor bfs/cpu_queue has a right answer on these graphs yet")
    rows = data.to_dict("records")
    words = {head: [_words(row, name, wording) for row in rows] for name, (head, wording, _) in HEADS.items()}
    figure, (ax,) = charts.panels([0.6 * len(data)])
    charts.table(ax, pd.DataFrame(words, [f"{vertices:g} vertices" for vertices in data["vertices"]]))
    return charts.picture(figure, __doc__, data, reading, runs=select.runs(tables.summary, [GPU, CPU]))


def _row(tables, graph):
    """Each number of HEADS with its interval, and what is printed of it."""
    sound = select.sound(select.runs(tables.summary, [GPU, CPU], [graph]))
    runs = {run["algorithm"]: run for run in sound[sound["launch"] == LAUNCH].to_dict("records")}
    gpu, cpu = runs.get(GPU, {}), runs.get(CPU, {})
    samples = (
        [list(each.values()) for each in select.processes(tables.timings, gpu, "phase_last_call_ms")] if gpu else []
    )
    calls = sound.loc[sound["algorithm"] == GPU, "kernel_launches"].median()  # alike with any launch
    timed = samples and pd.notna(samples[0][0]).all()
    numbers = {
        "device_ms": [gpu.get(end, math.nan) for end in charts.MEDIAN],
        "last_call_ms": statistics.median_interval(*samples) if timed else UNKNOWN,
        "cpu_ms": [cpu.get(end, math.nan) for end in charts.MEDIAN],
        "kernel_calls": (calls, math.nan, math.nan),
        "over": select.ratio(tables.timings, gpu, cpu) if cpu and gpu else UNKNOWN,
    }
    printed = tables.published[(tables.published["paper"] == "singh2017") & (tables.published["graph"] == graph)]
    values = printed.groupby(["algorithm", "quantity"])["value"].first()
    row = {"graph": graph, "vertices": printed.loc[printed["quantity"] == "size", "value"].iloc[0]}
    for name, estimate in numbers.items():
        then = values.get(HEADS[name][2], math.nan)
        then = 1 / then if name == "over" else then  # the paper's is of the CPU over the device
        row |= dict(zip((name, f"{name}_low", f"{name}_high", f"{name}_then"), (*estimate, then), strict=True))
    return row


def _words(row, name, wording):
    then, low, high = (row[f"{name}_{which}"] for which in ("then", "low", "high"))
    first = charts.known(row[name], wording) + (f"  ({wording(then)})" if pd.notna(then) else "")
    return first + (f"\n{wording(low)} to {wording(high)}" if pd.notna(low) else "")


def reading(data):
    known = data["over"].dropna()
    if known.empty:
        return "The device and the CPU cannot be compared yet."
    return f"The GPU takes {style.span(known)[:-1]} times as long as the CPU on graphs of 5 to 64 vertices."
