"""Shapes of chart that several figures share."""

import numpy as np

from warpath.results import style

def dot_panels(plt, tables, wording, value="median_ms", low="low_ms", high="high_ms"):
    """A panel per title in `tables`: a band per graph, in it a dot with interval per algorithm, on one log axis.

    Rows that are not ok have no value; they are written out at the right edge, in the algorithm's place and colour.
    """
    inches = [_height(table) for table in tables.values()]
    figure, axes = plt.subplots(
        len(tables), 1, figsize=(style.WIDTH, sum(inches) + len(tables) * 0.75), height_ratios=inches, squeeze=False
    )
    for ax, (title, table) in zip(axes.flat, tables.items(), strict=True):
        _dots(ax, table, value, low, high)
        style.log_axis(ax.xaxis, wording)
        ax.set_title(title)
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1.03), frameon=False, handletextpad=0.2, labelspacing=0.35)
    return figure, axes[:, 0]


def _height(table):
    """Enough for every dot of a panel to have its own line, for a graph's two lines of text, and for the legend."""
    graphs, algorithms = table["graph"].nunique(), table["algorithm"].nunique()
    return max(graphs * max(0.5, 0.17 * algorithms), 0.27 * algorithms, 0.9)


def _dots(ax, table, value, low, high):
    order = table.drop_duplicates("graph").sort_values("arcs")["graph"].tolist()
    algorithms = sorted(table["algorithm"].unique(), key=lambda name: ("/cpu_" in name, name))
    step = 0.8 / len(algorithms)
    for place, algorithm in enumerate(algorithms):
        mine = table[table["algorithm"] == algorithm]
        colour, marker = style.look(algorithm)
        heights = np.array([order.index(graph) for graph in mine["graph"]]) + (place + 0.5) * step - 0.4
        for height, row in zip(heights, mine.to_dict("records"), strict=True):
            _dot(ax, height, row, colour, marker, (value, low, high))
        label = style.algorithm_label(algorithm, mine["device"].iloc[0])
        ax.plot([], [], marker, color=colour, label=label, ls="", ms=8)
    for band in range(0, len(order), 2):
        ax.axhspan(band - 0.5, band + 0.5, color="#F5F5F5", zorder=0)
    sizes = table.drop_duplicates("graph").set_index("graph")["arcs"]
    ax.set_yticks(range(len(order)), [f"{graph}\n{style.count(sizes[graph])} arcs" for graph in order])
    ax.set_ylim(len(order) - 0.5, -0.5)
    ax.grid(visible=False, axis="y")


def _dot(ax, height, row, colour, marker, columns):
    middle, low, high = (row[column] for column in columns)
    if row["status"] != "ok" or not middle == middle:
        words = f"✕ {style.STATUSES[row['status']]}"
        ax.text(0.995, height, words, color=colour, ha="right", va="center", transform=ax.get_yaxis_transform())
        return
    face = "white" if row["flags"] else colour
    ax.errorbar(middle, height, xerr=[[middle - low], [high - middle]], color=colour, elinewidth=2, zorder=2)
    ax.plot(middle, height, marker, color=colour, mfc=face, ms=8, mew=1.5, zorder=3)


def note_flags(figure, table):
    """Say under the figure what a hollow marker means, when there is one."""
    if (table["flags"] != "").any():
        note(figure, "hollow marker: the run was flagged (throttled, noisy or shortened)")


def note(figure, text):
    """A remark under everything else."""
    figure.text(0.005, -0.12 / figure.get_figheight(), text, ha="left", va="top", fontsize=11.5, color=style.MUTED)
