"""Charts that several figures share: panels of dots by graph, lines over a size, and remarks under a figure."""

from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd

from warpath.results import select, style
from warpath.results.figures import Nothing, Picture

LINE = 0.19  # inches
LABEL_LINES = 2.6  # height of a graph's two lines of label, in lines of dots
DENSE = 3  # lines of a graph in a dense chart, which its dots share
STATUS_ROOM = 0.26  # share of the axis, at its right end, for the status of runs without a time
FEW = 3  # up to so many graphs, the fastest algorithm of each is named
UNRANKED = "The kernels ran in CPU emulation, whose times say nothing about a GPU: algorithms are not ranked."
RANGES = (style.PUBLISHED, style.BLUE)  # colours of printed ranges
MEDIAN = ("median_ms", "low_ms", "high_ms")
SPEEDUP = ("speedup", "speedup_low", "speedup_high")
TIME_COLUMNS = [
    *["problem", "graph", "stand_in_for", "vertices", "arcs", "algorithm", "launch", "device_label", "device_name"],
    *["status", *MEDIAN, "samples", "flags"],
]


def by_problem(table):
    """The rows of each problem by its title."""
    return {problem.upper(): rows for problem, rows in table.groupby("problem", sort=False)}


class Printed(NamedTuple):
    """What a paper prints: its numbers, and ranges in which a time should lie, by label and then by graph."""

    numbers: Any = None
    ranges: Any = MappingProxyType({})


NOTHING_PRINTED = Printed()


def dot_panels(plt, tables, wording, columns=MEDIAN, printed=NOTHING_PRINTED, mark=None, dense=False):
    """Draw a panel per title in `tables`, in it a band per graph with a dot and interval per algorithm, on a log axis.

    Every dot has its own line, or in a `dense` chart shares a few. A run that is not ok has its status at the right
    edge, and a hollow dot if it finished with a wrong answer. Hollow diamonds are `printed` numbers of the same graph
    and algorithm, and printed ranges are shaded; `mark` is a vertical line.
    """
    inches = [_height(table, dense) for table in tables.values()]
    figure, axes = plt.subplots(
        len(tables), 1, figsize=(style.WIDTH, sum(inches) + len(tables) * 0.75), height_ratios=inches, squeeze=False
    )
    for ax, (title, table) in zip(axes.flat, tables.items(), strict=True):
        _dots(ax, table, columns, printed, dense)
        if mark is not None:
            ax.update_datalim([(mark, 0)])
        style.log_axis(ax.xaxis, wording, room=0 if (table["status"] == select.SOUND).all() else STATUS_ROOM)
        if mark is not None:
            ax.axvline(mark, color=style.INK, lw=1.2, zorder=1)
        ax.set_title(title)
        legend(ax)
    return figure, axes[:, 0]


def legend(ax, **options):
    """Place the legend right of the axes, where it hides nothing."""
    ax.legend(
        loc="upper left",
        bbox_to_anchor=(1.01, 1.0),
        borderaxespad=0,
        frameon=False,
        handletextpad=0.4,
        labelspacing=0.35,
        **options,
    )


def _height(table, dense):
    """Inches that the bands and the legend of a panel need."""
    lines = sum(_band_lines(rows, dense) for _, rows in table.groupby("graph"))
    return max(LINE * lines, 0.27 * table["algorithm"].nunique(), 0.9)


def _band_lines(rows, dense):
    """Height of a graph's band in lines: that of its dots or of its label."""
    return max(_dot_lines(rows, dense), LABEL_LINES)


def _dot_lines(rows, dense):
    return min(len(rows), DENSE) if dense else len(rows)


def _dots(ax, table, columns, printed, dense):
    top, ticks = 0, {}
    for index, (graph, rows) in enumerate(_bands(table)):
        lines, band_lines = _dot_lines(rows, dense), _band_lines(rows, dense)
        for place, row in enumerate(rows.to_dict("records")):
            height = top + (place % lines + 0.5) * band_lines / lines
            _dot(ax, height, row, *style.look(row["algorithm"]), columns)
            _published_diamonds(ax, height, row, printed.numbers)
        _ranges(ax, (top, top + band_lines), select.subject(rows.iloc[0]), printed.ranges)
        if index % 2 == 0:
            ax.axhspan(top, top + band_lines, color="#F5F5F5", zorder=0)
        ticks[top + band_lines / 2] = f"{graph}\n{_size(rows['arcs'].max())}"
        top += band_lines
    _legend_entries(ax, table, printed.numbers)
    for colour, (label, graphs) in zip(RANGES, printed.ranges.items(), strict=False):
        if graphs:
            ax.fill_betweenx([], [], [], color=colour, alpha=0.22, lw=0, label=label)
    ax.set_yticks(list(ticks), ticks.values())
    ax.set_ylim(top, 0)
    ax.grid(visible=False, axis="y")


