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
HEADS = ["device", "last call", "CPU", "kernel calls", "speed-up"]
ROW = 0.6  # inches


def draw(tables):
    data = pd.DataFrame([_now_and_then(tables, graph) for graph in GRAPHS])
    if data[["device_ms", "cpu_ms"]].isna().all(axis=None):
        raise Nothing("neither bfs/frontier_struct nor bfs/cpu_queue has a right answer on these graphs yet")
    rows = data.to_dict("records")
    figure, (ax,) = charts.panels([ROW * len(rows)])
    names = [f"{row['vertices']:g} vertices" for row in rows]
    charts.text_table(ax, map(_cells, rows), HEADS, names, size=12)
    return charts.picture(figure, __doc__, data, reading, runs=select.runs(tables.summary, [GPU, CPU]))


def reading(data):
    known = [f"{_speedup(row.speedup)} on {row.vertices:g}" for row in data.itertuples() if pd.notna(row.speedup)]
    return f"Speed-up over the sequential CPU by vertices: {', '.join(known) or 'not known'}."


def _now_and_then(tables, graph):
    gpu, cpu = _run(tables.summary, GPU, graph), _run(tables.summary, CPU, graph)
    printed = tables.published[(tables.published["paper"] == "singh2017") & (tables.published["graph"] == graph)]
    values = printed.set_index(["algorithm", "quantity"])["value"].groupby(level=[0, 1]).first()
    calls = select.sound(select.runs(tables.summary, [GPU], [graph]))["kernel_launches"]  # the same with every launch
    speedup = select.ratio(tables.timings, cpu, gpu) if cpu and gpu else UNKNOWN
    last_call = _phase(tables.timings, gpu) if gpu else UNKNOWN
    return {
        "graph": graph,
        "vertices": values.get((None, "size"), printed.loc[printed["quantity"] == "size", "value"].iloc[0]),
        **_estimate("device_ms", [gpu.get(end, math.nan) for end in charts.MEDIAN]),
        **_estimate("last_call_ms", last_call),
        "last_call_ms_then": values.get((GPU, "time")),
        **_estimate("cpu_ms", [cpu.get(end, math.nan) for end in charts.MEDIAN]),
        "cpu_ms_then": values.get((CPU, "time")),
        "kernel_calls": calls.median(),
        "kernel_calls_then": values.get((GPU, "kernel calls")),
        **_estimate("speedup", speedup),
        "speedup_then": values.get((GPU, "speed-up over the CPU")),
    }


def _estimate(name, numbers):
    return dict(zip((name, f"{name}_low", f"{name}_high"), numbers, strict=True))


def _phase(timings, run):
    """The median of the last call's time, with its interval."""
    processes = [list(process.values()) for process in select.processes(timings, run, "phase_last_call_ms")]
    return statistics.median_interval(*processes) if processes and pd.notna(processes[0][0]).all() else UNKNOWN


def _run(summary, algorithm, graph):
    """The run with the paper's launch; empty if there is none."""
    rows = select.sound(select.runs(summary, [algorithm], [graph]))
    rows = rows[rows["launch"] == LAUNCH]
    return rows.iloc[0].to_dict() if len(rows) else {}


def _cells(row):
    def both(name, wording):
        now, then = row[name], row.get(f"{name}_then")
        brackets = f"  ({wording(then)})" if pd.notna(then) else ""
        ends = [row.get(f"{name}_{end}") for end in ("low", "high")]
        interval = f"\n{wording(ends[0])} to {wording(ends[1])}" if pd.notna(ends).all() else ""
        return (wording(now) if pd.notna(now) else "–") + brackets + interval

    return [
        both("device_ms", style.duration),
        both("last_call_ms", style.duration),
        both("cpu_ms", style.duration),
        both("kernel_calls", lambda value: f"{value:g}"),
        both("speedup", _speedup),
    ]


def _speedup(value):
    """A factor in words, as a fraction where it is small: 12.4×, 1/1,270."""
    return style.factor(value) if value > 0.01 else f"1/{float(f'{1 / value:.3g}'):,.0f}"
