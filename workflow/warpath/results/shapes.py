"""What the tables know of each graph: its size, its degree, how many levels a search has, and so its kind."""

import operator

import numpy as np
import pandas as pd

from warpath.base.problems import BFS, PROBLEMS
from warpath.results import select, statistics, style

MANY_LEVELS = 100  # searches that take so many steps or more are long: roads, grids, geometric graphs
DENSE = 50  # arcs a vertex
LONG, SHORT, FULL, SPARSE = "long", "short", "dense", "sparse"
KINDS = {
    LONG: f"long searches: {MANY_LEVELS} levels or more",
    SHORT: f"short searches: under {MANY_LEVELS} levels",
    FULL: f"dense: {DENSE} arcs a vertex or more",
    SPARSE: f"levels unknown: under {DENSE} arcs a vertex",
}
WINNERS = [
    *["problem", "graph", "winner", "launch", "device", "winner_ms", "prepare_ms"],
    *["next", "margin", "margin_low", "margin_high", "tie"],
]
NEARLY_EQUAL = "too close to call"
SIZES = {1e4: "< 10 K", 1e5: "10–100 K", 1e6: "100 K–1 M", 1e7: "1–10 M", 1e8: "10–100 M", float("inf"): "≥ 100 M"}


def table(summary):
    """A row per graph: vertices, arcs, arcs a vertex, levels, the share of arcs that searches reached, kind and size.

    Levels are the iterations of BFS, or of the SSSP with the fewest where none was run. As many as vertices say
    nothing: some algorithms do that many on any graph.
    """
    summary = summary.astype(dict.fromkeys(["vertices", "arcs", "iterations", "arcs_visited"], float))
    runs = select.searches(select.sound(summary))
    on_gpu, steps = runs["device"].isin(["cuda", "host"]), runs["iterations"]
    told = steps.where(on_gpu & (steps > 0) | (steps > 1))  # a sequential Dijkstra has one
    is_bfs = runs["problem"] == BFS.name
    levels, rounds = (each.groupby(runs["graph"]) for each in (told.where(is_bfs & on_gpu), told.mask(is_bfs)))
    found = summary.groupby("graph", sort=False).agg({"stand_in_for": "first", "vertices": "max", "arcs": "max"})
    least = rounds.min().reindex(found.index)
    found["degree"] = found["arcs"] / found["vertices"]
    found["levels"] = levels.median().reindex(found.index).fillna(least.mask(least == found["vertices"]))
    found["reached"] = (runs.groupby("graph")["arcs_visited"].median() / found["arcs"]).clip(upper=1)
    kinds = {FULL: found["degree"] >= DENSE, SPARSE: found["levels"].isna(), LONG: found["levels"] >= MANY_LEVELS}
    found["kind"] = np.select(list(kinds.values()), list(kinds), SHORT)
    sizes = pd.cut(found["arcs"], [0, *SIZES], right=False, labels=[*SIZES.values()])
    found["size"] = sizes.astype(object).fillna("size unknown")
    return found.reset_index().sort_values(["arcs", "graph"], ignore_index=True)


def winners(summary, timings):
    """A row per problem and graph: the fastest algorithm, the next, and how many times slower that is.

    A `tie` is a margin whose interval reaches down to 1; a single sample may be statistics.SINGLE_MARGIN off. Where one
    algorithm finished alone there is no next one.
    """
    best = select.sound(select.best(summary))
    rows = []
    for (problem, graph), runs in select.by(best[best["median_ms"] > 0], "problem", "graph").items():
        first, *others = sorted(runs, key=operator.itemgetter("median_ms"))
        row = {"problem": problem, "graph": graph, "winner": first["algorithm"], "tie": False}
        row |= {"winner_ms": first["median_ms"]} | {name: first[name] for name in ("launch", "device", "prepare_ms")}
        if others:
            margin, low, high = select.ratio(timings, others[0], first)
            room = statistics.SINGLE_MARGIN if 1 in (others[0]["samples"], first["samples"]) else 1
            row |= {"next": others[0]["algorithm"], "margin": margin, "margin_low": low / room}
            row |= {"margin_high": high * room, "tie": not low / room > 1}
        rows.append(row)
    return pd.DataFrame(rows, columns=WINNERS)


def leader(names):
    """The name that more than half of the graphs have; None where none has, or most are too close to call."""
    counts = names[names != NEARLY_EQUAL].value_counts()
    return counts.index[0] if len(counts) and 2 * counts.iloc[0] > len(names) else None


def leaders(table):
    """Who is fastest on most graphs of each problem, in sentences; also by how much, where the table has margins."""
    sentences = []
    for problem in (name for name in PROBLEMS if name in set(table["problem"])):
        rows = table[table["problem"] == problem]
        names = rows["winner"].map(style.plain_name).mask(rows["tie"], NEARLY_EQUAL)
        counts, first = names.value_counts(), leader(names)
        listed = ", ".join(f"{name} on {count}" for name, count in counts.head(4).items())
        share = f"most ({listed} of {len(rows)} graphs)" if len(counts) > 1 else style.all_of(len(rows), "graph")
        lead = f"{first} is fastest on {share}" if first else f"no overall winner ({listed} of {len(rows)} graphs)"
        margin = f", by {style.span(rows.loc[names == first, 'margin'])}" if first and "margin" in rows else ""
        sentences.append(f"{problem.upper()}: {lead}{margin}.")
    return " ".join(sentences)
