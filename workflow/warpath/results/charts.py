"""Charts that several figures share: rows of dots, lines over a size, tables of coloured cells, and what heads them."""

import math
import textwrap
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import seaborn
from matplotlib import pyplot as plt
from matplotlib.colors import LogNorm

from warpath.results import columns, select, style
from warpath.results.figures import Nothing, Picture
from warpath.runs import statuses

LINE = 0.22  # inches of a row
MANY = 12  # graphs; a panel of more has a row per algorithm in place of one per algorithm and graph
LETTERS = 98  # of the finding, a figure's title, that fit into a line
UNRANKED = "The kernels ran in CPU emulation: the order of these times says nothing about a GPU."
RANGES = (style.PUBLISHED, style.BLUE)  # colours of printed ranges
MEDIAN = tuple(select.INTERVAL)
SPEEDUP = ("speedup", "speedup_low", "speedup_high")
OVER_BEST = ("over_best", "over_best_low", "over_best_high")
INTERVALS = {"estimator": "median", "errorbar": ("pi", 100)}  # of a value and its two ends, for seaborn
DIAMONDS = {"printed": "in the paper", "first_speedup": "our first search"}
KEPT = [  # columns of the summary that stand in the data beside a picture, with all that a figure computes
    *["problem", "graph", "stand_in_for", "vertices", "arcs", "algorithm", "launch", "device", "device_name", "status"],
    *["block", "grid", "coarsening", "order"],
    *[*MEDIAN, "samples", "flags", "prepare_ms", "first_ms", "energy_j", "power_w", "percent_of_limit", "memory_bytes"],
]
DROPPED = {column.name for column in columns.SUMMARY}.difference(KEPT)


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


def panels(heights, heading=0, **options):
    """Make a figure of panels below each other, each of so many inches and one more `heading`."""
    size = style.WIDTH, sum(heights) + heading * len(heights)
    figure, axes = plt.subplots(len(heights), 1, figsize=size, height_ratios=heights, squeeze=False, **options)
    return figure, list(axes.flat)


def picture(figure, title, table, reading, runs=None, timed=True):
    """Finish the picture of a table: explain its flags, and head it with what `reading` finds in the table.

    Under the finding are the title, or the first line of a docstring, and the devices of `runs`, which are those of the
    table if not given. Times of an emulation have no finding.
    """
    runs = table if runs is None else runs
    if "flags" in table:
        flags = set(" ".join(table["flags"]).split())
        hollow = sorted(flags - {statuses.SHORTENED})
        hollow += ["wrong answer"] if (table["status"] == "wrong").any() else []
        reasons = ["◐ shortened: fewer repetitions, for want of time"] if statuses.SHORTENED in flags else []
        reasons += [f"○ {' or '.join(hollow)}"] if hollow else []
        note(figure, "     ".join(reasons))
    finding = UNRANKED if timed and select.emulated(runs) else reading(table)
    title = title.partition("\n")[0].rstrip(".")
    below = [*([] if finding is UNRANKED or not finding else [title]), style.devices(runs)]
    head(figure, title if len(below) == 1 else finding, below)
    return Picture(figure, table[[name for name in table if name not in DROPPED]], finding)


def head(figure, finding, below):
    """Write the finding above all, and under it what it is of. Saving with a margin around all makes room for them."""
    inch, letters = 1 / figure.get_figheight(), LETTERS * figure.get_figwidth() / style.WIDTH
    small = textwrap.fill(style.DOT.join(below), 1.45 * letters)
    figure.text(0.005, 1 + 0.12 * inch, small, va="bottom", fontsize=11, color=style.MUTED)
    looks = {"va": "bottom", "fontsize": 15, "weight": "bold", "linespacing": 1.15}
    above = 1 + (0.22 + 0.2 * (1 + small.count("\n"))) * inch
    figure.text(0.005, above, textwrap.fill(finding, letters), **looks)


