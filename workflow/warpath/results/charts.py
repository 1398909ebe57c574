"""Charts that several figures share: rows of dots by graph, lines over a size, tables, and remarks under a figure."""

import itertools
import math
import operator
import textwrap
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib import patheffects, transforms
from matplotlib import pyplot as plt

from warpath.results import select, style
from warpath.results.figures import Nothing, Picture
from warpath.runs import statuses

LINE = 0.21  # inches of a row of dots
STRIP = 0.42  # inches of a row that summarises many graphs
MANY = 12  # graphs; a panel of more has a row per algorithm in place of one per algorithm and graph
STATUS_ROOM = 0.16  # share of the axis, at its right end, for values and statuses
MARK_LINE = 0.075  # share of the height of an axes that a line of marks of runs without a time takes
LABEL_GAP = 0.062  # least distance of the labels of two lines, as a share of the height
LONG = 26  # letters of a text that are smaller
FEW = 3  # up to so many graphs, the fastest algorithm of each is named
NAMED = 4  # algorithms that a finding names
UNRANKED = "The kernels ran in CPU emulation: the order of these times says nothing about a GPU."
RANGES = (style.PUBLISHED, style.BLUE)  # colours of printed ranges
MEDIAN = tuple(select.INTERVAL)
SPEEDUP = ("speedup", "speedup_low", "speedup_high")
OVER_BEST = ("over_best", "over_best_low", "over_best_high")
TIME_COLUMNS = [
    *["problem", "graph", "stand_in_for", "vertices", "arcs", "algorithm", "launch", "device_label", "device_name"],
    *["status", *MEDIAN, "samples", "flags"],
]


class Measure(NamedTuple):
    """What dots show: the columns of the number and its interval, how it is written, and the label of the axis."""

    columns: tuple
    wording: Any
    label: str
    least_is_best: bool = True


TIME = Measure(MEDIAN, style.duration, "median time of a solve")
RELATIVE = Measure(OVER_BEST, style.factor, "median time over that of the fastest on the same graph")


def by_problem(table):
    """The rows of each problem by its title."""
    return {problem.upper(): rows for problem, rows in table.groupby("problem", sort=False)}


def panels(heights, heading=0):
    """Make a figure of panels below each other, each of so many inches and one more `heading`."""
    size = style.WIDTH, sum(heights) + heading * len(heights)
    figure, axes = plt.subplots(len(heights), 1, figsize=size, height_ratios=heights, squeeze=False)
    return figure, list(axes.flat)


def picture(figure, title, table, reading, columns=None, runs=None, timed=True):
    """Finish the picture of a table: explain its flags, and head it with what `reading` finds in the table.

    Under the finding are the title, or the first line of a docstring, and the devices of `runs`, which are those of the
    table if not given. Times of an emulation have no finding. The data beside the picture are these columns.
    """
    runs = table if runs is None else runs
    if "flags" in table:  # explain half-filled and hollow markers
        flags = set(" ".join(table["flags"]).split())
        hollow = sorted(flags - {statuses.SHORTENED})
        hollow += ["wrong answer"] if (table["status"] == "wrong").any() else []
        reasons = ["◐ shortened: fewer repetitions, for want of time"] if statuses.SHORTENED in flags else []
        reasons += [f"○ {' or '.join(hollow)}"] if hollow else []
        if reasons:
            note(figure, "     ".join(reasons))
    unranked = timed and select.emulated(runs)
    finding = UNRANKED if unranked else reading(table)
    style.heading(figure, title, runs, "" if unranked else finding)
    return Picture(figure, table if columns is None else table[columns], finding)


