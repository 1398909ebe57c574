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


def draw(tables):
    published = select.printed(tables.published, "gap").groupby(["graph", "algorithm"])["value"].min()
    searches = select.searches(tables.summary)
    has_tree = searches["tree"].notna()
    best, trees = (
        select.sound(select.best(rows, ("problem", "graph"))) for rows in (searches[~has_tree], searches[has_tree])
    )
    trees = {(run["problem"], run["graph"]): run for run in trees.to_dict("records")}
    rows = [
        _row(tables.timings, run, trees.get((run["problem"], run["graph"])), published)
        for run in best.sort_values(["problem", "arcs"]).to_dict("records")
    ]
    if not rows:
        raise Nothing("no search on a graph of the GAP Benchmark Suite has a right answer yet")
    table = pd.DataFrame(rows)
    figure, (ax,) = charts.panels([ROW * (len(table) + 2)])
    words = pd.DataFrame(
        [_words(row) for row in rows], [f"{run['problem'].upper()}  {select.label(run)}" for run in rows]
    )
    charts.table(ax, words)
    return charts.picture(figure, __doc__, table, reading, [name for name in table if "flags" not in name])


def _row(timings, run, tree, published):
    """Our median and mean times, the published means, and the rates of a graph and problem."""
    mean, tree_mean = (
        float(np.mean([np.median(values) for values in select.samples(timings, each).values()])) if each else UNKNOWN
        for each in (run, tree)
    )
    gap, lagraph = (
        published.get((select.subject(run), f"{run['problem']}/{name}"), UNKNOWN) for name in ("gap", "lagraph")
    )
    comparable = UNKNOWN if select.is_stand_in(run) else tree_mean if run["problem"] == BFS.name else mean
    rates = {"arcs_per_s": run["teps"], "edges_per_s": run["teps"] / (1 if run["directed"] else 2)}
    kept = ["problem", "graph", "stand_in_for", "arcs", "algorithm", "launch", "sources", "device", "device_name"]
    kept = {key: run[key] for key in [*kept, "flags", "status", "median_ms", "percent_of_limit"]}
    flags = {"own_flags": run["flags"], "tree_flags": tree["flags"] if tree else ""}
    ours = {"mean_ms": mean, "tree_ms": tree_mean} | flags | {"flags": " ".join(flags.values()).strip()}
    return kept | ours | {"gap_ms": gap, "lagraph_ms": lagraph, "over_gap": gap / comparable} | rates


def _words(row):
    over = UNKNOWN if row["device"] == "host" else row["over_gap"]
    weak = {name: statuses.weakness(row[f"{name}_flags"]) for name in ("own", "tree")}
    return {
        "median\nhere": f"{style.duration(row['median_ms'])} {weak['own']}",
        "mean\nhere": style.duration(row["mean_ms"]),
        "mean,\nwith a tree": f"{style.duration(row['tree_ms'])} {weak['tree']}",
        "of reading\nevery arc\nonce": charts.known(row["percent_of_limit"], style.percent),
        "GAP, mean,\n20-core\nXeon": style.duration(row["gap_ms"]),
        "LAGraph,\nmean, 20-core\nXeon": style.duration(row["lagraph_ms"]),
        "times as\nfast as GAP": charts.known(over, style.factor),
        "arcs/s": charts.known(row["arcs_per_s"], style.count),
        "Graph500's\nedges/s": charts.known(row["edges_per_s"], style.count),
    }


def reading(table):
    known = table.dropna(subset="over_gap").groupby("problem")["over_gap"]
    spans = " and ".join(f"{problem.upper()} {style.span(values)}" for problem, values in known)
    return (
        f"{spans} as fast as GAP's code on a 20-core Xeon." if spans else "No search can be compared with GAP's code."
    )
