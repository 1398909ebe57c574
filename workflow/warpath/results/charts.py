"""Charts that several figures share: rows of dots, lines over a size, coloured cells; what heads them; their files."""

import importlib
import textwrap
from collections import namedtuple
from pathlib import Path

import numpy as np
import pandas as pd
import seaborn
from matplotlib import pyplot as plt
from matplotlib import ticker
from matplotlib.colors import LogNorm

from warpath.base.files import atomic
from warpath.results import columns, figures, select, shapes, style, svg
from warpath.runs import statuses

LINE, GAP = 0.22, 0.15  # inches of a row, and between panels
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

TITLES = {"axes.titlesize": 14, "axes.titley": 1, "axes.titleweight": "bold", "axes.titlelocation": "left"}
LEGEND = {"legend.frameon": False, "legend.handletextpad": 0.4, "legend.loc": "upper left", "savefig.dpi": 144}
SVG = {"svg.fonttype": "none", "svg.hashsalt": "warpath", "text.parse_math": False, "grid.color": style.GRID}
plt.switch_backend("Agg")
seaborn.set_theme(style="whitegrid", palette=style.PALETTE, rc=TITLES | LEGEND | SVG)  # a name may be `a_$b$`
RATIOS = ["#8C2D04", "#E6844A", "#F7F4EF", "#5BA3D0", "#08306B"]  # red below 1, blue above; also with colour blindness
RATIOS = seaborn.blend_palette(RATIOS, as_cmap=True).with_extremes(over=style.EMPTY)


def by_problem(table):
    """The rows of each problem by its title."""
    return {problem.upper(): rows for problem, rows in table.groupby("problem", sort=False)}


def draw(name, tables, folder, also=()):
    """Write `<folder>/<name>.svg`, `.csv` (the data that the picture shows), and further formats, as png or pdf."""
    try:
        picture = importlib.import_module(f"warpath.results.figures.{name}").draw(tables)
    except figures.Nothing as reason:
        return draw_failed(name, str(reason), folder)
    save(picture, name, figures.title_and_caption(name)[0], folder, also)


def draw_failed(name, reason, folder):
    """Write in place of the figure `name` why it could not be drawn."""
    figure, title = plt.figure(figsize=(12, 2)), figures.title_and_caption(name)[0]
    figure.text(0.01, 0.5, f"{title}\nNothing to show: {reason}", va="center", wrap=True)
    save(figures.Picture(figure, pd.DataFrame({"reason": [reason]}), reason), name, title, folder)


def save(picture, name, title, folder, also=()):
    """Write `<folder>/<name>.svg` and other formats with a margin around all that is drawn, and any data as `.csv`."""
    figure, box, about = picture.figure, picture.figure.get_tightbbox().padded(0.2), {"Title": title}
    described = about | {"Description": picture.reading, "Date": None}
    with atomic(Path(folder, f"{name}.svg")) as temporary:
        figure.savefig(temporary, format="svg", bbox_inches=box, metadata=described)
        temporary.write_text(svg.compact(temporary.read_text(encoding="utf-8")), encoding="utf-8")
    for kind in figures.FORMATS:
        file = Path(folder, f"{name}.{kind}")
        file.unlink(missing_ok=True)  # of earlier tables
        if kind in also:
            with atomic(file) as temporary:
                figure.savefig(temporary, format=kind, bbox_inches=box, metadata=about)
    if picture.data is not None:
        with atomic(Path(folder, f"{name}.csv")) as temporary:
            picture.data.to_csv(temporary, index=False, float_format="%.6g")
    plt.close(figure)


def panels(heights, width=style.WIDTH, **options):
    """Make a figure of panels below each other, each of so many inches; `head` makes room for the words around them."""
    edges = {"left": 0, "right": 1, "bottom": 0, "top": 1, "hspace": 0}
    options |= {"figsize": (width, sum(heights)), "height_ratios": heights, "gridspec_kw": edges}
    figure, axes = plt.subplots(len(heights), 1, squeeze=False, **options)
    return figure, list(axes.flat)