def _bands(table):
    """Each graph with its rows: graphs by size, algorithms in the same order everywhere."""
    ordered = table.sort_values(["arcs", "graph"]).groupby("graph", sort=False)
    for graph, rows in ordered:
        yield graph, rows.sort_values("algorithm", key=lambda names: names.map(_rank))


def _rank(algorithm):
    """Sort key: our kernels, then libraries, then sequential baselines."""
    return ("/cpu_" in algorithm, "/peer_" in algorithm, algorithm)


def _size(arcs):
    return f"{style.count(arcs)} arcs" if pd.notna(arcs) else "size unknown"


def _dot(ax, height, row, colour, marker, columns):
    middle, low, high = (row[column] for column in columns)
    sound = row["status"] == select.SOUND
    if not sound or pd.isna(middle):
        text = f"✕ {style.STATUSES[row['status']]}"
        ax.text(0.995, height, text, color=colour, ha="right", va="center", transform=ax.get_yaxis_transform())
    if row["status"] not in select.TIMED or pd.isna(middle):
        return
    face = colour if sound and not row["flags"] else "white"
    ax.errorbar(middle, height, xerr=[[middle - low], [high - middle]], color=colour, elinewidth=2, zorder=2)
    ax.plot(middle, height, marker, color=colour, mfc=face, ms=8, mew=1.5, zorder=3)


def _ranges(ax, heights, graph, ranges):
    for colour, graphs in zip(RANGES, ranges.values(), strict=False):
        if graph in graphs:
            ax.fill_betweenx(heights, *graphs[graph], color=colour, alpha=0.22, lw=0, zorder=1)


def _published_diamonds(ax, height, row, published):
    for value in _printed(published, row["algorithm"], select.subject(row))["value"]:
        ax.plot(value, height, "D", color=style.PUBLISHED, mfc="none", ms=9, mew=1.8, zorder=4)


def _legend_entries(ax, table, published):
    """Add an entry per algorithm, and one for the devices of the diamonds."""
    for algorithm in sorted(table["algorithm"].unique(), key=_rank):
        colour, marker = style.look(algorithm)
        device = table.loc[table["algorithm"] == algorithm, "device"].iloc[0]
        ax.plot([], [], marker, color=colour, label=style.algorithm_label(algorithm, device), ls="", ms=8)
    pairs = {(row["algorithm"], select.subject(row)) for row in table.to_dict("records")}
    devices = sorted({device for pair in pairs for device in _printed(published, *pair)["device"]})
    if devices:
        label = "\n".join(["in the paper:", *devices])
        ax.plot([], [], "D", color=style.PUBLISHED, mfc="none", mew=1.8, ls="", label=label)


def _printed(published, algorithm, graph):
    if published is None:
        return {"value": [], "device": []}
    return published[(published["algorithm"] == algorithm) & (published["graph"] == graph)]


def lines(ax, table, x):
    """Draw a line per algorithm over the column `x`."""
    for algorithm, rows in table.groupby("algorithm", sort=False):
        label = style.algorithm_label(algorithm, rows["device"].iloc[0])
        line(ax, rows, x, label, style.look(algorithm))


def line(ax, rows, x, label, look, ls="-"):
    """Draw median times with their intervals over the column `x`; those of wrong answers are hollow, as flagged ones.

    Runs without a time are marked above the top edge; if there is no other, the legend alone gives the statuses.
    """
    rows = rows.sort_values(x)
    timed = select.timed(rows)
    others = rows[~rows.index.isin(timed.index)]
    colour, marker = look
    name = label.split(" (")[0]
    face = "white" if select.sound(rows).empty else colour
    looks = {"color": colour, "marker": marker, "mfc": face, "ls": ls, "ms": 8, "lw": 2}
    ax.plot(timed[x], timed["median_ms"], label=_outcomes(label, rows), **looks)
    ax.vlines(timed[x], timed["low_ms"], timed["high_ms"], color=colour, lw=2)
    hollow_where_flagged(ax, timed, x, "median_ms", look)
    for row in others.dropna(subset=[x]).to_dict("records") if len(timed) else []:
        _mark_above(ax, row[x], f"✕ {name} {style.STATUSES[row['status']]}", colour)
        ax.plot(row[x], timed["median_ms"].median(), ls="")  # invisible, to keep x within the limits of the axis


def _outcomes(label, rows):
    """The label of a line, with its statuses if none of its runs is ok, or the number of its wrong answers."""
    wrong = (rows["status"] == "wrong").sum()
    if select.sound(rows).empty:
        return f"{label}: {', '.join(style.STATUSES[status] for status in rows['status'].unique())}"
    return f"{label}: {wrong} of {len(rows)} wrong" if wrong else label