def dot_panels(tables, measures, mark=None, published=None, ranges=None):
    """Draw a panel per title in `tables`: a row for each graph and algorithm, with a dot, its interval and its value.

    A table may have a column `series` that splits its algorithms. A panel of more than MANY graphs has a row for each
    algorithm, with a small dot per graph, the median and the extremes. A run that is not ok has its status beside the
    dot, or at the right edge. `measures` is a Measure, or one per title; `mark` is a vertical line. Hollow diamonds are
    `published` numbers of the same graph and algorithm; printed `ranges`, by label and then by graph, are shaded.
    """
    measures = dict.fromkeys(tables, measures) if isinstance(measures, Measure) else measures
    tables = {
        title: table if "series" in table else table.assign(series=table["algorithm"].map(style.plain_name))
        for title, table in tables.items()
    }
    figure, axes = panels([_height(table) for table in tables.values()], heading=0.75)
    for ax, (title, table) in zip(axes, tables.items(), strict=True):
        many = _summarised(table)
        if many:
            _strips(ax, table, measures[title])
        else:
            _rows(ax, table, measures[title], published, ranges or {})
        if mark is not None:
            ax.update_datalim([(mark, 0)])
            ax.axvline(mark, color=style.INK, lw=1.2, zorder=1)
        style.log_axis(ax.xaxis, measures[title].wording, room=0 if many else STATUS_ROOM)
        ax.set_xlabel(measures[title].label)
        ax.set_title(f"{title}, {table['graph'].nunique()} graphs" if many else title, y=1)
    table = pd.concat(tables.values())
    legend_of_kinds(axes[0], table["device"], more=_legend_of_printed(axes[0], table, published, ranges or {}))
    return figure


def _summarised(table):
    return table["graph"].nunique() > MANY


def _height(table):
    """Inches that the rows of a panel need."""
    if _summarised(table):
        return max(STRIP * table["series"].nunique(), 0.8)
    single = table["series"].nunique() == 1
    return max(LINE * sum(_band_lines(rows, single) for _, rows in table.groupby("graph")), 0.8)


def _band_lines(rows, single):
    """Lines of a graph's band: one with its name and one for each dot, or a `single` line."""
    return 1.3 if single else len(rows) + 1


def _rows(ax, table, measure, published, ranges):
    top, names, headings, drawn = 0, {}, {}, []
    single = table["series"].nunique() == 1
    for index, (graph, rows) in enumerate(_bands(table)):
        lines = _band_lines(rows, single)
        arcs = [row["arcs"] for row in rows if pd.notna(row["arcs"])]
        heading = f"{graph} · {f'{style.count(max(arcs))} arcs' if arcs else 'size unknown'}"
        if not single:
            headings[top + 0.5] = heading
        best = None if single else _best(rows, measure)
        for place, row in enumerate(rows):
            height = top + (lines / 2 if single else place + 1.4)
            names[height] = heading if single else row["series"]
            _value(ax, height, row, measure, bold=place == best)
            for value in _printed(published, row["algorithm"], select.subject(row))["value"]:
                ax.plot(value, height, "D", color=style.PUBLISHED, mfc="none", ms=9, mew=1.8, zorder=4)
            drawn.append((height, row))
        for colour, graphs in zip(RANGES, ranges.values(), strict=False):
            if ends := graphs.get(select.subject(rows[0])):
                ax.fill_betweenx((top, top + lines), *ends, color=colour, alpha=0.22, lw=0, zorder=1)
        if index % 2 == 0:
            ax.axhspan(top, top + lines, color=style.BAND, zorder=0)
        top += lines
    _dots(ax, [(height, row) for height, row in drawn if _is_timed(row, measure)], measure)
    style.name_rows(ax, names, fontsize=11)
    style.name_rows(ax, headings, fontsize=11, weight="bold")
    ax.set_ylim(top, 0)


def _bands(table):
    """Each graph with its rows as dicts: graphs by size, algorithms in the same order everywhere."""
    sizes = table.groupby("graph")["arcs"].min().astype("float64").fillna(math.inf)

    def place(row):
        return sizes[row["graph"]], row["graph"], _rank(row["algorithm"]), _rank(row["series"])

    rows = itertools.groupby(sorted(table.to_dict("records"), key=place), key=operator.itemgetter("graph"))
    return [(graph, list(rows)) for graph, rows in rows]


def _rank(algorithm):
    """Sort key: our kernels, then libraries, then sequential baselines."""
    return ("/cpu_" in algorithm, "/peer_" in algorithm, algorithm)


def _best(rows, measure):
    """The place of the best sound row, or None where emulation is not ranked."""
    values = [(row[measure.columns[0]], place) for place, row in enumerate(rows) if row["status"] == select.SOUND]
    values = [(value if measure.least_is_best else -value, place) for value, place in values if pd.notna(value)]
    return min(values)[1] if values and not any(row["device"] == "host" for row in rows) else None


