"""Shapes of chart that several figures share."""

import pandas as pd

from warpath.results import select, style
from warpath.results.figures import Nothing, Picture

LINE = 0.19  # inches
LABEL_LINES = 2.6
DENSE = 3  # lines in a band whose dots share them
ROOM_FOR_WORDS = 0.26  # of the axis, at its right end, where what did not end well is written
UNRANKED = "The kernels ran in CPU emulation, whose times say nothing of a GPU's: nobody is ranked."
MEDIAN = ("median_ms", "low_ms", "high_ms")
TIME_COLUMNS = [
    *["problem", "graph", "stand_in_for", "vertices", "arcs", "algorithm", "launch", "device_label", "device_name"],
    *["status", *MEDIAN, "samples", "flags"],
]


def dot_panels(plt, tables, wording, columns=MEDIAN, published=None, include=(), dense=False):
    """A panel per title in `tables`: a band per graph, in it a dot with interval per algorithm, on one log axis.

    Each dot has a line of its own; where there are many, a `dense` picture with a few lines a band reads better.

    Rows that are not ok have no value; they are written out at the right edge, in the algorithm's place and colour.
    `published` numbers of the same graph and algorithm are laid over as hollow diamonds; `include` values are in view.
    """
    inches = [_height(table, dense) for table in tables.values()]
    figure, axes = plt.subplots(
        len(tables), 1, figsize=(style.WIDTH, sum(inches) + len(tables) * 0.75), height_ratios=inches, squeeze=False
    )
    for ax, (title, table) in zip(axes.flat, tables.items(), strict=True):
        _dots(ax, table, columns, published, dense)
        ax.update_datalim([(value, 0) for value in include])
        style.log_axis(ax.xaxis, wording, room=ROOM_FOR_WORDS if (table["status"] != "ok").any() else 0)
        ax.set_title(title)
        legend(ax)
    return figure, axes[:, 0]


def legend(ax, **options):
    """To the right of the axes, where it hides nothing."""
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
    """Inches: a line for every dot, and room for the legend."""
    lines = sum(_lines(rows, dense) for _, rows in table.groupby("graph"))
    return max(LINE * lines, 0.27 * table["algorithm"].nunique(), 0.9)


def _lines(rows, dense):
    """How many lines a graph's band takes: those of its dots, and no fewer than its two lines of label need."""
    return max(_dot_lines(rows, dense), LABEL_LINES)


def _dot_lines(rows, dense):
    return min(len(rows), DENSE) if dense else len(rows)


def _dots(ax, table, columns, published, dense):
    place = 0
    ticks = {}
    for band, (graph, rows) in enumerate(_bands(table)):
        lines, band_lines = _dot_lines(rows, dense), _lines(rows, dense)
        for at, row in enumerate(rows.to_dict("records")):
            height = place + (at % lines + 0.5) * band_lines / lines
            _dot(ax, height, row, *style.look(row["algorithm"]), columns)
            _then(ax, height, row, published)
        if band % 2 == 0:
            ax.axhspan(place, place + band_lines, color="#F5F5F5", zorder=0)
        ticks[place + band_lines / 2] = f"{graph}\n{_size(rows['arcs'].max())}"
        place += band_lines
    for algorithm in sorted(table["algorithm"].unique(), key=_place):
        colour, marker = style.look(algorithm)
        device = table.loc[table["algorithm"] == algorithm, "device"].iloc[0]
        ax.plot([], [], marker, color=colour, label=style.algorithm_label(algorithm, device), ls="", ms=8)
    _then_in_legend(ax, published, table)
    ax.set_yticks(list(ticks), ticks.values())
    ax.set_ylim(place, 0)
    ax.grid(visible=False, axis="y")


def _bands(table):
    """Each graph with its rows: graphs by size, algorithms in one order everywhere."""
    ordered = table.sort_values(["arcs", "graph"]).groupby("graph", sort=False)
    for graph, rows in ordered:
        yield graph, rows.sort_values("algorithm", key=lambda names: names.map(_place))


def _place(algorithm):
    """Our kernels, then libraries, then the sequential baselines."""
    return ("/cpu_" in algorithm, "/peer_" in algorithm, algorithm)


def _size(arcs):
    return f"{style.count(arcs)} arcs" if pd.notna(arcs) else "size unknown"


def _dot(ax, height, row, colour, marker, columns):
    middle, low, high = (row[column] for column in columns)
    if row["status"] != "ok" or pd.isna(middle):
        words = f"✕ {style.STATUSES[row['status']]}"
        ax.text(0.995, height, words, color=colour, ha="right", va="center", transform=ax.get_yaxis_transform())
        return
    face = "white" if row["flags"] else colour
    ax.errorbar(middle, height, xerr=[[middle - low], [high - middle]], color=colour, elinewidth=2, zorder=2)
    ax.plot(middle, height, marker, color=colour, mfc=face, ms=8, mew=1.5, zorder=3)


def _then(ax, height, row, published):
    for value in _printed(published, row["algorithm"], select.subject(row))["value"]:
        ax.plot(value, height, "D", color=style.PUBLISHED, mfc="none", ms=9, mew=1.8, zorder=4)


def _then_in_legend(ax, published, table):
    """Which hardware the hollow diamonds are from; each lies in the row of its algorithm."""
    pairs = {(row["algorithm"], select.subject(row)) for row in table.to_dict("records")}
    devices = sorted({device for pair in pairs for device in _printed(published, *pair)["device"]})
    if devices:
        label = "\n".join(["in the paper:", *devices])
        ax.plot([], [], "D", color=style.PUBLISHED, mfc="none", mew=1.8, ls="", label=label)