def note(figure, text):
    """Write a remark under the figure, below earlier ones."""
    earlier = sum(1 + remark.get_text().count("\n") for remark in figure.texts if remark.get_gid() == "note")
    looks = {"va": "top", "fontsize": 11, "color": style.MUTED, "gid": "note" if text else None}
    letters = 1.4 * LETTERS * figure.get_figwidth() / style.WIDTH
    words = textwrap.fill(text, letters, break_on_hyphens=False)
    figure.text(0.005, -(0.12 + 0.21 * earlier) / figure.get_figheight(), words, **looks)


def key(ax):
    """Name the lines and points right of the axes."""
    if any(ax.get_legend_handles_labels()):
        ax.legend(loc="upper left", bbox_to_anchor=(1.005, 1.02), borderaxespad=0)


def holes(ax, rows, x, y, size=3.6):
    """Make the markers of flagged and wrong runs hollow, and those of shortened runs half so."""
    only = rows["flags"].str.strip() == statuses.SHORTENED
    hollow = (rows["status"] != select.SOUND) | (rows["flags"].str.strip() != "") & ~only
    looks = {"marker": "o", "ms": size, "ls": "", "mew": 0, "mfc": style.PAPER, "zorder": 4}
    ax.plot(rows.loc[hollow, x], rows.loc[hollow, y], **looks)
    half = rows[only & ~hollow]
    ax.plot(half[x], half[y], **looks, fillstyle="right", markerfacecoloralt="none")


def dots(tables, measures, marks=None, ranges=None, **options):
    """Draw a panel per title in `tables`: a row for each graph and algorithm, with a dot, its interval and its value.

    A column `series` may split algorithms; a column `row` names rows that stand without headings. A panel of more than
    MANY graphs has a row for each series, with a dot per graph and the median. Right of a row are its value, its
    launch, and how it ended. `measures` is a Measure, or one per title; `marks` are vertical lines and their names.
    Hollow diamonds are numbers in the columns DIAMONDS; printed `ranges`, by label and then by graph, are shaded.
    """
    measures = dict.fromkeys(tables, measures) if isinstance(measures, Measure) else measures
    placed = {title: _placed(table.reset_index(drop=True), measures[title]) for title, table in tables.items()}
    heights = [max(LINE * rows["y"].nunique(), 0.7) for rows in placed.values()]
    figure, axes = panels(heights, 0.8, **options)
    present = set().union(*(rows["device"] for rows in placed.values()))
    palette = {style.SHORT_DEVICES[device]: colour for device, colour in style.COLOURS.items() if device in present}
    for ax, (title, points) in zip(axes, placed.items(), strict=True):
        (middle, low, high), _, label, _ = measures[title]
        drawn = points[points["status"].isin(select.TIMED)].dropna(subset=[middle])
        ax.hlines(drawn["y"], drawn[low], drawn[high], color=drawn["device"].map(style.COLOURS), lw=2, alpha=0.6)
        hues = {"hue": drawn["device"].map(style.SHORT_DEVICES), "palette": palette, "hue_order": list(palette)}
        seaborn.scatterplot(drawn, x=middle, y="y", ax=ax, s=42, lw=0, zorder=3, **hues)
        ax.get_legend().remove()
        holes(ax, drawn, middle, "y")
        for place, (_, band) in enumerate(points.groupby("band")):
            ends = band["y"].min() - 0.5, band["y"].max() + 0.5
            ax.axhspan(*ends, color=style.PAPER if place % 2 else style.BAND, lw=0, zorder=0)
            for colour, (words, graphs) in zip(RANGES, (ranges or {}).items(), strict=False):
                if within := graphs.get(select.subject(band.iloc[0])):
                    ax.fill_betweenx(ends, *within, color=colour, alpha=0.22, lw=0, zorder=1, label=words)
        for column, words in DIAMONDS.items():
            if column in points and points[column].notna().any():
                looks = {"mec": style.PUBLISHED, "mfc": "none", "ms": 8, "mew": 1.8, "ls": "", "zorder": 4}
                ax.plot(points[column], points["y"], "D", label=words, **looks)
        if is_strip := drawn["y"].duplicated().any():
            medians = drawn.groupby("y")[middle].median()
            ax.plot(medians, medians.index, "|", color=style.INK, ms=15, mew=2.5, zorder=5)
        for mark, words in (marks or {}).items():
            ax.update_datalim([(mark, 0)])
            ax.axvline(mark, color=style.INK, lw=1.2, zorder=1, label=words)
        rows = points.drop_duplicates("y")
        weights = rows["bold"].map({True: "bold", False: "normal"})
        _names(ax, rows["y"], rows["name"], weights)
        _names(ax, rows["y"], rows["words"], weights, right=True)
        ax.set(ylim=(len(rows) - 0.5, -0.5), xlabel=label)
        ax.set_title(f"{title}, {tables[title]['graph'].nunique()} graphs" if is_strip else title)
    for ax, title in zip(axes, placed, strict=True):
        if options.get("sharex"):
            ax.update_datalim(np.concatenate([each.dataLim.get_points() for each in axes]), updatey=False)
        style.log_axis(ax.xaxis, measures[title].wording)
    handles = [handle for ax in axes for handle in (*ax.lines, *ax.collections) if handle.get_label()[0] != "_"]
    named, high = {handle.get_label(): handle for handle in handles}, axes[0].get_title(loc="left").count("\n")
    place = {"loc": "lower right", "bbox_to_anchor": (1.03, 1), "borderaxespad": 2 + 1.6 * high}  # above the title
    axes[0].legend(named.values(), named, ncols=len(named), columnspacing=1.2, **place)
    return figure


