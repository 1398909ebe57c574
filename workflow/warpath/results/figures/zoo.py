"""Where our searches lose, by kind of graph and size.

For each kind of graph and each size the fastest algorithm beside our own search, and how many times as long as ours it
takes; below it the same for the best of the papers' algorithms and, after "tuned", how much faster our best launch is
than the default one, which ours is. Blue is faster, red slower; ≈ stands where the interval has 1 in it. Kinds are
sorted by their worst cell, the worst first.
"""

import re

import numpy as np
import pandas as pd

from warpath.algorithms import discovery
from warpath.results import charts, libraries, select, style
from warpath.results.figures import Nothing
from warpath.runs import statuses

GRAPH = re.compile(r"zoo-(.+)-(\w+)")
ROW = 0.5  # inches
END = 30  # of the scale of colours
LETTERS = 20  # that fit a cell in large type
COLUMNS = [
    *["kind", "size", "problem", "graph", "arcs", "own", "own_launch", "own_ms", "best_launch", "best_ms"],
    *["algorithm", "launch", "device", "milliseconds", *charts.SPEEDUP, "paper", "paper_ms", "over_papers"],
    *["winner", "worst", "worst_over_papers", "device_name", "flags"],
]


def draw(tables):
    table = compared(tables)
    if table.empty:
        raise Nothing("no graph of the zoo has both one of our searches and another algorithm with right answers")
    kinds = list(dict.fromkeys(table["kind"]))
    columns = list(dict.fromkeys(zip(table["problem"], table["size"], strict=True)))
    columns.sort(key=lambda column: (column[0], table.loc[table["size"] == column[1], "arcs"].max()))
    figure, (ax,) = charts.panels([ROW * (len(kinds) + 1)])
    _cells(ax, table, kinds, columns)
    runs = libraries.runs(tables.summary[tables.summary["graph"].isin(table["graph"])], table)
    return charts.picture(figure, __doc__, table.assign(status=select.SOUND), reading, COLUMNS, runs)


def compared(tables):
    """A row per graph and problem of the zoo: ours beside the fastest other and the papers' fastest, worst first."""
    summary = select.sound(tables.summary)
    summary = summary[summary["graph"].str.fullmatch(GRAPH) & (summary["median_ms"] > 0)]
    rows = [_row(tables.timings, runs) for _, runs in summary.groupby(["problem", "graph"], sort=False)]
    table = pd.DataFrame([row for row in rows if row], columns=COLUMNS)
    worst = table.groupby("kind")[["speedup", "over_papers"]].transform("min")
    table = table.assign(worst=worst["speedup"], worst_over_papers=worst["over_papers"])
    return table.sort_values(["worst", "kind", "speedup"], kind="stable", ignore_index=True)


def _row(timings, runs):
    """Our default launch beside others; None where one of the two is missing."""
    problem, graph = runs[["problem", "graph"]].iloc[0]
    own = runs[runs["algorithm"] == libraries.OURS.get(problem)]
    others = select.best(runs[~runs.index.isin(own.index)])
    if own.empty or others.empty:
        return None
    best = own.loc[own["median_ms"].idxmin()]
    first = discovery.named(best["algorithm"]).launches[0].label
    default = next((row for _, row in own.iterrows() if row["launch"] == first), best)
    other = others.loc[others["median_ms"].idxmin()]
    papers = others[others["paper"].notna()].nsmallest(1, "median_ms")
    paper, paper_ms = next(papers[["algorithm", "median_ms"]].itertuples(index=False), (None, np.nan))
    kind, size = GRAPH.fullmatch(graph).groups()
    speedup = select.ratio(timings, other, default)
    return {
        **{"kind": kind, "size": size, "problem": problem, "graph": graph, "arcs": default["arcs"]},
        **{"own": default["algorithm"], "own_launch": default["launch"], "own_ms": default["median_ms"]},
        **{"best_launch": best["launch"], "best_ms": best["median_ms"]},
        **{"algorithm": other["algorithm"], "launch": other["launch"], "device": other["device"]},
        **{"milliseconds": other["median_ms"], **dict(zip(charts.SPEEDUP, speedup, strict=True))},
        **{"paper": paper, "paper_ms": paper_ms, "over_papers": paper_ms / default["median_ms"]},
        "winner": default["algorithm"] if speedup[0] >= 1 else other["algorithm"],
        "device_name": default["device_name"],
        "flags": " ".join(dict.fromkeys(f"{default['flags']} {other['flags']}".split())),
    }


def _cells(ax, table, kinds, columns):
    ratios = np.full((len(kinds), len(columns) + 1), np.nan)
    for row in table.to_dict("records"):
        y, x = kinds.index(row["kind"]), columns.index((row["problem"], row["size"]))
        ratios[y, x] = row["speedup"]
        colour = style.on(row["speedup"], END)
        tie = "≈ " if row["speedup_low"] <= 1 <= row["speedup_high"] else ""
        name, weak = style.plain_name(row["algorithm"]), statuses.weakness(row["flags"])
        text = f"{tie}{style.factor(row['speedup'])} {name} {weak}".strip()
        style.cell(ax, x + 0.5, y + 0.34, text, 12 if len(text) < LETTERS else 9.5, colour)
        more = [] if pd.isna(row["over_papers"]) else [f"papers {style.factor(row['over_papers'])}"]
        more += [f"tuned {style.factor(row['own_ms'] / row['best_ms'])}"]
        style.cell(ax, x + 0.5, y + 0.76, " · ".join(more), 9.5, colour)
    for y, kind in enumerate(kinds):
        worst = table.loc[table["kind"] == kind, "worst_over_papers"].iloc[0]
        if not np.isnan(worst):
            ratios[y, -1] = worst
            style.cell(ax, len(columns) + 0.5, y + 0.5, style.factor(worst), 12, style.on(worst, END), "bold")
    heads = [f"{problem.upper()}, {size} vertices" for problem, size in columns]
    names = [kind.replace("-", " ") for kind in kinds]
    charts.ratio_table(ax, ratios, END, [*heads, "worst over\nthe papers"], names)
    ax.axvline(len(columns), color=style.INK, lw=1.5)


def reading(table):
    sentences = []
    for problem, rows in table.groupby("problem"):
        worst, lost = rows.loc[rows["speedup"].idxmin()], (rows["speedup"] < 1).sum()
        name, graph = style.plain_name(worst["algorithm"]), f"{worst['kind'].replace('-', ' ')} {worst['size']}"
        least = f"at worst {style.factor(worst['speedup'])} as fast as {name} ({graph})"
        sentences.append(f"{problem.upper()}: {least}, slower on {lost} of {len(rows)}.")
    return " ".join(sentences)