def _printed(published, algorithm, graph):
    if published is None:
        return {"value": [], "device": []}
    return published[(published["algorithm"] == algorithm) & (published["graph"] == graph)]


def line(ax, rows, x, label, look, ls="-"):
    """Median time with its interval over `x`; what did not end well is written above the top edge.

    Where nothing did, the legend says so alone.
    """
    rows = rows.sort_values(x)
    good, bad = rows[rows["status"] == "ok"], rows[rows["status"] != "ok"]
    colour, marker = look
    if good.empty:
        label = f"{label}: {', '.join(style.STATUSES[status] for status in bad['status'].unique())}"
    ax.plot(good[x], good["median_ms"], color=colour, marker=marker, ls=ls, ms=8, lw=2, label=label)
    hollow_where_flagged(ax, good, x, "median_ms", look)
    ax.vlines(good[x], good["low_ms"], good["high_ms"], color=colour, lw=2)
    for row in bad.dropna(subset=[x]).to_dict("records") if len(good) else []:
        _mark(ax, row[x], f"✕ {label.split(' (')[0]} {style.STATUSES[row['status']]}", colour)
        ax.plot(row[x], good["median_ms"].median(), ls="")  # within the limits, and not to be seen


def hollow_where_flagged(ax, rows, x, y, look):
    """Over the markers of a line."""
    flagged, (colour, marker) = rows[rows["flags"] != ""], look
    ax.plot(flagged[x], flagged[y], marker, color=colour, mfc="white", ms=8, mew=1.5)


def _mark(ax, x, words, colour):
    """Above the top edge, and above the marks that are there already."""
    lines = sum(text.xy[0] == x for text in ax.texts)
    place = {"ha": "left", "va": "bottom", "rotation": 25, "rotation_mode": "anchor", "fontsize": 10.5, "color": colour}
    ax.annotate(words, (x, 1.01), (0, 14 * lines), ax.get_xaxis_transform(), "offset points", **place)


def printed_points(ax, published, table, x):
    """Numbers from a paper over `x`, each named on the spot: a diamond has no colour to tell whose it is."""
    places = table.groupby("graph")[x].max().dropna()
    then = published[published["graph"].isin(places.index) & published["algorithm"].isin(table["algorithm"])]
    for device, rows in then.drop_duplicates(["graph", "algorithm", "value"]).groupby("device"):
        at = rows["graph"].map(places)
        looks = {"color": style.PUBLISHED, "mfc": "none", "ms": 9, "mew": 1.8, "ls": "", "zorder": 4}
        ax.plot(at, rows["value"], "D", label=f"the paper: {device}", **looks)
        for place, row in zip(at, rows.to_dict("records"), strict=True):
            inwards = (9, "left") if place < (places.min() * places.max()) ** 0.5 else (-9, "right")
            words = f"{row['algorithm'].split('/')[1]} then"
            _beside(ax, words, (place, row["value"]), *inwards)


def _beside(ax, words, point, offset, side):
    looks = {"ha": side, "va": "bottom", "fontsize": 11, "color": style.PUBLISHED}
    ax.annotate(words, point, (offset, 1), textcoords="offset points", **looks)


def log_log(ax, x_wording, x_label, y_label="median time of a solve"):
    style.log_axis(ax.xaxis, x_wording)
    style.log_axis(ax.yaxis, style.duration)
    ax.set_xlabel(x_label)
    ax.set_ylabel(y_label)


def time_by_graph(tables, title, panels, published=None, include=()):
    """The whole picture of time by graph and algorithm: `panels` are rows of the summary by title."""
    import matplotlib.pyplot as plt

    panels = {name: select.best(rows) for name, rows in panels.items()}
    panels = {name: rows for name, rows in panels.items() if len(select.sound(rows))}
    if not panels:
        raise Nothing("no run of these algorithms on these graphs has a right answer yet")
    table = pd.concat(panels.values())
    figure, axes = dot_panels(plt, panels, style.duration, published=published, include=include)
    for ax in axes:
        ax.set_xlabel("median time of a solve")
    note_flags(figure, table)
    style.heading(figure, title, table)
    return Picture(figure, table[TIME_COLUMNS], fastest(table))


def fastest(table):
    """Who is fastest where: by name for a few graphs, by count for many."""
    if "host" in set(table["device"]):
        return UNRANKED
    sentences = []
    for problem, rows in select.sound(table).groupby("problem", sort=False):
        winners = rows.sort_values("median_ms").drop_duplicates("graph")
        counts = winners["algorithm"].value_counts()
        if len(winners) > 3:
            said = ", ".join(f"{name} on {count} of {len(winners)} graphs" for name, count in counts.items())
        else:
            said = ", ".join(
                f"{row.algorithm} on {row.graph} ({style.duration(row.median_ms)})" for row in winners.itertuples()
            )
        sentences.append(f"Fastest {problem.upper()}: {said}.")
    return " ".join(sentences)


def note_flags(figure, table):
    """Say under the figure what a hollow marker means, when there is one."""
    if (table["flags"] != "").any():
        note(figure, "hollow marker: the run was flagged (throttled, noisy or shortened)")


def note(figure, text):
    """A remark under everything else."""
    figure.text(0.005, -0.12 / figure.get_figheight(), text, ha="left", va="top", fontsize=11.5, color=style.MUTED)
