"""Where our searches lose, by kind of graph and size.

For each kind of graph and each size the fastest algorithm beside our own search, and how many times as long as ours it
takes; below it the same for the best of the papers' algorithms and, after "tuned", how much faster our best launch is
than the default one, which ours is. Blue is faster, red slower; ≈ stands where the interval has 1 in it. Kinds are
sorted by their worst cell, the worst first.
"""

import re

import pandas as pd

from warpath.algorithms import discovery
from warpath.results import charts, libraries, select, style
from warpath.results.figures import Nothing
from warpath.runs import statuses

GRAPH = re.compile(r"zoo-(.+)-(\w+)")
ROW = 0.5  # inches
END = 30  # of the scale of colours
COLUMNS = [
    *["kind", "size", "problem", "graph", "arcs", "own", "own_launch", "own_ms", "best_launch", "best_ms"],
    *["algorithm", "launch", "device", "milliseconds", *charts.SPEEDUP, "paper", "paper_ms", "over_papers"],
    *["winner", "worst", "worst_over_papers", "device_name", "flags"],
]


def draw(tables):
    summary = select.sound(tables.summary)
    summary = summary[summary["graph"].str.fullmatch(GRAPH) & (summary["median_ms"] > 0)]
    rows = [_row(tables.timings, runs) for _, runs in summary.groupby(["problem", "graph"], sort=False)]
    table = pd.DataFrame([row for row in rows if row], columns=COLUMNS)
    if table.empty:
        raise Nothing("no graph of the zoo has both one of our searches and another algorithm with right answers")
    worst = table.groupby("kind")[["speedup", "over_papers"]].transform("min")
    table = table.assign(worst=worst["speedup"], worst_over_papers=worst["over_papers"])
    table = table.sort_values(["worst", "kind", "speedup"], kind="stable", ignore_index=True)
    kinds, heads = table["kind"].unique(), table["problem"].str.upper() + ",\n" + table["size"] + " vertices"
    cells = table.assign(row=table["kind"], column=heads, words=table.apply(_words, axis=1), value=table["speedup"])
    lost = table.dropna(subset="over_papers").drop_duplicates("kind")["worst_over_papers"]
    papers = table.loc[lost.index].assign(row=lambda rows: rows["kind"], column="worst over\nthe papers", value=lost)
    papers = papers.assign(words=lost.map(style.factor))
    figure, (ax,) = charts.panels([ROW * (len(kinds) + 1)])
    columns = [*cells.sort_values(["problem", "arcs"])["column"].unique(), "worst over\nthe papers"]
    names = {kind: kind.replace("-", " ") for kind in kinds}
    charts.matrix(ax, pd.concat([cells, papers]), names, columns, END)
    runs = libraries.runs(tables.summary[tables.summary["graph"].isin(table["graph"])], table)
    return charts.picture(figure, __doc__, table.assign(status=select.SOUND), reading, COLUMNS, runs)


def _row(timings, runs):
    """Our default launch beside the fastest other and the papers' fastest; None where ours or another is missing."""
    problem, graph = runs[["problem", "graph"]].iloc[0]
    own = runs[runs["algorithm"] == libraries.OURS.get(problem)].sort_values("median_ms")
    others = select.best(runs[~runs.index.isin(own.index)]).sort_values("median_ms")
    if own.empty or others.empty:
        return None
    best, other = own.iloc[0], others.iloc[0]
    first = own[own["launch"] == discovery.named(best["algorithm"]).launches[0].label]
    default = first.iloc[0] if len(first) else best
    paper, paper_ms = next(
        others.loc[others["paper"].notna(), ["algorithm", "median_ms"]].itertuples(index=False), (None, float("nan"))
    )
    speedup = select.ratio(timings, other, default)
    return {
        **dict(zip(("kind", "size"), GRAPH.fullmatch(graph).groups(), strict=True)),
        **{"problem": problem, "graph": graph, "arcs": default["arcs"], "device_name": default["device_name"]},
        **{"own": default["algorithm"], "own_launch": default["launch"], "own_ms": default["median_ms"]},
        **{"best_launch": best["launch"], "best_ms": best["median_ms"], "milliseconds": other["median_ms"]},
        **{name: other[name] for name in ("algorithm", "launch", "device")},
        **dict(zip(charts.SPEEDUP, speedup, strict=True)),
        **{"paper": paper, "paper_ms": paper_ms, "over_papers": paper_ms / default["median_ms"]},
        "winner": default["algorithm"] if speedup[0] >= 1 else other["algorithm"],
        "flags": " ".join(dict.fromkeys(f"{default['flags']} {other['flags']}".split())),
    }


def _words(row):
    tie = "≈ " if row["speedup_low"] <= 1 <= row["speedup_high"] else ""
    name, weak = style.plain_name(row["algorithm"]), statuses.weakness(row["flags"])
    more = [] if pd.isna(row["over_papers"]) else [f"papers {style.factor(row['over_papers'])}"]
    more += [f"tuned {style.factor(row['own_ms'] / row['best_ms'])}"]
    return f"{tie}{style.factor(row['speedup'])} {name} {weak}".strip() + f"\n{' · '.join(more)}"


def reading(table):
    sentences = []
    for problem, rows in table.groupby("problem"):
        worst, lost = rows.loc[rows["speedup"].idxmin()], (rows["speedup"] < 1).sum()
        name, graph = style.plain_name(worst["algorithm"]), f"{worst['kind'].replace('-', ' ')} {worst['size']}"
        least = f"at worst {style.factor(worst['speedup'])} as fast as {name} ({graph})"
        sentences.append(f"{problem.upper()}: {least}, slower on {lost} of {len(rows)}.")
    return " ".join(sentences)