def _is_timed(row, measure):
    return row["status"] in select.TIMED and pd.notna(row[measure.columns[0]])


def _value(ax, height, row, measure, bold):
    """Write the value right of its interval, and how the run ended; without a value at the right edge."""
    middle, _, high = (row[column] for column in measure.columns)
    ending = "" if row["status"] == select.SOUND else f"✕ {style.ending(row)}"
    if not _is_timed(row, measure):
        looks = {"color": style.KINDS[row["device"]], "ha": "right", "va": "center", "fontsize": 11}
        ax.text(0.995, height, ending or "no value", transform=ax.get_yaxis_transform(), **looks)
        return
    right = ax.transData + transforms.ScaledTranslation(7 / 72, 0, ax.figure.dpi_scale_trans)
    looks = {"va": "center_baseline", "fontsize": 10.5, "weight": "bold" if bold else "normal", "zorder": 5}
    ax.text(high, height, f"{measure.wording(middle)} {ending}".strip(), transform=right, label="cell", **looks)


def _dots(ax, drawn, measure):
    """Draw the dots and intervals of rows at their heights, as few artists."""
    middle, low, high = measure.columns
    heights = [height for height, _ in drawn]
    colours = [style.KINDS[row["device"]] for _, row in drawn]
    ax.hlines(heights, *([row[end] for _, row in drawn] for end in (low, high)), color=colours, lw=2, zorder=2)
    points = [(row[middle], height, row, colour) for (height, row), colour in zip(drawn, colours, strict=True)]
    _filled(ax, points, "o", ms=7, mew=1.4)


def _filled(ax, points, marker, **looks):
    """Draw a marker at each of `points`, (x, y, row, colour), filled by the row's flags; those alike are one artist."""
    alike = {}
    for x, y, row, colour in points:
        alike.setdefault((("color", colour), *filling(row, colour).items()), []).append((x, y))
    for filled, places in alike.items():
        ax.plot(*zip(*places, strict=True), marker, ls="", zorder=3, **looks, **dict(filled))


def filling(row, colour):
    """How a marker is filled: half if the run was shortened, not at all if it has another flag or is wrong."""
    flags = set(row["flags"].split())
    if row["status"] != select.SOUND or flags - {statuses.SHORTENED}:
        return {"mfc": style.PAPER}
    if flags:
        return {"fillstyle": "left", "mfc": colour, "markerfacecoloralt": style.PAPER}
    return {"mfc": colour}


def legend_of_kinds(ax, devices, marker="o", height=1, more=()):
    """Name the colour of each kind of device, and `more`, at this height above the axes."""
    handles = [
        ax.plot([], [], marker, color=colour, label=style.SHORT_DEVICES[device], ls="", ms=7)[0]
        for device, colour in style.KINDS.items()
        if device in set(devices)
    ]
    handles += more
    place = {"loc": "lower right", "bbox_to_anchor": (1, height), "borderaxespad": 0.2, "frameon": False}
    ax.legend(handles=handles, ncols=len(handles), columnspacing=1.2, handletextpad=0.2, fontsize=11, **place)


def _legend_of_printed(ax, table, published, ranges):
    """An entry for the devices of the diamonds, and one for each label of printed ranges."""
    handles = []
    pairs = {(row["algorithm"], select.subject(row)) for row in table.to_dict("records")}
    devices = sorted({device for pair in pairs for device in _printed(published, *pair)["device"]})
    if devices:
        label = f"in the paper: {', '.join(devices)}"
        handles += ax.plot([], [], "D", color=style.PUBLISHED, mfc="none", mew=1.8, ls="", label=label)
    for colour, (label, graphs) in zip(RANGES, ranges.items(), strict=False):
        if graphs:
            handles.append(ax.fill_betweenx([], [], [], color=colour, alpha=0.22, lw=0, label=label))
    return handles


def _printed(published, algorithm, graph):
    if published is None:
        return {"value": [], "device": []}
    return published[(published["algorithm"] == algorithm) & (published["graph"] == graph)]


