"""The GAP Benchmark Suite.

Median time over all samples of the fastest launch, as everywhere, and beside it what the suite prints: the mean over
its sources, from each the median of its repetitions, also of the search that returns a tree. The fastest published
means are of the suite's reference code and of LAGraph with SuiteSparse:GraphBLAS on a processor with 20 cores: another
machine, so that the ratio compares systems and not programs. Only the suite's own graphs have a ratio of means, not
those that stand in for one. For BFS the suite asks for parents, so the search with a tree is compared. A BFS that pulls
need not read every arc. Rates are harmonic means over the sources. This workflow counts arcs that leave reached
vertices; the Graph500 counts edges, of which an undirected one is two arcs, and also those that cleaning has removed.
"""

import numpy as np
import pandas as pd

from warpath.base.problems import BFS
from warpath.results import charts, select, style
from warpath.results.figures import Nothing
from warpath.runs import statuses

ROW = 0.3  # inches
UNKNOWN = float("nan")
HEADS = {
    "median_ms": ("median\nhere", style.duration),
    "mean_ms": ("mean\nhere", style.duration),
    "tree_ms": ("mean,\nwith a tree", style.duration),
    "percent_of_limit": ("of reading\nevery arc\nonce", style.percent),
    "gap_ms": ("GAP, mean,\n20-core\nXeon", style.duration),
    "lagraph_ms": ("LAGraph,\nmean, 20-core\nXeon", style.duration),
    "over_gap": ("times as\nfast as GAP", style.factor),
    "arcs_per_s": ("arcs/s", style.count),
    "edges_per_s": ("Graph500's\nedges/s", style.count),
}


def draw(tables):
    published = select.printed(tables.published, "gap").groupby(["graph", "algorithm"])["value"].min()
    searches, keys = select.searches(tables.summary), ["problem", "graph"]
    has_tree = searches["tree"].notna()
    best, trees = (select.sound(select.best(searches[mine], keys)) for mine in (~has_tree, has_tree))
    if best.empty:
        raise Nothing("no search on a graph of the GAP Benchmark Suite has a right answer yet")
    trees = {(run["problem"], run["graph"]): run for run in trees.to_dict("records")}
    runs = best.sort_values(["problem", "arcs"]).to_dict("records")
    table = pd.DataFrame(
        [_row(tables.timings, run, trees.get((run["problem"], run["graph"])), published) for run in runs]
    )
    words = {head: [charts.known(value, wording) for value in table[name]] for name, (head, wording) in HEADS.items()}
    for name, flags in (("median_ms", "own_flags"), ("tree_ms", "tree_flags")):
        weak, head = table[flags].map(statuses.weakness), HEADS[name][0]
        words[head] = (pd.Series(words[head]) + " " + weak).str.strip().to_list()
    names = [f"{run['problem'].upper()}  {select.label(run)}" for run in runs]
    figure, (ax,) = charts.panels([ROW * (len(table) + 2)])
    charts.table(ax, pd.DataFrame(words, names))
    return charts.picture(figure, __doc__, table, reading)


def _row(timings, run, tree, published):
    """Our median and mean times, the published means, and the rates of a graph and problem."""
    mean, with_tree = (
        float(np.mean([np.median(values) for values in select.samples(timings, each).values()])) if each else UNKNOWN
        for each in (run, tree)
    )
    gap, lagraph = (
        published.get((select.subject(run), f"{run['problem']}/{name}"), UNKNOWN) for name in ("gap", "lagraph")
    )
    own = not select.is_stand_in(run) and run["device"] != "host"
    comparable = (with_tree if run["problem"] == BFS.name else mean) if own else UNKNOWN
    found = {"mean_ms": mean, "tree_ms": with_tree, "gap_ms": gap, "lagraph_ms": lagraph, "over_gap": gap / comparable}
    flags = {"own_flags": run["flags"], "tree_flags": tree["flags"] if tree else ""}
    found |= flags | {"flags": " ".join(flags.values()).strip()}
    return run | found | {"arcs_per_s": run["teps"], "edges_per_s": run["teps"] / (1 if run["directed"] else 2)}


def reading(table):
    known = table.dropna(subset="over_gap").groupby("problem")["over_gap"]
    spans = " and ".join(f"{problem.upper()} {style.span(values)}" for problem, values in known)
    return f"{spans} as fast as GAP on a 20-core Xeon." if spans else "No search can be compared with GAP."
