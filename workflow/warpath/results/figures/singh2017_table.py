"""Four small graphs, then and now (figure 8 of singh2017).

BFS from vertex 0 on the paper's graphs of 5 to 64 vertices, in one block of as many threads as vertices: time of all
kernel calls on the device, of the last call alone, and on the CPU; number of kernel calls; speed-up. Numbers in
brackets are printed in the paper; its GPU time, and so its speed-up, covers the last kernel call alone.
"""

import pandas as pd

from warpath.results import select, style
from warpath.results.figures import Nothing, Picture
from warpath.results.papers.singh2017 import CPU, GPU, GRAPHS, LAUNCH

HEAD = ["graph", "device", "last call", "CPU", "kernel calls", "speed-up"]


def draw(tables):
    import matplotlib.pyplot as plt

    data = pd.DataFrame([_now_and_then(tables, graph) for graph in GRAPHS])
    if data[["device_ms", "cpu_ms"]].isna().all(axis=None):
        raise Nothing("neither bfs/frontier_struct nor bfs/cpu_queue has a right answer on these graphs yet")
    figure, ax = plt.subplots(figsize=(style.WIDTH, 2.5))
    _table(ax, [_cells(row) for row in data.to_dict("records")])
    known = [f"{style.factor(row.speedup)} on {row.vertices:g}" for row in data.itertuples() if pd.notna(row.speedup)]
    reading = f"Speed-up over the sequential CPU by vertices: {', '.join(known) or 'not known'}."
    style.heading(figure, __doc__, select.of(tables.summary, [GPU, CPU]), reading)
    return Picture(figure, data, reading)


def _now_and_then(tables, graph):
    gpu, cpu = _run(tables.summary, GPU, graph), _run(tables.summary, CPU, graph)
    printed = tables.published[(tables.published["paper"] == "singh2017") & (tables.published["graph"] == graph)]
    values = printed.set_index(["algorithm", "quantity"])["value"].groupby(level=[0, 1]).first()
    return {
        "graph": graph,
        "vertices": values.get((None, "size"), printed.loc[printed["quantity"] == "size", "value"].iloc[0]),
        "device_ms": gpu.get("median_ms"),
        "last_call_ms": gpu.get("phase_last_call_ms"),
        "last_call_ms_then": values.get((GPU, "time")),
        "cpu_ms": cpu.get("median_ms"),
        "cpu_ms_then": values.get((CPU, "time")),
        "kernel_calls": _calls(tables.summary, graph),
        "kernel_calls_then": values.get((GPU, "kernel calls")),
        "speedup": cpu["median_ms"] / gpu["median_ms"] if cpu and gpu else float("nan"),
        "speedup_then": values.get((GPU, "speed-up over the CPU")),
    }


def _run(summary, algorithm, graph):
    """The run with the paper's launch; empty if there is none."""
    rows = select.sound(select.of(summary, [algorithm], [graph]))
    rows = rows[rows["launch"] == LAUNCH]
    return rows.iloc[0].to_dict() if len(rows) else {}


def _calls(summary, graph):
    """The number of kernel calls, which is the same with every launch."""
    return select.sound(select.of(summary, [GPU], [graph]))["kernel_launches"].median()


def _cells(row):
    def both(name, wording):
        now, then = row[name], row[f"{name}_then"]
        brackets = f"  ({wording(then)})" if pd.notna(then) else ""
        return (wording(now) if pd.notna(now) else "–") + brackets

    return [
        f"{row['graph']}, {row['vertices']:g} vertices",
        style.duration(row["device_ms"]) if pd.notna(row["device_ms"]) else "–",
        both("last_call_ms", style.duration),
        both("cpu_ms", style.duration),
        both("kernel_calls", lambda value: f"{value:g}"),
        both("speedup", style.factor),
    ]


def _table(ax, rows):
    ax.axis("off")
    table = ax.table(
        rows, colLabels=HEAD, loc="upper left", cellLoc="right", colWidths=[0.22, 0.12, 0.19, 0.18, 0.12, 0.17]
    )
    table.auto_set_font_size(False)
    table.set_fontsize(13)
    table.scale(1, 2.1)
    for (row, column), cell in table.get_celld().items():
        cell.visible_edges = "B"
        cell.set_edgecolor("#C8C8C8")
        cell.set_text_props(ha="left" if column == 0 else "right", fontweight="bold" if row == 0 else "normal")