def _strips(ax, table, measure):
    """Draw a row per series over all graphs."""
    middle, low, high = measure.columns
    timed = select.sound(table).dropna(subset=[middle])
    order = timed.groupby("series")[middle].median().sort_values(ascending=measure.least_is_best).index
    names = [*order, *(name for name in table["series"].unique() if name not in order)]
    for place, name in enumerate(names):
        rows, height = timed[timed["series"] == name].sort_values(middle), place + 0.5
        if len(rows):
            colour = style.KINDS[rows["device"].iloc[0]]
            ax.hlines([height] * len(rows), rows[low], rows[high], color=colour, lw=1.5, alpha=0.5)
            points = [(row[middle], height, row, colour) for row in rows.to_dict("records")]
            _filled(ax, points, "o", ms=5.5, mew=1)
            ax.plot(rows[middle].median(), height, "|", color=style.INK, ms=17, mew=2.5, zorder=4)
        _strip_text(ax, height, rows, table[table["series"] == name], measure)
        if place % 2 == 0:
            ax.axhspan(place, place + 1, color=style.BAND, zorder=0)
    style.name_rows(ax, style.middles(names))
    ax.set_ylim(len(names), 0)


def _strip_text(ax, height, rows, planned, measure):
    """Write the median and the extremes right of the axes, and how many graphs have no number."""
    unsound = planned.loc[~planned["graph"].isin(rows["graph"]), "status"].value_counts()
    lines = [", ".join(f"✕ {count} {statuses.WORDS[status]}" for status, count in unsound.items())]
    if len(rows):
        values = rows[measure.columns[0]]
        ends = [f"{measure.wording(values.iloc[end])} {rows['graph'].iloc[end]}" for end in (0, -1)]
        lines[0] = ", ".join(filter(None, [f"median {measure.wording(values.median())}", lines[0]]))
        lines.append(" … ".join(dict.fromkeys(ends)))
    place = {"va": "center", "fontsize": 10, "color": style.INK, "linespacing": 1.25}
    ax.annotate("\n".join(lines), (1, height), (6, 0), ax.get_yaxis_transform(), "offset points", **place)


def lines(ax, table, x):
    """Draw a line per algorithm over the column `x`."""
    for algorithm, rows in table.groupby("algorithm", sort=False):
        label = style.algorithm_label(algorithm, rows["device"].iloc[0])
        line(ax, rows, x, label, style.look(algorithm))


def line(ax, rows, x, label, look, ls="-"):
    """Draw median times with their intervals over the column `x`; markers of weak or wrong runs are not filled.

    Runs without a time are marked under the top edge; if there is no other, the label alone gives the statuses.
    """
    rows = rows.sort_values(x)
    timed = select.timed(rows)
    others = rows[~rows.index.isin(timed.index)]
    colour, _ = look
    name = label.split(" (")[0]
    ax.plot(timed[x], timed["median_ms"], label=_outcomes(label, rows), color=colour, ls=ls, lw=2)
    ax.vlines(timed[x], timed["low_ms"], timed["high_ms"], color=colour, lw=2)
    markers(ax, timed, x, "median_ms", look)
    for _, ended in others.dropna(subset=[x]).groupby("status", sort=False) if len(timed) else []:
        above = _marked_lines(ax)  # each set of marks has a line of its own, for which `log_log` makes room
        looks = {"va": "top", "fontsize": 11, "color": colour, "gid": "ending", "zorder": 5, "ha": "left"}
        for index, place in enumerate(sorted(ended[x])):
            words = "✕" if index else f"✕ {name} {style.ending(ended.iloc[0])}"
            ax.annotate(words, (place, 0.985), (-4, -16 * above), ax.get_xaxis_transform(), "offset points", **looks)
        ax.update_datalim([(place, timed["median_ms"].median()) for place in ended[x]])


def _outcomes(label, rows):
    """The label of a line, with its statuses if none of its runs is ok, or the number of its wrong answers."""
    wrong = (rows["status"] == "wrong").sum()
    if select.sound(rows).empty:
        return f"{label}: {', '.join(statuses.WORDS[status] for status in rows['status'].unique())}"
    return f"{label}: {wrong} of {len(rows)} wrong" if wrong else label


def markers(ax, rows, x, y, look):
    """Draw the marker of every run, filled by its flags."""
    colour, marker = look
    size = 11 if marker == "*" else 8  # a star has little inside
    _filled(ax, [(row[x], row[y], row, colour) for row in rows.to_dict("records")], marker, ms=size, mew=1.5)