def hollow_where_flagged(ax, rows, x, y, look):
    """Draw hollow markers over those of flagged runs and of wrong answers."""
    flagged, (colour, marker) = rows[(rows["flags"] != "") | (rows["status"] != select.SOUND)], look
    size = 11 if marker == "*" else 8  # a star has little inside
    ax.plot(flagged[x], flagged[y], marker, color=colour, mfc="white", ms=size, mew=1.5, zorder=3)


def _mark_above(ax, x, text, colour):
    """Write above the top edge and above earlier marks at the same place."""
    below = sum(mark.xy[0] == x for mark in ax.texts)
    place = {"ha": "left", "va": "bottom", "rotation": 25, "rotation_mode": "anchor", "fontsize": 10.5, "color": colour}
    ax.annotate(text, (x, 1.01), (0, 14 * below), ax.get_xaxis_transform(), "offset points", **place)


def printed_points(ax, published, table, x):
    """Draw a paper's numbers over the column `x` as diamonds, each labelled with its algorithm."""
    places = table.groupby("graph")[x].max().dropna()
    then = published[published["graph"].isin(places.index) & published["algorithm"].isin(table["algorithm"])]
    for device, rows in then.drop_duplicates(["graph", "algorithm", "value"]).groupby("device"):
        positions = rows["graph"].map(places)
        looks = {"color": style.PUBLISHED, "mfc": "none", "ms": 9, "mew": 1.8, "ls": "", "zorder": 4}
        ax.plot(positions, rows["value"], "D", label=f"the paper: {device}", **looks)
        for position, row in zip(positions, rows.to_dict("records"), strict=True):
            inwards = (9, "left") if position < (places.min() * places.max()) ** 0.5 else (-9, "right")
            _label_beside(ax, f"{style.short_name(row['algorithm'])} then", (position, row["value"]), *inwards)


def _label_beside(ax, text, point, offset, side):
    looks = {"ha": side, "va": "bottom", "fontsize": 11, "color": style.PUBLISHED}
    ax.annotate(text, point, (offset, 1), textcoords="offset points", **looks)


def log_log(ax, x_wording, x_label, y_label="median time of a solve"):
    style.log_axis(ax.xaxis, x_wording)
    style.log_axis(ax.yaxis, style.duration)
    ax.set_xlabel(x_label)
    ax.set_ylabel(y_label)


def time_by_graph(title, panels, published=None, ranges=None):
    """Draw a whole picture of time by graph and algorithm; `panels` are rows of the summary by the panel's title.

    `ranges` are printed ranges of times, by label and then by graph.
    """
    import matplotlib.pyplot as plt

    panels = {name: select.best(rows) for name, rows in panels.items()}
    panels = {name: rows for name, rows in panels.items() if len(select.sound(rows))}
    if not panels:
        raise Nothing("no run of these algorithms on these graphs has a right answer yet")
    table = pd.concat(panels.values())
    figure, axes = dot_panels(plt, panels, style.duration, printed=Printed(published, ranges or {}))
    for ax in axes:
        ax.set_xlabel("median time of a solve")
    note_flags(figure, table)
    style.heading(figure, title, table)
    return Picture(figure, table[TIME_COLUMNS], fastest(table))


def fastest(table):
    """The fastest algorithm of each problem: by graph where graphs are few, else with the number of its graphs."""
    if select.emulated(table):
        return UNRANKED
    sentences = []
    for problem, rows in select.sound(table).groupby("problem", sort=False):
        winners = rows.sort_values("median_ms").drop_duplicates("graph")
        wording = _names if len(winners) <= FEW else _counts
        sentences.append(f"Fastest {problem.upper()}: {wording(winners)}.")
    return " ".join(sentences)


def _names(winners):
    return ", ".join(
        f"{row.algorithm} on {row.graph} ({style.duration(row.median_ms)})" for row in winners.itertuples()
    )


def _counts(winners):
    counts = winners["algorithm"].value_counts()
    return ", ".join(f"{name} on {count} of {len(winners)} graphs" for name, count in counts.items())


def note_flags(figure, table):
    """Explain hollow markers under the figure, if there are any."""
    reasons = {
        "the run was flagged (throttled, noisy, shortened or outdated)": (table["flags"] != "").any(),
        "its answer is wrong": (table["status"] == "wrong").any(),
    }
    reasons = [reason for reason, is_there in reasons.items() if is_there]
    if reasons:
        note(figure, f"hollow marker: {', or '.join(reasons)}")


def note(figure, text):
    """Write a remark under the figure."""
    figure.text(0.005, -0.12 / figure.get_figheight(), text, ha="left", va="top", fontsize=11.5, color=style.MUTED)