def _placed(table, measure):
    """The runs with the place `y` of their row, its name, its words and whether it is bold; its rows have a band each.

    Graphs are sorted by size, algorithms in the same order everywhere; of many graphs each series has one row.
    """
    if "series" not in table:
        table = table.assign(series=table["algorithm"].map(style.plain_name))
    if table["graph"].nunique() > MANY and table["series"].nunique() < table["graph"].nunique() and "row" not in table:
        return _strips(table, measure)
    size = table.groupby("graph")["arcs"].transform("min").astype(float).fillna(math.inf)
    sizes = size.map(lambda arcs: f" · {style.count(arcs)} arcs" if arcs < math.inf else " · size unknown")
    heads = table["graph"] + sizes
    rank = table["algorithm"].str.contains("/peer_") + 2 * table["algorithm"].str.contains("/cpu_")
    words = [_ended(run, measure) for run in table.to_dict("records")]
    single = table["series"].nunique() == 1 or "row" in table
    names = table.get("row", heads if single else table["series"])
    table = table.assign(size=size, rank=rank, name=names, words=words, bold=_leads(table, measure))
    headings = table.assign(name=heads, words="", bold=True, rank=-1, status="").drop_duplicates("graph")
    table = pd.concat([table] if single else [headings, table])
    table = table.sort_values(["size", "graph", "rank", "algorithm", "series"], ignore_index=True)
    return table.assign(y=table.index, band=table.index if single else (table["rank"] < 0).cumsum())


def _ended(run, measure):
    """What stands right of a row: its value, how it ended, its launch."""
    value = measure.wording(run[measure.columns[0]]) if run["status"] in select.TIMED else ""
    ending = "" if run["status"] == select.SOUND else f"✕ {style.ending(run)}"
    return " · ".join(filter(None, [f"{value} {ending}".strip(), style.launch(run)]))


def _leads(table, measure):
    """Which runs are the best on their graph, if the interval of no other reaches into theirs."""
    (middle, low, high), least = measure.columns, measure.least_is_best
    sound = select.sound(table).sort_values(middle, ascending=least)
    first = sound.drop_duplicates("graph")
    ends = sound["graph"].map(first.set_index("graph")[high if least else low])
    near = sound[low] <= ends if least else sound[high] >= ends
    alone = near.groupby(sound["graph"]).sum() == 1
    found = table.index.isin(first.index[first["graph"].map(alone)]) & table["graph"].duplicated(keep=False)
    return found & (not select.emulated(table))


