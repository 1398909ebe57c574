"""The graphs, and what is fastest on each.

The levels of a breadth-first search (the rounds of the shortest SSSP where none was run), in the median over the
study's start vertices, and from which; the share of the arcs that a search reaches; and for each problem the algorithm
that is fastest of all, on GPU or CPU, own or others', with its median time, how long it prepares where that was
recorded, and its launch. ≈ stands where the next one is as fast by their intervals.
"""

import pandas as pd

from warpath.results import charts, select, shapes, style
from warpath.results.figures import require

ROW = 0.52  # inches


def draw(tables):
    table, found = shapes.table(tables.summary).drop(columns="size"), shapes.winners(tables.summary, tables.timings)
    require(found, "no run of this study has a right answer")
    vertices, arcs = (table[name].map(style.count).replace("", "?") for name in ("vertices", "arcs"))
    words = pd.DataFrame(index=table["graph"] + " · " + vertices + " vertices, " + arcs + " arcs")
    searches = select.searches(tables.timings).dropna(subset="source")
    starts = table["graph"].map(searches.groupby("graph")["source"].unique())
    words["levels"] = [_from(*pair) for pair in zip(table["levels"], starts, strict=True)]
    words["arcs reached"] = [charts.known(100 * share, style.percent) for share in table["reached"]]
    for problem, best in found.groupby("problem", sort=False):
        rows = best.set_index("graph")[["winner", "launch", "winner_ms", "prepare_ms", "tie"]]
        table = table.join(rows.add_prefix(f"{problem}_"), on="graph")
        cells = {row["graph"]: _winner(row) for row in best.to_dict("records")}
        words[f"fastest {problem.upper()}"] = table["graph"].map(cells).fillna("–").to_numpy()
    figure, (ax,) = charts.panels([ROW * len(table)])
    charts.table(ax, words)
    return charts.picture(figure, __doc__, table, reading, runs=select.sound(tables.summary))


def _from(levels, starts):
    """The levels, and below them the start vertices."""
    if pd.isna(levels):
        return "–"
    return f"{levels:,.0f}\n" + (f"median of {len(starts)} starts" if len(starts) > 1 else f"from vertex {starts[0]}")


def _winner(row):
    words = f"{'≈ ' if row['tie'] else ''}{style.plain_name(row['winner'])}, {style.duration(row['winner_ms'])}"
    ready = style.duration(row["prepare_ms"])
    return "\n".join(filter(None, [words, ready and f"prepares in {ready}", style.launch(row["launch"])]))


def reading(table):
    levels = table["levels"].dropna()
    depth = f", {style.span(levels, '{:,.0f}'.format)} levels" if len(levels) else ""
    return f"{len(table)} graphs, fewest arcs first: {style.span(table['arcs'].dropna(), style.count)} arcs{depth}."
