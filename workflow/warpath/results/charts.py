"""Charts that several figures share: rows of dots, lines over a size, coloured cells, and what heads them."""

import math
import textwrap
from collections import namedtuple
from itertools import pairwise

import numpy as np
import pandas as pd
import seaborn
from matplotlib import pyplot as plt
from matplotlib.colors import LogNorm

from warpath.results import columns, select, shapes, style
from warpath.results.figures import Nothing, Picture
from warpath.runs import statuses

LINE = 0.22  # inches of a row
MANY = 12  # graphs; of more, a row of dots stands for an algorithm and not for a run
LETTERS = 98  # of the finding, a figure's title, that fit into a line
UNRANKED = "The kernels ran in CPU emulation: the order of these times says nothing about a GPU."
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


# What dots show: the columns of a number and its interval, how it is written, the label of the axis, and which is best.
Measure = namedtuple("Measure", "columns wording label least_is_best", defaults=[True])
TIME = Measure(MEDIAN, style.duration, "median time of a solve")
RELATIVE = Measure(OVER_BEST, style.factor, "median time over that of the fastest on the same graph")


def by_problem(table):
    """The rows of each problem by its title."""
    return {problem.upper(): rows for problem, rows in table.groupby("problem", sort=False)}


def panels(heights, heading=0, **options):
    """Make a figure of panels below each other, each of so many inches and one more `heading`."""
    size = {"figsize": (style.WIDTH, sum(heights) + heading * len(heights)), "height_ratios": heights}
    figure, axes = plt.subplots(len(heights), 1, **size, squeeze=False, layout="constrained", **options)
    return figure, list(axes.flat)


def picture(figure, title, table, reading, runs=None, timed=True, notes=()):
    """Finish the picture of a table: head it with what `reading` finds in it, and explain its flags below.

    Under the finding are the title, or the first line of a docstring, and the devices of `runs`, which are those of the
    table if not given. Times of an emulation have no finding.
    """
    runs = table if runs is None else runs
    if "flags" in table:
        flags = set(" ".join(table["flags"]).split())
        hollow = [*sorted(flags - {statuses.SHORTENED}), *["wrong answer"] * bool((table["status"] == "wrong").any())]
        notes = [*notes, "◐ shortened: fewer repetitions, for want of time" * (statuses.SHORTENED in flags)]
        notes += [f"○ {' or '.join(hollow)}"] if hollow else []
    finding = UNRANKED if timed and select.emulated(runs) else reading(table)
    title = title.partition("\n")[0].rstrip(".")
    below = [*([] if finding is UNRANKED or not finding else [title]), style.devices(runs)]
    head(figure, title if len(below) == 1 else finding, below, notes)
    return Picture(figure, table[[name for name in table if name not in DROPPED]], finding)


def head(figure, finding, below, notes=()):
    """Write the finding above all, under it what it is of, and notes below the figure: saving makes room for them."""
    inch, letters = 1 / figure.get_figheight(), LETTERS * figure.get_figwidth() / style.WIDTH
    below, foot = (
        textwrap.fill(text, 1.4 * letters, break_on_hyphens=False)
        for text in (style.DOT.join(below), (5 * " ").join(filter(None, notes)))
    )
    muted, above = {"fontsize": 11, "color": style.MUTED}, 1 + (0.42 + 0.2 * below.count("\n")) * inch
    figure.text(0.005, 1 + 0.12 * inch, below, va="bottom", **muted)
    figure.text(0.005, -0.12 * inch, foot, va="top", **muted)
    figure.text(0.005, above, textwrap.fill(finding, letters), va="bottom", fontsize=15, weight="bold")


def key(ax):
    """Name the lines and points right of the axes; return the names."""
    return ax.legend(*ax.get_legend_handles_labels(), loc="upper left", bbox_to_anchor=(1, 1.02)).get_texts()


def holes(ax, rows, x, y):
    """Make the markers of flagged and wrong runs hollow, and those of shortened runs half so."""
    signs = rows["flags"].str.strip().map(statuses.weakness)
    signs = signs.where(rows["status"] == select.SOUND, statuses.WEAK[None])
    halves = {"fillstyle": "right", "markerfacecoloralt": "none"}
    for sign, looks in ((statuses.WEAK[None], {}), (statuses.WEAK[statuses.SHORTENED], halves)):
        weak = rows[signs == sign]
        ax.plot(weak[x], weak[y], "o", ms=3.6, mew=0, mfc=style.PAPER, zorder=4, **looks)