def _strips(table, measure):
    """A row for each series of many graphs, with the median, the extremes, and how many ended how."""
    (middle, *_), wording = measure.columns, measure.wording
    sound = select.sound(table).dropna(subset=[middle]).sort_values(middle)
    medians = sound.groupby("series")[middle].median().sort_values(ascending=measure.least_is_best, kind="stable")
    order, words = list(dict.fromkeys([*medians.index, *table["series"]])), {}
    for series, runs in table.groupby("series"):
        mine = sound[sound["series"] == series]
        ends = mine.iloc[[0, -1] if len(mine) > 1 else []].to_dict("records")
        parts = [f"median of {len(mine)}: {wording(medians[series])}"] if len(mine) else []
        parts += [" … ".join(f"{wording(row[middle])} {row['graph']}" for row in ends)] if ends else []
        ended = runs.loc[~runs["graph"].isin(mine["graph"]), "status"].value_counts()
        words[series] = ", ".join(parts + [f"✕ {count} {statuses.WORDS[status]}" for status, count in ended.items()])
    unsound = table[~table["series"].isin(medians.index)].drop_duplicates("series").assign(status="")
    table = pd.concat([sound, unsound])
    table = table.assign(y=table["series"].map(order.index), name=table["series"], words=table["series"].map(words))
    return table.assign(bold=False, band=table["y"]).sort_values("y", kind="stable")


def time_by_graph(title, tables, ranges=None):
    """Draw a whole picture of time by graph and algorithm; `tables` are rows of the summary by the panel's title.

    Times of more than MANY graphs are shown over the fastest of each graph.
    """
    tables = {name: over_best(select.best(rows)) for name, rows in tables.items()}
    tables = {name: rows for name, rows in tables.items() if len(select.sound(rows))}
    if not tables:
        raise Nothing("no run of these algorithms on these graphs has a right answer yet")
    measures = {name: RELATIVE if rows["graph"].nunique() > MANY else TIME for name, rows in tables.items()}
    return picture(dots(tables, measures, ranges=ranges), title, pd.concat(tables.values()), fastest)


def with_printed(rows, published):
    """The rows with what a paper prints for the same graph, or for that which it stands in for, and algorithm."""
    values = published.groupby(["graph", "algorithm"])["value"].first()
    keys = [(select.subject(row), row["algorithm"]) for row in rows.to_dict("records")]
    return rows.assign(printed=values.reindex(keys).to_numpy())


def over_best(table):
    """The table with each time over that of the fastest algorithm on the same problem and graph."""
    best = table["median_ms"].where(table["status"] == select.SOUND).groupby([table["problem"], table["graph"]])
    over = {name: table[column] / best.transform("min") for name, column in zip(OVER_BEST, MEDIAN, strict=True)}
    return table.assign(**over)


def fastest(table):
    """The fastest algorithm of each problem with the number of its graphs; none where two have as many.

    A graph on which one of them is still to be measured is left out.
    """
    sentences = []
    for problem, rows in table.groupby("problem", sort=False):
        unknown = rows.loc[rows["status"] == "missing", "graph"]
        winners = select.sound(rows[~rows["graph"].isin(unknown)]).sort_values("median_ms").drop_duplicates("graph")
        counts = winners["algorithm"].map(style.plain_name).value_counts()
        if len(counts):
            sentences.append(f"{problem.upper()}: {most(counts)}.")
    return " ".join(sentences) or "On no graph all algorithms are measured yet."


def most(counts):
    """Who is fastest on most graphs, in words, given the number of graphs of each in descending order."""
    total, (first, *others) = counts.sum(), [f"{name} on {count}" for name, count in counts.head(4).items()]
    if not others:
        return f"{counts.index[0]} is fastest on {style.all_of(total, 'graph')}"
    if counts.iloc[0] == counts.iloc[1]:
        return f"no overall winner ({', '.join([first, *others])} of {total} graphs)"
    return f"{counts.index[0]} is fastest on {counts.iloc[0]} of {total} graphs ({', '.join(others)})"


