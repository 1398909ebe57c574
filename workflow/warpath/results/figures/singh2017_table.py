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
HEADS = {
    "device_ms": "device",
    "last_call_ms": "last call",
    "cpu_ms": "CPU",
    "kernel_calls": "kernel calls",
    "over": "device over CPU",
}
PRINTED = {
    "last_call_ms": (GPU, "time", 1),
    "cpu_ms": (CPU, "time", 1),
    "kernel_calls": (GPU, "kernel calls", 1),
    "over": (GPU, "speed-up over the CPU", -1),
}
ROW = 0.6  # inches


def draw(tables):
    data = pd.DataFrame([_row(tables, graph) for graph in GRAPHS])
    if data[["device_ms", "cpu_ms"]].isna().all(axis=None):
        raise Nothing("neither bfs/frontier_struct nor bfs/cpu_queue has a right answer on these graphs yet")
    words = {head: [_words(row, name) for row in data.to_dict("records")] for name, head in HEADS.items()}
    figure, (ax,) = charts.panels([ROW * len(data)])
    charts.table(ax, pd.DataFrame(words, [f"{vertices:g} vertices" for vertices in data["vertices"]]))
    return charts.picture(figure, __doc__, data, reading, runs=select.runs(tables.summary, [GPU, CPU]))


def _row(tables, graph):
    """Each number of HEADS with its interval, and what is printed of it."""
    gpu, cpu = (_run(tables.summary, algorithm, graph) for algorithm in (GPU, CPU))
    printed = tables.published[(tables.published["paper"] == "singh2017") & (tables.published["graph"] == graph)]
    values = printed.set_index(["algorithm", "quantity"])["value"].groupby(level=[0, 1]).first()
    processes = select.processes(tables.timings, gpu, "phase_last_call_ms") if gpu else []
    samples = [list(process.values()) for process in processes]
    timed = samples and pd.notna(samples[0][0]).all()
    calls = select.sound(select.runs(tables.summary, [GPU], [graph]))[
        "kernel_launches"
    ].median()  # alike with any launch
    numbers = {
        "device_ms": [gpu.get(end, math.nan) for end in charts.MEDIAN],
        "last_call_ms": statistics.median_interval(*samples) if timed else UNKNOWN,
        "cpu_ms": [cpu.get(end, math.nan) for end in charts.MEDIAN],
        "kernel_calls": (calls, math.nan, math.nan),
        "over": select.ratio(tables.timings, gpu, cpu) if cpu and gpu else UNKNOWN,
    }
    row = {"graph": graph, "vertices": printed.loc[printed["quantity"] == "size", "value"].iloc[0]}
    for name, estimate in numbers.items():
        row |= dict(zip((name, f"{name}_low", f"{name}_high"), estimate, strict=True))
    return row | {
        f"{name}_then": values.get((who, what), math.nan) ** sign for name, (who, what, sign) in PRINTED.items()
    }


def _run(summary, algorithm, graph):
    """The run with the paper's launch; empty if there is none."""
    rows = select.sound(select.runs(summary, [algorithm], [graph]))
    return next(iter(rows[rows["launch"] == LAUNCH].to_dict("records")), {})


def _words(row, name):
    wording = style.duration if name.endswith("_ms") else style.factor if name == "over" else style.digits
    then, low, high = (row.get(f"{name}_{which}", math.nan) for which in ("then", "low", "high"))
    first = charts.known(row[name], wording) + (f"  ({wording(then)})" if pd.notna(then) else "")
    return first + (f"\n{wording(low)} to {wording(high)}" if pd.notna(low) else "")


def reading(data):
    known = data["over"].dropna()
    if known.empty:
        return "The device and the CPU cannot be compared yet."
    return f"The GPU takes {style.span(known)[:-1]} times as long as the CPU on graphs of 5 to 64 vertices."