def dots(tables, measures, marks=None, ranges=None, **options):
    """Draw a panel per title in `tables`: a row for each graph and algorithm, with a dot, its interval and its value.

    A column `series` may split algorithms; a column `row` names rows that stand as they come. Of more than MANY graphs
    each series has a row, with a dot per graph and the median. `measures` is a Measure, or one per title; `marks` are
    vertical lines and their names. Hollow diamonds are numbers in the columns DIAMONDS; printed `ranges`, by label and
    then by graph, are shaded.
    """
    measures = dict.fromkeys(tables, measures) if isinstance(measures, Measure) else measures
    placed = {title: _placed(table.reset_index(drop=True), measures[title]) for title, table in tables.items()}
    figure, axes = panels([max(LINE * rows["y"].nunique(), 0.7) for rows in placed.values()], 0.8, **options)
    named, lines = {}, next(iter(placed)).count("\n")
    for ax, (title, points) in zip(axes, placed.items(), strict=True):
        (middle, low, high), _, label, _ = measures[title]
        drawn = points[points["status"].isin(select.TIMED)].dropna(subset=[middle])
        hues, looks = drawn["device"].map(style.DEVICES), {"palette": style.COLOURS, "s": 42, "lw": 0, "zorder": 3}
        ax.hlines(drawn["y"], drawn[low], drawn[high], color=hues.map(style.COLOURS), lw=2, alpha=0.6)
        seaborn.scatterplot(drawn, x=middle, y="y", hue=hues, ax=ax, **looks).get_legend().remove()
        holes(ax, drawn, middle, "y")
        for colour, (words, graphs) in zip((style.PUBLISHED, style.BLUE), (ranges or {}).items(), strict=False):
            for graph, rows in points.groupby(select.subjects(points)):
                ends, looks = (rows["y"].min() - 0.5, rows["y"].max() + 0.5), {"alpha": 0.22, "lw": 0, "label": words}
                ax.fill_betweenx(ends, *graphs.get(graph, (1, 1)), color=colour, **looks)
        for column, words in DIAMONDS.items():
            if column in points and points[column].notna().any():
                looks = {"mec": style.PUBLISHED, "mfc": "none", "ms": 8, "mew": 1.8, "ls": "", "zorder": 4}
                ax.plot(points[column], points["y"], "D", label=words, **looks)
        for mark, words in (marks or {}).items():
            ax.axvline(mark, color=style.INK, lw=1.2, zorder=1, label=words)
        named |= dict(zip(*reversed(ax.get_legend_handles_labels()), strict=True))
        rows, is_strip = points.drop_duplicates("y"), drawn["y"].duplicated().any()
        medians = drawn.groupby("y")[middle].median() if is_strip else pd.Series()
        ax.plot(medians, medians.index, "|", color=style.INK, ms=15, mew=2.5, zorder=5)
        ax.set_yticks(rows["y"], rows["name"])
        looks = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "va": "center", "size": 10.5}
        for tick, row in zip(ax.get_yticklabels(), rows.itertuples(), strict=True):
            tick.set_weight("normal" if row.status else "bold")
            ax.annotate(row.words, (1, row.y), (6, 0), **looks)
        ax.grid(visible=False, axis="y")
        ax.set(ylim=(len(rows) - 0.5, -0.5), xlabel=label, ylabel="")
        ax.set_title(f"{title}, {drawn['graph'].nunique()} graphs" if is_strip else title)
    for ax, title in zip(axes, placed, strict=True):  # once all have their data: they may share an axis
        style.log_axis(ax.xaxis, measures[title].wording)
    above = {"loc": "lower right", "bbox_to_anchor": (1, 1), "borderaxespad": 2 + 1.6 * lines}  # the title
    axes[0].legend(named.values(), named, ncols=len(named), columnspacing=1.2, **above)
    return figure


