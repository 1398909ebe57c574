"""Where our searches lose, by kind of graph and size.

For each kind of graph and each size the fastest algorithm beside our own search, and how many times as long as ours it
takes; below it, after "tuned", how much faster our best launch is than our default one. Blue is faster, red slower; ≈
stands where the interval has 1 in it. The worst kinds come first.
"""

import re

import pandas as pd

from warpath.algorithms import discovery
from warpath.results import charts, libraries, select, style
from warpath.results.figures import require

GRAPH = re.compile(r"zoo-(?P<kind>.+)-(?P<size>\w+)")
ROW, END = 0.5, 30  # inches; end of the scale of colours


def draw(tables):
    summary = select.sound(tables.summary)
    summary = summary[summary["graph"].str.fullmatch(GRAPH) & (summary["median_ms"] > 0)]
    groups = summary.groupby(["problem", "graph"], sort=False)
    table = pd.DataFrame(filter(None, (_row(tables.timings, runs) for _, runs in groups)))
    require(table, "no graph of the zoo has both one of our searches and another algorithm with right answers")
    table = table.join(table["graph"].str.extract(GRAPH).replace("-", " ", regex=True))
    table["worst"] = table.groupby("kind")["speedup"].transform("min")
    table = table.sort_values(["worst", "kind", "speedup"], kind="stable", ignore_index=True)
    heads = table["problem"].str.upper() + ",\n" + table["size"] + " vertices"
    cells = table.assign(row=table["kind"], column=heads, words=table.apply(_words, axis=1), value=table["speedup"])
    columns, kinds = cells.sort_values(["problem", "arcs"])["column"].unique(), table["kind"].unique()
    figure, (ax,) = charts.panels([ROW * len(kinds)])
    charts.matrix(ax, cells, kinds, columns, END)
    return charts.picture(figure, __doc__, table, reading, runs=libraries.runs(summary, table))


def _row(timings, runs):
    """Our default launch beside the fastest other and the papers' fastest; None where ours or another is missing."""
    is_own = runs["algorithm"] == libraries.OURS.get(runs["problem"].iloc[0])
    own, others = (runs[mine].sort_values("median_ms") for mine in (is_own, ~is_own))
    if own.empty or others.empty:
        return None
    (best, *_), other = own.to_dict("records"), others.iloc[0].to_dict()
    default = discovery.named(best["algorithm"]).launches[0].label
    mine = next((run for run in own.to_dict("records") if run["launch"] == default), best)
    found = {"own": mine["algorithm"], "own_launch": mine["launch"], "own_ms": mine["median_ms"]}
    found |= {"tuned": mine["median_ms"] / best["median_ms"], "flags": f"{mine['flags']} {other['flags']}".strip()}
    return other | found | dict(zip(charts.SPEEDUP, select.ratio(timings, other, mine), strict=True))


def _words(row):
    return f"{charts.ratio(row)} {style.plain_name(row['algorithm'])}\ntuned {style.factor(row['tuned'])}"


def reading(table):
    worst = charts.extremes(table, "speedup", style.factor, least=True)
    lost = (table["speedup"] < 1).groupby(table["problem"].str.upper(), sort=False).agg(["sum", "size"])
    counts = " and ".join(f"{row['sum']} of {row['size']} for {problem}" for problem, row in lost.iterrows())
    return f"At worst as fast as another: {worst}; slower on {counts}."