def _marked_lines(ax):
    return len({mark.xyann for mark in ax.texts if mark.get_gid() == "ending"})


def legend(ax):
    """Name each line at its right end, in its colour; what has no point is named below the others.

    Call it when the limits of the axes are set.
    """
    named = zip(*ax.get_legend_handles_labels(), strict=True)
    entries = [(*_end(ax, handle), label, handle) for handle, label in named]
    entries.sort(key=operator.itemgetter(1), reverse=True)
    heights = _spread([y for _, y, *_ in entries])
    for (x, y, label, handle), height in zip(entries, heights, strict=True):
        sign = "◇ " if handle.get_linestyle() == "None" else ""
        colour = handle.get_color()
        leader = {"color": colour, "lw": 0.8, "alpha": 0.6, "transform": ax.transAxes, "clip_on": False}
        ax.plot([x + 0.008, 1.024], [y, height], **leader)
        looks = {"transform": ax.transAxes, "color": colour, "fontsize": 11, "va": "center", "gid": "label"}
        ax.text(1.03, height, sign + label, **looks)


def key(ax, handles):
    """List lines that end too close together to be named there, right of the axes, in the given order."""
    place = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.02), "borderaxespad": 0, "frameon": False}
    ax.legend(handles=handles, handlelength=1.6, handletextpad=0.5, labelspacing=0.3, fontsize=11, **place)


def _end(ax, handle):
    """The last point of a line, as shares of the axes."""
    points = handle.get_xydata()
    points = points[~np.isnan(points).any(axis=1)]
    if not len(points):
        return 1.0, 0.0
    return tuple(ax.transAxes.inverted().transform(ax.transData.transform(max(map(tuple, points)))))


def _spread(heights):
    """Descending heights moved apart by LABEL_GAP at least, as little as that takes, none below the axes."""
    steps = LABEL_GAP * np.arange(len(heights))
    lowered = np.minimum.accumulate(np.minimum(heights, 0.98) + steps) - steps
    return np.maximum(lowered, steps[::-1])


def printed_points(ax, published, table, x):
    """Draw a paper's numbers over the column `x` as diamonds, each labelled with its algorithm."""
    places = table.groupby("graph")[x].max().dropna()
    then = published[published["graph"].isin(places.index) & published["algorithm"].isin(table["algorithm"])]
    for device, rows in then.drop_duplicates(["graph", "algorithm", "value"]).groupby("device"):
        positions = rows["graph"].map(places)
        looks = {"color": style.PUBLISHED, "mfc": "none", "ms": 9, "mew": 1.8, "ls": "", "zorder": 4}
        ax.plot(positions, rows["value"], "D", label=f"the paper: {device}", **looks)
        for position, row in zip(positions, rows.to_dict("records"), strict=True):
            inwards, side = (9, "left") if position < (places.min() * places.max()) ** 0.5 else (-9, "right")
            halo = patheffects.withStroke(linewidth=3, foreground=style.PAPER)  # lines pass behind the words
            looks = {"fontsize": 11, "color": style.PUBLISHED, "path_effects": [halo], "zorder": 5}
            text = f"{style.short_name(row['algorithm'])} then"
            looks |= {"textcoords": "offset points", "ha": side, "va": "bottom"}
            ax.annotate(text, (position, row["value"]), (inwards, 1), **looks)


def log_log(ax, x_wording, x_label):
    """Make both axes of lines of times logarithmic, and name the lines."""
    style.log_axis(ax.xaxis, x_wording)
    style.log_axis(ax.yaxis, style.duration, room=MARK_LINE * _marked_lines(ax))
    ax.set_xlabel(x_label)
    ax.set_ylabel(TIME.label)
    legend(ax)


def ratio_table(ax, ratios, end, heads, names, **looks):
    """Colour the cells of a table by their ratios, on a scale to `end`; name its columns and rows."""
    limit = math.log(end)
    ax.pcolormesh(np.log(ratios), cmap=style.ratios(), vmin=-limit, vmax=limit, edgecolor=style.PAPER, lw=2, zorder=0)
    style.as_table(ax, heads, names, **looks)


