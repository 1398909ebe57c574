"""The GAP Benchmark Suite.

Mean time over the sources of the suite, from each the median of its repetitions, with the fastest launch; then that of
the search that returns a tree too. Beside them the fastest published mean times of the suite's reference code and of
LAGraph with SuiteSparse:GraphBLAS, on a processor with 20 cores: another machine, so that the ratio compares systems
and not programs. Only the suite's own graphs have a ratio, not those that stand in for one. For BFS the suite asks for
parents, so the search with a tree is compared. The limit is to read the graph and write the answer once; a BFS that
pulls reads less. Rates are harmonic means over the sources. This workflow counts arcs that leave reached vertices; the
Graph500 counts edges, of which an undirected one is two arcs. It also counts the repeated edges and loops that cleaning
has removed, so that its rate would be a little higher.
"""

import numpy as np
import pandas as pd

from warpath.base.problems import BFS
from warpath.results import charts, select, style
from warpath.results.figures import Nothing
from warpath.runs import statuses

PAPER = "gap"
HEADS = ["here", "with a tree", "of the limit", "GAP's code", "LAGraph", "over GAP's", "arcs/s", "Graph500's\nedges/s"]
ROW = 0.3  # inches


def draw(tables):
    table = compared(tables)
    if table.empty:
        raise Nothing("no search on a graph of the GAP Benchmark Suite has a right answer yet")
    figure, (ax,) = charts.panels([ROW * (len(table) + 2)])
    rows = table.to_dict("records")
    names = [f"{row['problem'].upper()}  {select.label(row)}" for row in rows]
    charts.text_table(ax, map(_cells, rows), HEADS, names, size=12)
    table = table.assign(flags=table["flags"] + " " + table["tree_flags"])
    return charts.picture(figure, __doc__, table, reading, [name for name in table if "flags" not in name])


def compared(tables):
    """A row per graph and problem: our mean time, the published ones, and the rates."""
    printed = fastest_printed(tables.published)
    searches = select.searches(tables.summary)
    has_tree = searches["tree"].notna()
    best, trees = (
        select.sound(select.best(rows, ("problem", "graph"))) for rows in (searches[~has_tree], searches[has_tree])
    )
    with_tree = {
        (run["problem"], run["graph"]): (_mean(tables.timings, run), run["flags"]) for run in trees.to_dict("records")
    }
    rows = [_row(tables.timings, run, with_tree, printed) for run in best.to_dict("records")]
    return pd.DataFrame(rows).sort_values(["problem", "arcs"], ignore_index=True) if rows else pd.DataFrame()


def fastest_printed(published):
    """The fastest published time of each algorithm on each graph, in ms."""
    return select.printed(published, PAPER).groupby(["graph", "algorithm"])["value"].min()


def _mean(timings, run):
    """The mean over the sources, in ms."""
    return float(np.mean([np.median(values) for values in select.samples(timings, run).values()]))


def _row(timings, run, with_tree, printed):
    mean = _mean(timings, run)
    tree, tree_flags = with_tree.get((run["problem"], run["graph"]), (float("nan"), ""))
    theirs = {
        f"{name}_ms": printed.get((select.subject(run), f"{run['problem']}/{name}"), float("nan"))
        for name in ("gap", "lagraph")
    }
    comparable = float("nan") if select.is_stand_in(run) else tree if run["problem"] == BFS.name else mean
    rates = {"arcs_per_s": run["teps"], "edges_per_s": run["teps"] / (1 if run["directed"] else 2)}
    kept = {key: run[key] for key in ("problem", "graph", "stand_in_for", "arcs", "algorithm", "launch", "sources")}
    device = {key: run[key] for key in ("device", "device_name", "flags", "status")}
    ours = {"mean_ms": mean, "tree_ms": tree, "tree_flags": tree_flags, "percent_of_limit": run["percent_of_limit"]}
    return kept | device | ours | theirs | {"over_gap": theirs["gap_ms"] / comparable, **rates}


def _cells(row):
    times = [style.duration(row[name]) or "–" for name in ("mean_ms", "tree_ms", "gap_ms", "lagraph_ms")]
    limit = f"{row['percent_of_limit']:.0f} %" if pd.notna(row["percent_of_limit"]) else "–"
    ratio = "–" if np.isnan(row["over_gap"]) or row["device"] == "host" else style.factor(row["over_gap"])
    rates = [style.count(row[name]) if pd.notna(row[name]) else "–" for name in ("arcs_per_s", "edges_per_s")]
    weak = [statuses.weakness(row[flags]) for flags in ("flags", "tree_flags")]
    marked = [f"{time} {mark}".strip() for time, mark in zip(times, weak, strict=False)]
    return [*marked, limit, *times[2:], ratio, *rates]


def reading(table):
    known = table.dropna(subset="over_gap")
    if known.empty:
        return "No search can be compared with GAP's own code."
    ranges = known.groupby("problem")["over_gap"].agg(["min", "max"]).itertuples()
    listed = (f"{problem.upper()} {style.factor(low)} to {style.factor(high)}" for problem, low, high in ranges)
    return f"Over GAP's own code: {', '.join(listed)}."