def _placed(table, measure):
    """The runs with the place `y` of their row, its name and its words, sorted by the size of graphs and by value."""
    (middle, *_), wording, _, ascending = measure
    table = table.assign(series=table.get("series", table["algorithm"].map(style.plain_name)))
    if "row" in table:
        return table.assign(y=table.index, name=table["row"], words=[*_words(table, measure)])
    if table["graph"].nunique() > MANY:
        sound = select.sound(table).groupby("series")[middle].agg(["median", "size"])
        order = [*sound.sort_values("median", ascending=ascending).index]
        words = sound.apply(lambda row: f"median of {row['size']:g}: {wording(row['median'])}", axis=1).to_dict()
        for (series, status), runs in table[table["status"] != select.SOUND].groupby(["series", "status"]):
            ended = f"✕ {len(runs)} {statuses.WORDS[status]}"
            words[series] = f"{words[series]}, {ended}" if series in words else ended
        table["y"] = table["series"].map(list(dict.fromkeys([*order, *words])).index)
        return table.assign(name=table["series"], words=table["series"].map(words)).sort_values("y", kind="stable")
    arcs = table.groupby("graph")["arcs"].transform("min").astype(float)
    sizes = arcs.map(style.count).add(" arcs").where(arcs.notna(), "size unknown")
    table = table.assign(size=arcs, rank=table[middle] * (1 if ascending else -1), name=table["series"])
    heads = table.assign(name=table["graph"] + " · " + sizes, words="", status="", rank=-math.inf, printed=math.nan)
    table = pd.concat([heads.drop_duplicates("graph"), table.assign(words=[*_words(table, measure)])])
    table = table.sort_values(["size", "graph", "rank", "series"], ignore_index=True)
    return table.assign(y=table.index)


def _words(table, measure):
    """What stands right of each row: its value, how it ended, its launch."""
    for run in table.to_dict("records"):
        value = measure.wording(run[measure.columns[0]]) if run["status"] in select.TIMED else ""
        ending = "" if run["status"] == select.SOUND else f"✕ {style.ending(run)}"
        yield " · ".join(filter(None, [f"{value} {ending}".strip(), style.launch(run)]))


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
    return rows.assign(printed=values.reindex([select.subjects(rows), rows["algorithm"]]).to_numpy())


def over_best(table):
    """The table with each time over that of the fastest algorithm on the same problem and graph."""
    best = table["median_ms"].where(table["status"] == select.SOUND).groupby([table["problem"], table["graph"]])
    over = {name: table[column] / best.transform("min") for name, column in zip(OVER_BEST, MEDIAN, strict=True)}
    return table.assign(**over)


def fastest(table):
    """Who is fastest on most graphs of each problem; a graph on which one is still to be measured is left out."""
    unknown = (table["status"] == "missing").groupby([table["problem"], table["graph"]]).transform("any")
    winners = select.sound(table[~unknown]).sort_values("median_ms").drop_duplicates(["problem", "graph"])
    winners = winners.assign(winner=winners["algorithm"], tie=False)
    return shapes.leaders(winners) or "On no graph all algorithms are measured yet."


def extremes(table, column, wording, least=False, who="algorithm"):
    """The row of each problem with the most or the least in a column, in words."""
    values = table.groupby("problem", sort=False)[column]
    rows = table.loc[values.idxmin() if least else values.idxmax()].to_dict("records")
    return "; ".join(f"{row['problem'].upper()} {wording(row[column])} ({row[who]} on {row['graph']})" for row in rows)


def lines(ax, table, x, wording, label, columns=MEDIAN):
    """Draw a line for each series of the table, with intervals; `series` names it, `dashes` is its style.

    Series are listed from above at the right end. Runs without a time are named in the legend, with their places.
    """
    timed, endings = select.timed(table).dropna(subset=columns[:1]).sort_values(x), {}
    for (series, _), rows in table[table["status"] != select.SOUND].groupby(["series", "status"], sort=False):
        every = len(rows) == (table["series"] == series).sum()
        places = "" if every else f" at {', '.join(map(wording, rows[x].dropna().sort_values()))}"
        endings[series] = f"{endings.get(series, '')}\n✕ {style.ending(rows.iloc[0])}{places}"
    ends = timed.groupby("series")[columns[0]].last().reindex(table["series"].unique()).fillna(0)
    order, looks = list(ends.sort_values(ascending=False).index), {"palette": {}, "markers": {}, "dashes": {}}
    for series, first in table.drop_duplicates("series").set_index("series").iterrows():
        looks["palette"][series], looks["markers"][series] = first.get("look") or style.look(first["algorithm"])
        looks["dashes"][series] = first.get("dashes", "")
    values = timed.melt([x, "series"], list(columns), value_name="time")
    looks |= {"hue_order": order, "style_order": order, "err_style": "bars", "lw": 2, "ms": 8, "mec": style.PAPER}
    if len(values):
        seaborn.lineplot(values, x=x, y="time", hue="series", style="series", ax=ax, **INTERVALS, **looks)
    holes(ax, timed, x, columns[0])
    style.log_axis(ax.xaxis, wording)
    style.log_axis(ax.yaxis, style.duration if columns is MEDIAN else style.factor)
    ax.set(xlabel=label, ylabel=TIME.label)
    for text in key(ax):
        text.set_text(text.get_text() + endings.get(text.get_text(), ""))