def extremes(table, column, wording, least=False, who="algorithm"):
    """The row of each problem with the most or the least in a column, in words."""
    values = table.groupby("problem", sort=False)[column]
    rows = table.loc[values.idxmin() if least else values.idxmax()].to_dict("records")
    return "; ".join(f"{row['problem'].upper()} {wording(row[column])} ({row[who]} on {row['graph']})" for row in rows)


def lines(ax, table, x, wording, label, columns=MEDIAN):
    """Draw a line for each series of the table, with intervals; `series` names it, `dashes` is its style.

    Series are listed from above at the right end. Runs without a time are named in the legend, with their places.
    """
    names, ends, looks = {}, {}, {"palette": {}, "markers": {}, "dashes": {}}
    for series, rows in table.groupby("series", sort=False):
        words = series
        for _, ended in rows[rows["status"] != select.SOUND].groupby("status", sort=False):
            places = f" at {', '.join(map(wording, ended[x].dropna().sort_values()))}" if len(ended) < len(rows) else ""
            words += f"\n✕ {style.ending(ended.iloc[0])}{places}"
        first, names[series] = rows.iloc[0], words
        looks["palette"][words], looks["markers"][words] = first.get("look") or style.look(first["algorithm"])
        looks["dashes"][words] = first.get("dashes", "")
        ends[words] = select.timed(rows).sort_values(x)[columns[0]].dropna().tail(1).sum()
    timed = select.timed(table).dropna(subset=columns[:1])
    values = timed.assign(series=timed["series"].map(names)).melt([x, "series"], list(columns), value_name="time")
    order = sorted(ends, key=ends.get, reverse=True)
    looks |= {"hue_order": order, "style_order": order, "err_style": "bars", "lw": 2, "ms": 8, "mec": style.PAPER}
    if len(values):
        seaborn.lineplot(values, x=x, y="time", hue="series", style="series", ax=ax, **INTERVALS, **looks)
    holes(ax, timed, x, columns[0])
    style.log_axis(ax.xaxis, wording)
    style.log_axis(ax.yaxis, style.duration if columns is MEDIAN else style.factor)
    ax.set(xlabel=label, ylabel=TIME.label)
    key(ax)


def then(ax, published, places, table):
    """Draw a paper's numbers, hollow and dotted in the colours of the table's algorithms, at the places of graphs."""
    known = published[published["graph"].isin(places.index) & published["algorithm"].isin(table["algorithm"])]
    known = known.drop_duplicates(["graph", "algorithm", "value", "device"])
    for (device, algorithm), rows in known.groupby(["device", "algorithm"]):
        colour, marker = style.look(algorithm)
        looks = {"color": colour, "marker": marker, "mfc": style.PAPER, "ms": 7, "ls": ":"}
        label = f"{style.short_name(algorithm)}, the paper: {device.removeprefix('NVIDIA ')}"
        ax.plot(rows["graph"].map(places), rows["value"], label=label, **looks)


def labelled(table):
    """The table with a series for each algorithm, named with its device."""
    pairs = zip(table["algorithm"], table["device"], strict=True)
    return table.assign(series=[style.algorithm_label(*pair) for pair in pairs])


def known(value, wording):
    """The value in words, or a dash."""
    return "–" if pd.isna(value) else wording(value)


def ratio(row):
    """A speed-up in words, with ≈ where its interval has 1 in it, and the sign of weak runs."""
    tie = "≈ " if row["speedup_low"] <= 1 <= row["speedup_high"] else ""
    return f"{tie}{style.factor(row['speedup'])} {statuses.weakness(row['flags'])}".strip()


