"""Which algorithm to take.

For each kind of graph and each size, the algorithm that is fastest on most of the study's graphs there, on how many of
them, and in brackets how many times longer the next one takes, in the median. ≈ stands where the interval of a margin
reaches 1. Kinds come from what was measured: the levels of a breadth-first search and the arcs a vertex. Colours are
kinds of device; the stronger, the wider the margin.
"""

from matplotlib.patches import Rectangle

from warpath.results import charts, select, shapes, style
from warpath.results.figures import Nothing

ROW, HEADING = 0.62, 0.95  # inches
WIDE = 10  # a margin from which on a cell has its full colour
COLUMNS = [
    *["problem", "kind", "size", "graph", "stand_in_for", "arcs", "degree", "levels", "winner", "launch", "winner_ms"],
    *["next", "margin", "margin_low", "margin_high", "tie", "device_label", "device_name"],
]


def draw(tables):
    table = compared(tables)
    if table.empty:
        raise Nothing("no graph of this study has two algorithms with right answers")
    panels = charts.by_problem(table)
    figure, axes = charts.panels([ROW * rows["kind"].nunique() for rows in panels.values()], HEADING)
    sizes = [size for size in shapes.SIZES.values() if size in set(table["size"])]
    for ax, (title, panel) in zip(axes, panels.items(), strict=True):
        kinds = [kind for kind in shapes.KINDS if kind in set(panel["kind"])]
        for y, kind in enumerate(kinds):
            for x, size in enumerate(sizes):
                rows = panel[(panel["kind"] == kind) & (panel["size"] == size)]
                if len(rows):
                    _cell(ax, x, y, rows)
        heading = f"{title}, {len(panel)} graphs by arcs"
        style.as_table(ax, sizes, [shapes.KINDS[kind] for kind in kinds], size=11, title=heading)
    charts.legend_of_kinds(axes[0], table["device"], marker="s", height=1.17)
    return charts.picture(figure, __doc__, table, reading, COLUMNS, select.sound(tables.summary))


def compared(tables):
    """The winner of every problem and graph with two algorithms or more, and what kind of graph it is."""
    table = shapes.winners(tables.summary, tables.timings).dropna(subset="margin")
    table = table.merge(shapes.table(tables.summary), on="graph")
    about = tables.summary.rename(columns={"algorithm": "winner"}).drop_duplicates(["winner", "graph"])
    about = about[["winner", "graph", "device_label", "device_name"]]
    return table.merge(about, on=["winner", "graph"], how="left")


def _cell(ax, x, y, rows):
    counts = rows["winner"].value_counts()
    won = rows[rows["winner"] == counts.index[0]]
    margin, is_tie = won["margin"].median(), won["tie"].mean() > 0.5
    strength = 0.12 + (0 if is_tie else 0.38 * min(1, max(0, margin - 1) / (WIDE - 1)))
    colour = style.KINDS[won["device"].iloc[0]]
    ax.add_patch(Rectangle((x, y), 1, 1, fc=style.PAPER, lw=0, zorder=1))
    ax.add_patch(Rectangle((x + 0.02, y + 0.03), 0.96, 0.94, fc=colour, alpha=strength, lw=0, zorder=1))
    name = style.plain_name(counts.index[0])
    looks = {"ha": "center", "va": "center", "zorder": 2, "in_layout": False}
    ax.text(x + 0.5, y + 0.34, name, fontsize=12 if len(name) < 14 else 10, fontweight="bold", **looks)
    text = f"{counts.iloc[0]} of {len(rows)}  ({'≈ ' if is_tie else ''}{style.factor(margin)})"
    ax.text(x + 0.5, y + 0.72, text, fontsize=10.5, **looks)


def reading(table):
    sentences = []
    for problem, rows in table.groupby("problem", sort=False):
        counts = rows["winner"].value_counts()
        margin = rows.loc[rows["winner"] == counts.index[0], "margin"].median()
        name = style.plain_name(counts.index[0])
        sentences.append(
            f"{problem.upper()}: {name} on {counts.iloc[0]} of {len(rows)} graphs, by {style.factor(margin)}"
        )
    return f"Fastest, and by how much in the median. {'; '.join(sentences)}."
