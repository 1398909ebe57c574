"""The GAP Benchmark Suite.

Median time over all samples of the fastest launch, as everywhere, and beside it what the suite prints: the mean over
its sources of each one's median, also with the tree that the suite asks for. The fastest published means are of GAP's
own code and LAGraph on another machine, so that the ratio compares systems; a stand-in has none.
"""

import numpy as np
import pandas as pd

from warpath.base.problems import BFS
from warpath.results import charts, select, style
from warpath.results.figures import require
from warpath.runs import statuses

HEADS = {
    "median_ms": ("median\nhere", style.duration),
    "mean_ms": ("mean\nhere", style.duration),
    "tree_ms": ("mean,\nwith a tree", style.duration),
    "gap_ms": ("GAP, mean,\n20-core\nXeon", style.duration),
    "lagraph_ms": ("LAGraph,\nmean, 20-core\nXeon", style.duration),
    "over_gap": ("times as\nfast as GAP", style.factor),
    "arcs_per_s": ("arcs/s", style.count),
}


def draw(tables):
    published = select.printed(tables.published, "gap").groupby(["graph", "algorithm"])["value"].min()
    searches = select.sound(select.searches(tables.summary)).sort_values(["problem", "arcs", "median_ms"])
    require(searches, "no search on a graph of the GAP Benchmark Suite has a right answer yet")
    rows = [_row(tables.timings, runs, published) for _, runs in searches.groupby(["problem", "graph"], sort=False)]
    words = {head: [_words(row, name, wording) for row in rows] for name, (head, wording) in HEADS.items()}
    figure, (ax,) = charts.panels([0.28 * len(rows)])
    charts.table(ax, pd.DataFrame(words, [f"{row['problem'].upper()}  {select.label(row)}" for row in rows]))
    return charts.picture(figure, __doc__, pd.DataFrame(rows), reading)


def _row(timings, runs, published):
    """Our median and mean times, and the published means of a graph and problem."""
    found = [mine.to_dict("records") for mine in (runs, runs[runs["tree"].notna()])]
    samples = [select.samples(timings, each[0]).values() if each else [] for each in found]
    mean, with_tree = (np.mean([np.median(values) for values in each]) if each else np.nan for each in samples)
    run = found[0][0]
    gap, lagraph = (published.get((run["graph"], f"{run['problem']}/{name}"), np.nan) for name in ("gap", "lagraph"))
    asked = with_tree if run["problem"] == BFS.name else mean
    comparable = np.nan if run["device"] == "host" else asked
    times = {"mean_ms": mean, "tree_ms": with_tree, "gap_ms": gap, "lagraph_ms": lagraph, "over_gap": gap / comparable}
    flags = {"median_ms_flags": run["flags"], "tree_ms_flags": found[1][0]["flags"] if found[1] else ""}
    return run | times | flags | {"arcs_per_s": run["teps"], "flags": " ".join(flags.values()).strip()}


def _words(row, name, wording):
    return f"{charts.known(row[name], wording)} {statuses.weakness(row.get(f'{name}_flags', ''))}".strip()


def reading(table):
    known = table.dropna(subset="over_gap").groupby("problem")["over_gap"]
    spans = " and ".join(f"{problem.upper()} {style.span(values)}" for problem, values in known)
    return f"{spans} as fast as GAP on a 20-core Xeon." if spans else "No search can be compared with GAP."