def _make_room(figure):
    """Move panels apart, as high as they are, and make them as narrow as the words beside them want it."""
    boxes = np.array([(ax.bbox.extents, ax.get_tightbbox().extents) for ax in figure.axes]) / figure.dpi
    left, below, right, above = np.abs(boxes[:, 1] - boxes[:, 0]).T
    heights, width = boxes[:, 0, 3] - boxes[:, 0, 1], figure.get_figwidth()
    tops = np.cumsum(heights + above + below + GAP) - below - GAP  # from above, of what is below a panel
    total = tops[-1] + below[-1]
    figure.set_figheight(total)
    for ax, height, down in zip(figure.axes, heights, tops, strict=True):
        ax.set_position([left.max() / width, 1 - down / total, 1 - (left.max() + right.max()) / width, height / total])


def picture(figure, title, table, reading, runs=None, timed=True, notes=()):
    """Finish the picture of a table: head it with what `reading` finds in it, and explain its flags below.

    Under the finding are the title, or the first line of a docstring, and the devices of `runs`, which are those of the
    table if not given. Times of an emulation have no finding.
    """
    runs = table if runs is None else runs
    if "flags" in table:
        flags = set(" ".join(table["flags"]).split())
        hollow = [*sorted(flags - {statuses.SHORTENED}), *["wrong answer"] * bool((table["status"] == "wrong").any())]
        shortened = "◐ shortened: fewer repetitions, for want of time" * (statuses.SHORTENED in flags)
        notes = [*notes, shortened, f"○ {' or '.join(hollow)}" * bool(hollow)]
    finding = UNRANKED if timed and select.emulated(runs) else reading(table)
    title, is_found = title.partition("\n")[0].rstrip("."), finding not in ("", UNRANKED)
    head(figure, finding if is_found else title, [title * is_found, style.devices(runs)], notes)
    return figures.Picture(figure, table[[name for name in table if name not in DROPPED]], finding)


def head(figure, finding, below, notes=()):
    """Write the finding above all, under it what it is of, and notes below the figure: saving makes room for them."""
    if figure.axes[0].get_gridspec().ncols == 1:  # seaborn arranges grids
        _make_room(figure)
    inch, letters = 1 / figure.get_figheight(), LETTERS * figure.get_figwidth() / style.WIDTH
    fold = {"width": 1.4 * letters, "break_on_hyphens": False}
    below, foot = (textwrap.fill(style.DOT.join(filter(None, words)), **fold) for words in (below, notes))
    muted, above = {"fontsize": 11, "color": style.MUTED}, 1 + (0.42 + 0.2 * below.count("\n")) * inch
    figure.text(0.005, 1 + 0.12 * inch, below, va="bottom", **muted)
    figure.text(0.005, -0.12 * inch, foot, va="top", **muted)
    figure.text(0.005, above, textwrap.fill(finding, letters), va="bottom", fontsize=15, weight="bold")


def holes(ax, rows, x, y):
    """Make the markers of flagged and wrong runs hollow, and those of shortened runs half so."""
    signs = rows["flags"].str.strip().map(statuses.weakness).where(rows["status"] == select.SOUND, statuses.WEAK[None])
    for flag, sign in statuses.WEAK.items():
        weak, looks = rows[signs == sign], {"fillstyle": "right" if flag else "full", "markerfacecoloralt": "none"}
        ax.plot(weak[x], weak[y], "o", ms=3.6, mew=0, mfc=style.PAPER, zorder=4, **looks)