def then(ax, published, places, table):
    """Draw a paper's numbers, hollow and dotted in the colours of the table's algorithms, at the places of graphs."""
    known = published[published["graph"].isin(places.index) & published["algorithm"].isin(table["algorithm"])]
    for (device, algorithm), rows in known.groupby(["device", "algorithm"]):
        looks = dict(zip(("color", "marker"), style.look(algorithm), strict=True)) | {"mfc": style.PAPER, "ms": 7}
        label = f"{style.plain_name(algorithm)}, the paper: {device.removeprefix('NVIDIA ')}"
        ax.plot(rows["graph"].map(places), rows["value"], label=label, ls=":", **looks)


def labelled(table):
    """The table with a series for each algorithm, named with its device: times of devices are always told apart."""
    return table.assign(series=table["algorithm"].map(style.plain_name) + " · " + table["device"].map(style.DEVICES))


def known(value, wording):
    """The value in words, or a dash."""
    return wording(value) if pd.notna(value) else "–"


def ratio(row):
    """A speed-up in words, with ≈ where its interval has 1 in it, and the sign of weak runs."""
    tie = "≈ " if row["speedup_low"] <= 1 <= row["speedup_high"] else ""
    return f"{tie}{style.factor(row['speedup'])} {statuses.weakness(row['flags'])}".strip()


def matrix(ax, cells, rows, columns, end, title=""):
    """Draw `cells`, each with a row, a column, words and a value, which colours it from 1/end to end."""
    words, values = (
        cells.pivot(index="row", columns="column", values=each).reindex(list(rows), columns=list(columns))
        for each in ("words", "value")
    )
    table(ax, words, values, end, title)


def table(ax, words, values=math.nan, end=2, title=""):
    """Draw a table of words, whose cells are coloured by values on a logarithmic scale from 1/end to end, or grey."""
    norm, cmap = LogNorm(1 / end, end), style.ratios().with_extremes(over=style.EMPTY)
    shades = pd.DataFrame(values, words.index, words.columns).astype(float).clip(1 / end, end).fillna(2 * end)
    looks = {"linewidths": 1, "linecolor": style.PAPER, "xticklabels": True, "yticklabels": True, "clip_on": False}
    ax.figure.set_visible(False)  # heatmap would draw all of it, to see whether labels overlap
    seaborn.heatmap(shades, mask=words.isna(), cmap=cmap, norm=norm, cbar=False, ax=ax, **looks)
    ax.figure.set_visible(True)
    looks = {"ha": "center", "va": "center_baseline", "size": 9, "label": "cell", "in_layout": False}
    for (y, x), text in np.ndenumerate(words.fillna("").to_numpy()):
        shade, lines = shades.iat[y, x], text.split("\n")  # a text for each, which stays in the middle in any font
        colour = style.ink(cmap(norm(shade))) if shade <= end else style.INK  # a grey cell turns dark in a dark scheme
        for place, line in enumerate(lines):
            middle = y + 0.5 + 0.8 * (place / len(lines) - (len(lines) - 1) / 2 / len(lines))
            ax.text(x + 0.5, middle, line, color=colour, **looks)
    heads, names = ([max(map(len, name.split("\n"))) for name in axis] for axis in (words.columns, words.index))
    lines, longest = max(head.count("\n") for head in words) + 1, max(heads)
    turn = max(map(sum, pairwise([*heads, 0]))) * len(heads) > 2 * (1.5 * LETTERS - max(names))  # beside each other
    ax.grid(visible=False)
    ax.tick_params(length=0, labelsize=10, labeltop=True, labelbottom=False)
    ax.set(xlabel="", ylabel="")
    ax.set_title(title, pad=10 + (3.4 * longest if turn else 13 * lines))
    turned = {"rotation": 30, "ha": "left", "rotation_mode": "anchor"} if turn else {"rotation": 0}
    plt.setp(ax.get_xticklabels(), **turned)
    plt.setp(ax.get_yticklabels(), rotation=0)