def matrix(ax, cells, rows, columns, end, title="", turned=False):
    """Draw `cells`, each with a row, a column, words and a value; `rows` may map these to their names.

    They are coloured by their values, on a logarithmic scale from 1/end to end, in an ink that stands out. What follows
    a line break is smaller. A row without cells is a heading; names of columns may be `turned`.
    """
    words, values = (
        cells.pivot(index="row", columns="column", values=name).reindex(index=list(rows), columns=columns)
        for name in ("words", "value")
    )
    cmap, norm, size = style.ratios(), LogNorm(1 / end, end, clip=True), 10 if len(columns) <= MANY else 9.5
    ax.figure.set_visible(False)  # heatmap would draw all of it, to see whether labels overlap
    looks = {"linewidths": 1, "linecolor": style.PAPER, "xticklabels": False, "yticklabels": False, "clip_on": False}
    seaborn.heatmap(values.astype(float), cmap=cmap, norm=norm, vmin=1 / end, vmax=end, cbar=False, ax=ax, **looks)
    ax.figure.set_visible(True)
    for (y, x), text in np.ndenumerate(words.fillna("").to_numpy()):
        value = values.iat[y, x]
        _write(ax, x + 0.5, y, text, size, style.INK if np.isnan(value) else style.ink(cmap(norm(value))))
    headings = [row not in set(cells["row"]) for row in rows]
    for y in np.flatnonzero(headings):
        ax.axhspan(y, y + 1, color=style.PAPER, lw=0)
    names, weights = rows.values() if isinstance(rows, dict) else rows, np.where(headings, "bold", "normal")
    _names(ax, np.arange(len(rows)) + 0.5, names, weights, size=size)
    _heads(ax, np.arange(len(columns)) + 0.5, columns, title, size, turned)
    ax.set_facecolor(style.EMPTY)


def table(ax, words, widths=None):
    """Write a table of words, with the names of its columns above them and those of its rows on their left."""
    ends = np.cumsum([0, *(widths or [1] * len(words.columns))])
    middles = (ends[:-1] + ends[1:]) / 2
    for y, row in enumerate(words.to_numpy()):
        ax.axhspan(y, y + 1, color=style.BAND if y % 2 == 0 else style.PAPER, lw=0, zorder=0)
        for x, text in zip(middles, row, strict=True):
            _write(ax, x, y, text if isinstance(text, str) and text.strip() else "–", 10.5)
    ax.set(xlim=(0, ends[-1]), ylim=(len(words), 0))
    _names(ax, np.arange(len(words)) + 0.5, words.index, ["normal"] * len(words))
    _heads(ax, middles, words.columns)


def _write(ax, x, y, text, size, colour=style.INK):
    """Write the lines of a cell, the first one larger than the others."""
    lines = text.split("\n")
    looks = {"ha": "center", "va": "center_baseline", "color": colour, "label": "cell", "in_layout": False}
    for place, line in enumerate(lines):
        middle = y + 0.5 + (place - (len(lines) - 1) / 2) * 0.8 / len(lines)
        ax.text(x, middle, line, fontsize=size - 2 * (place > 0), **looks)


def _heads(ax, middles, columns, title="", size=10.5, turned=False):
    """Name the columns of a table above it."""
    ax.xaxis.set_visible(False)
    place, vertical, horizontal = ax.get_xaxis_text2_transform(4)
    looks = {"rotation": 35, "ha": "left", "rotation_mode": "anchor"} if turned else {"ha": horizontal}
    for x, text in zip(middles, columns, strict=True):
        ax.text(x, 1, text, transform=place, va=vertical, fontsize=size, label="column", **looks)
    ax.set_title(title, pad=8 + 1.3 * size * (1 + max(text.count("\n") for text in columns)))


def _names(ax, heights, texts, weights, right=False, size=10.5):
    """Write the names of rows, or what stands on their right; labels of ticks would take several times as long."""
    ax.yaxis.set_visible(False)
    place, _, horizontal = ax.get_yaxis_text2_transform(6) if right else ax.get_yaxis_text1_transform(6)
    for y, text, weight in zip(heights, texts, weights, strict=True):
        looks = {"transform": place, "va": "center", "ha": horizontal, "fontsize": size, "weight": weight}
        ax.text(int(right), y, text, label="value" if right else "row", **looks)