def dots(tables, measures, marks=None, ranges=None, width=style.WIDTH, **options):
    """Draw a panel per title in `tables`: a row for each graph and algorithm, with a dot, its interval and its value.

    A column `series` may split algorithms; a column `row` names rows that stand as they come. Of more than MANY graphs
    each series has a row, with a dot per graph and the median. `measures` is a Measure, or one per title; `marks` are
    vertical lines and their names. Hollow diamonds are numbers in the columns DIAMONDS; printed `ranges`, by label and
    then by graph, are shaded.
    """
    measures = dict.fromkeys(tables, measures) if isinstance(measures, Measure) else measures
    placed = {title: _placed(table.reset_index(drop=True), measures[title]) for title, table in tables.items()}
    figure, axes = panels([max(LINE * rows["y"].nunique(), 0.7) for rows in placed.values()], width, **options)
    named, lines = {}, next(iter(placed)).count("\n")
    for ax, (title, points) in zip(axes, placed.items(), strict=True):
        (middle, low, high), _, label, _ = measures[title]
        drawn = points[points["status"].isin(select.TIMED)].dropna(subset=[middle])
        hues, looks = drawn["device"].map(style.DEVICES), {"palette": style.COLOURS, "s": 42, "lw": 0, "zorder": 3}
        ax.hlines(drawn["y"], drawn[low], drawn[high], color=hues.map(style.COLOURS), lw=2, alpha=0.6, label="interval")
        seaborn.scatterplot(drawn, x=middle, y="y", hue=hues, ax=ax, **looks).get_legend().remove()
        holes(ax, drawn, middle, "y")
        for colour, (words, graphs) in zip((style.PUBLISHED, style.BLUE), (ranges or {}).items(), strict=False):
            for graph, rows in points.groupby(select.subjects(points)):
                ends, looks = (rows["y"].min() - 0.5, rows["y"].max() + 0.5), {"alpha": 0.22, "lw": 0, "label": words}
                ax.fill_betweenx(ends, *graphs.get(graph, (1, 1)), color=colour, **looks)
        for column, words in DIAMONDS.items():
            if column in points and points[column].notna().any():
                looks = {"mec": style.PUBLISHED, "mfc": "none", "ms": 8, "mew": 1.8, "zorder": 4}
                ax.plot(points[column], points["y"], "D", label=words, **looks)
        for mark, words in (marks or {}).items():
            ax.axvline(mark, color=style.INK, lw=1.2, zorder=1, label=words)
        rows, is_strip = points.drop_duplicates("y"), drawn["y"].duplicated().any()
        if is_strip:
            medians = drawn.groupby("y")[middle].median()
            ax.plot(medians, medians.index, "|", color=style.INK, ms=15, mew=2.5, zorder=5, label="median")
        named |= dict(zip(*reversed(ax.get_legend_handles_labels()), strict=True))
        ax.set_yticks(rows["y"], rows["name"])
        looks = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "va": "center", "size": 10.5}
        for tick, y, words, status in zip(ax.get_yticklabels(), rows["y"], rows["words"], rows["status"], strict=True):
            tick.set_weight("normal" if status else "bold")
            ax.annotate(words, (1, y), (6, 0), **looks)
        ax.grid(visible=False, axis="y")
        ax.set(ylim=(len(rows) - 0.5, -0.5), xlabel=label * ("sharex" not in options or ax is axes[-1]), ylabel="")
        ax.set_title(f"{title}, {drawn['graph'].nunique()} graphs" if is_strip else title)
    for ax, title in zip(axes, placed, strict=True):  # once all have their data: they may share an axis
        log_axis(ax.xaxis, measures[title].wording)
    above = {"loc": "lower right", "bbox_to_anchor": (1, 1), "borderaxespad": 2 + 1.6 * lines}  # the title
    axes[0].legend(named.values(), named, ncols=int(width // 2.5), columnspacing=1.2, **above)
    return figure


def _placed(table, measure):
    """The runs with the place `y` of their row, its name and its words, sorted by the size of graphs and by value."""
    (middle, *_), wording, _, ascending = measure
    table = table.assign(series=table.get("series", table["algorithm"].map(style.plain_name)))
    if "row" in table:
        return table.assign(y=table.index, name=table["row"], words=[*_words(table, measure)])
    if table["graph"].nunique() > MANY:
        sound = select.sound(table).groupby("series")[middle].agg(["median", "size"])
        sound = sound.sort_values("median", ascending=ascending)
        words = sound.apply(lambda row: f"median of {row['size']:g}: {wording(row['median'])}", axis=1).to_dict()
        for (series, status), runs in table[table["status"] != select.SOUND].groupby(["series", "status"]):
            ended = f"✕ {len(runs)} {statuses.WORDS[status]}"
            words[series] = ", ".join(filter(None, [words.get(series), ended]))
        series = table["series"]
        table = table.assign(y=series.map([*words].index), name=series, words=series.map(words))
        return table.sort_values("y", kind="stable")
    arcs = table.groupby("graph")["arcs"].transform("min").astype(float)
    sizes = arcs.map(style.count).add(" arcs").where(arcs.notna(), "size unknown")
    table = table.assign(size=arcs, rank=table[middle] * (1 if ascending else -1), name=table["series"])
    heads = table.assign(name=table["graph"] + " · " + sizes, words="", status="", rank=-np.inf, printed=np.nan)
    table = pd.concat([heads.drop_duplicates("graph"), table.assign(words=[*_words(table, measure)])])
    table = table.sort_values(["size", "graph", "rank", "series"], ignore_index=True)
    return table.assign(y=table.index)


def _words(table, measure):
    """What stands right of each row: its value, how it ended, its launch."""
    for run in table.to_dict("records"):
        value = measure.wording(run[measure.columns[0]]) if run["status"] in select.TIMED else ""
        ending = "" if run["status"] == select.SOUND else f"✕ {style.ending(run)}"
        yield " · ".join(filter(None, [f"{value} {ending}".strip(), style.launch(run["launch"])]))


def time_by_graph(title, tables, published=None, ranges=None):
    """Draw a whole picture of time by graph and algorithm; `tables` are rows of the summary by the panel's title.

    Times of more than MANY graphs are shown over the fastest of each graph. Times that a paper has `published` for the
    same graphs and algorithms are diamonds.
    """
    tables = {name: select.best(rows) for name, rows in tables.items() if len(select.sound(rows))}
    figures.require(tables, "no run of these algorithms on these graphs has a right answer yet")
    for rows in tables.values():
        best = select.sound(rows).groupby("graph")["median_ms"].min()
        rows[[*OVER_BEST]] = rows[[*MEDIAN]].div(rows["graph"].map(best), axis=0)
        if published is not None:
            printed = published.groupby(["graph", "algorithm"])["value"].first()
            rows["printed"] = printed.reindex([select.subjects(rows), rows["algorithm"]]).to_numpy()
    measures = {name: RELATIVE if rows["graph"].nunique() > MANY else TIME for name, rows in tables.items()}
    return picture(dots(tables, measures, ranges=ranges), title, pd.concat(tables.values()), fastest)


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


def lines(ax, table, x, wording, label, columns=MEDIAN, published=None):
    """Draw a line for each series of the table, with intervals; `series` names it, `look` and `dashes` are its style.

    Series are listed from above at the right end. Runs without a time are named in the legend, with their places. Times
    that a paper has `published` for the same graphs and algorithms are hollow and dotted.
    """
    names, places = {}, table.groupby(select.subjects(table))[x].max()
    if published is not None:
        known = published[published["graph"].isin(places.index) & published["algorithm"].isin(table["algorithm"])]
        for (algorithm, device), rows in known.groupby(["algorithm", "device"]):
            looks = dict(zip(("color", "marker"), style.look(algorithm), strict=True)) | {"mfc": style.PAPER, "ms": 7}
            label_then = f"{style.plain_name(algorithm)}, the paper: {device.removeprefix('NVIDIA ')}"
            ax.plot(rows["graph"].map(places), rows["value"], label=label_then, ls=":", **looks)
    for (series, _), rows in table[table["status"] != select.SOUND].groupby(["series", "status"], sort=False):
        every = len(rows) == (table["series"] == series).sum()
        places = "" if every else f" at {', '.join(map(wording, rows[x].dropna().sort_values()))}"
        names[series] = f"{names.get(series, series)}\n✕ {style.ending(rows.iloc[0])}{places}"
    table = table.assign(series=table["series"].replace(names))
    timed = select.timed(table).dropna(subset=columns[:1]).sort_values(x)
    ends = timed.groupby("series")[columns[0]].last().reindex(table["series"].unique()).fillna(0)
    order, first = list(ends.sort_values(ascending=False).index), table.drop_duplicates("series").set_index("series")
    looks = INTERVALS | {"palette": first["look"].str[0].to_dict(), "markers": first["look"].str[1].to_dict()}
    looks |= {"dashes": first["dashes"].to_dict(), "hue_order": order, "style_order": order, "err_style": "bars"}
    values = timed.melt([x, "series"], list(columns), value_name="time")
    if len(values):
        seaborn.lineplot(values, x=x, y="time", hue="series", style="series", ax=ax, lw=2, ms=8, **looks)
    holes(ax, timed, x, columns[0])
    log_axis(ax.xaxis, wording)
    log_axis(ax.yaxis, style.duration if columns is MEDIAN else style.factor)
    ax.set(xlabel=label, ylabel=TIME.label)
    ax.errorbar([], [], [], fmt="none", color=style.MUTED, label="interval of the median")
    ax.legend(bbox_to_anchor=(1, 1.02))


def labelled(table):
    """The table with a series for each algorithm, named with its device: times of devices are always told apart."""
    names = table["algorithm"].map(style.plain_name) + " · " + table["device"].map(style.DEVICES)
    return table.assign(series=names, look=table["algorithm"].map(style.look), dashes=table.get("dashes", ""))


def log_axis(axis, wording, least_span=8):
    """Make `ax.xaxis` or `ax.yaxis` logarithmic, with enough labels, formatted by `wording`, to read values off.

    The axis spans at least a factor of `least_span`, so that nearly equal times do not look far apart.
    """
    getattr(axis.axes, f"set_{axis.axis_name}scale")("log")
    low, high = (end if end > 0 else 1 for end in axis.get_view_interval())  # without data it begins below 0
    centre, half = (low * high) ** 0.5, max(high / low, least_span) ** 0.5 * 1.2  # so that no marker touches the frame
    getattr(axis.axes, f"set_{axis.axis_name}lim")(centre / half, centre * half)
    decades = 2 * np.log10(half) * max(1, style.WIDTH / axis.get_figure().get_figwidth())  # fewer in a narrow figure
    subs = (1.0,) if decades > 4.5 else (1.0, 3.0) if decades > 2 else (1.0, 2.0, 5.0)
    axis.set_major_locator(ticker.LogLocator(base=10, subs=subs, numticks=12))
    axis.set_major_formatter(lambda value, _: wording(value))
    axis.set_minor_locator(ticker.NullLocator())


def known(value, wording):
    """The value in words, or a dash."""
    return wording(value) if pd.notna(value) else "–"


def ratio(row):
    """A speed-up in words, with ≈ where its interval has 1 in it, and the sign of weak runs."""
    tie = "≈ " if row["speedup_low"] <= 1 <= row["speedup_high"] else ""
    return f"{tie}{style.factor(row['speedup'])} {statuses.weakness(row['flags'])}".strip()


def ink(colour):
    """The ink of words on a cell of this colour, with a contrast of 4.5 or more."""
    return style.INKS[seaborn.utils.relative_luminance(colour) < 0.179]


def matrix(ax, cells, rows, columns, end, title=""):
    """Draw `cells`, each with a row, a column, words and a value, which colours it from 1/end to end."""
    pivots = (cells.pivot(index="row", columns="column", values=name) for name in ("words", "value"))
    table(ax, *(each.reindex(list(rows), columns=list(columns)) for each in pivots), end, title)


def table(ax, words, values=np.nan, end=2, title=""):
    """Draw a table of words, whose cells are coloured by values on a logarithmic scale from 1/end to end, or grey."""
    shades = pd.DataFrame(values, words.index, words.columns).astype(float)
    shades = shades.clip(1 / end, end).fillna(2 * end).to_numpy()
    names, heads = ([max(map(len, name.split("\n"))) for name in axis] for axis in (words.index, words.columns))
    turn = max(np.add(heads, [*heads[1:], 0])) * len(heads) > 2 * (1.5 * LETTERS - max(names))  # beside each other
    turned = {"rotation": 30, "ha": "left", "rotation_mode": "anchor"} if turn else {"ha": "center"}
    looks = {"cmap": RATIOS, "norm": LogNorm(1 / end, end), "cbar": False, "clip_on": False}
    looks |= {"xticklabels": False, "yticklabels": False, "linewidths": 1, "linecolor": style.PAPER}
    seaborn.heatmap(shades, mask=words.isna().to_numpy(), ax=ax, **looks).set_axis_off()
    faces = ax.collections[0].to_rgba(shades)
    looks = {"textcoords": "offset points", "size": 10}
    for y, name in enumerate(words.index):
        ax.annotate(name, (0, y + 0.5), (-4, 0), ha="right", va="center_baseline", **looks)
    for x, head in enumerate(words):
        ax.annotate(head, (x + 0.5, 0), (0, 4), va="bottom", **looks, **turned)
    ax.set_title(title, pad=13 * max(head.count("\n") + 1 for head in words) + (3.4 * max(heads) if turn else 10))
    looks = {"ha": "center", "va": "center_baseline", "size": 9, "label": "cell", "in_layout": False}
    for (y, x), text in np.ndenumerate(words.fillna("").to_numpy()):
        colour = ink(faces[y, x]) if shades[y, x] <= end else style.INK  # a grey cell turns dark in a dark scheme
        lines = text.split("\n")
        for place, line in enumerate(lines):  # a text for each, which stays in the middle in any font
            middle = y + 0.5 + 0.8 * (place / len(lines) - (len(lines) - 1) / 2 / len(lines))
            ax.text(x + 0.5, middle, line, color=colour, **looks)