def text_table(ax, rows, heads, names, size, widths=None):
    """Write a table of texts: numbers to the right, and to the left what is in columns wider than 1."""
    widths = widths or [1] * len(heads)
    starts = [0, *itertools.accumulate(widths)]
    for y, row in enumerate(rows):
        for text, start, width in zip(row, starts, widths, strict=False):
            x, side = (start + 0.1, "left") if width > 1 else (start + width - 0.06, "right")
            letters = size - (0.5 if max(map(len, text.split("\n"))) <= LONG else 1.5)
            ax.text(x, y + 0.5, text, ha=side, va="center", fontsize=letters, in_layout=False)
        if y % 2 == 0:
            ax.axhspan(y, y + 1, color=style.BAND, zorder=0)
    middles = [start + width / 2 for start, width in zip(starts, widths, strict=False)]
    style.as_table(ax, dict(zip(middles, heads, strict=True)), names, size)
    ax.set_facecolor(style.PAPER)
    ax.set_xlim(0, starts[-1])


def time_by_graph(title, panels, published=None, ranges=None):
    """Draw a whole picture of time by graph and algorithm; `panels` are rows of the summary by the panel's title.

    `ranges` are printed ranges of times, by label and then by graph. Times of more than MANY graphs are shown over the
    fastest of each graph.
    """
    tables = {name: over_best(select.best(rows)) for name, rows in panels.items()}
    tables = {name: rows for name, rows in tables.items() if len(select.sound(rows))}
    if not tables:
        raise Nothing("no run of these algorithms on these graphs has a right answer yet")
    measures = {name: RELATIVE if _summarised(rows) else TIME for name, rows in tables.items()}
    figure = dot_panels(tables, measures, published=published, ranges=ranges)
    return picture(figure, title, pd.concat(tables.values()), fastest, TIME_COLUMNS)


def over_best(table):
    """The table with each time over that of the fastest algorithm on the same problem and graph."""
    best = select.sound(table).groupby(["problem", "graph"])["median_ms"].min().rename("_best")
    joined = table.join(best, on=["problem", "graph"])
    ratios = {name: joined[column] / joined["_best"] for name, column in zip(OVER_BEST, MEDIAN, strict=True)}
    return table.assign(**ratios)


def fastest(table):
    """The fastest algorithm of each problem: by graph where graphs are few, else with the number of its graphs.

    A graph on which one of them is still to be measured is left out.
    """
    sentences = []
    for problem, rows in table.groupby("problem", sort=False):
        unknown = rows.loc[rows["status"] == "missing", "graph"]
        winners = select.sound(rows[~rows["graph"].isin(unknown)]).sort_values("median_ms").drop_duplicates("graph")
        wording = _names if len(winners) <= FEW else _counts
        if len(winners):
            sentences.append(f"Fastest {problem.upper()}: {wording(winners)}.")
    return " ".join(sentences) or "On no graph all algorithms are measured yet."


def extremes(table, column, wording, least=False, who="algorithm"):
    """The row of each problem with the most or the least in a column, in words."""
    values = table.groupby("problem", sort=False)[column]
    rows = table.loc[values.idxmin() if least else values.idxmax()].to_dict("records")
    return "; ".join(f"{row['problem'].upper()} {wording(row[column])} ({row[who]} on {row['graph']})" for row in rows)


def _names(winners):
    rows = winners.itertuples()
    return ", ".join(f"{row.algorithm} on {row.graph} ({style.duration(row.median_ms)})" for row in rows)


def _counts(winners):
    counts = winners["algorithm"].value_counts()
    if len(counts) == 1:
        return f"{counts.index[0]} on all {len(winners)} graphs"
    listed = [f"{name} on {count} of {len(winners)} graphs" for name, count in counts.items()]
    rest = counts.iloc[NAMED:].sum()
    return ", ".join([*listed[:NAMED], *([f"others on {rest}"] if rest else [])])


def note(figure, text):
    """Write a remark under the figure, below earlier ones."""
    text = textwrap.fill(text, int(figure.get_figwidth() * 10.5), break_on_hyphens=False)
    earlier = sum(1 + remark.get_text().count("\n") for remark in figure.texts if remark.get_gid() == "note")
    height = -(0.12 + 0.21 * earlier) / figure.get_figheight()
    looks = {"ha": "left", "va": "top", "fontsize": 11.5, "color": style.MUTED, "gid": "note"}
    figure.text(0.005, height, text, **looks)
