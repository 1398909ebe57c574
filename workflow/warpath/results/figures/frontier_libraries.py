"""This project's own kernels beside the libraries.

How many times faster our fastest launch is than each library, and below it the interval. Blue is faster, red
slower; ≈ stands where the interval has 1 in it. Published times are from the same model of card, or from 16 CPU cores
beside it. They are for the same graphs and source vertices, except rmat22, rmat24 and urand10m6, which are of the same
family and size. adds, atos and blest are codes of papers, not libraries. Our clock has the clearing of a search's state
in it, that of adds, atos and blest the kernels alone. Libraries called here ran on the same kind of device. A network
that the study has under two names has one row. Empty cells were not measured.
"""

import numpy as np

from warpath.results import charts, libraries, style
from warpath.results.figures import Nothing
from warpath.runs import statuses

COLUMNS = [
    *["problem", "graph", "stand_in_for", "arcs", "own", "own_launch", "own_device", "device_name", "own_ms"],
    *["algorithm", "device", "library_ms", *charts.SPEEDUP],
]
HEADS = {
    "published": "published",
    "published_code": "a paper's",
    "peer_gpu": "run here",
    "published_cpu": "CPU, publ.",
    "peer": "CPU",
}
ROW, HEADING = 0.36, 1.1  # inches
LETTERS, SMALL_LETTERS = 10, 8  # points: fifteen columns have room for them
END = 100  # of the scale of colours


def draw(tables):
    table = libraries.against(tables.timings, tables.summary, tables.published)
    if table.empty:
        raise Nothing("no library is installed (make peers installs them), and none has published times for this card")
    table = once(table, tables.summary)
    panels = charts.by_problem(table)
    graphs = [rows["graph"].nunique() for rows in panels.values()]
    figure, axes = charts.panels([ROW * (count + (count > 1)) for count in graphs], HEADING)
    for ax, (title, panel) in zip(axes, panels.items(), strict=True):
        _cells(ax, panel, f"{title}: {style.short_name(panel['own'].iloc[0])} over each library")
    return charts.picture(figure, __doc__, table, reading, COLUMNS, libraries.runs(tables.summary, table))


def once(table, summary):
    """The rows of each network under one name: of names of equal vertices and arcs, that with most libraries."""
    sizes = summary.drop_duplicates("graph").set_index("graph")["vertices"]
    network = [table["problem"], table["graph"].map(sizes), table["arcs"]]
    counts = table.groupby(["problem", "graph"])["algorithm"].transform("count")
    chosen = table.assign(count=counts).sort_values("count", ascending=False, kind="stable")
    names = chosen.groupby(network, sort=False)["graph"].transform("first")
    return table[table["graph"] == names.reindex(table.index)].reset_index(drop=True)


def _cells(ax, table, title):
    """Draw a column per library and kind of its times: those on a GPU first, then by name."""
    pairs = set(zip(table["device"], table["algorithm"].map(style.plain_name), strict=True))
    columns = sorted(pairs, key=lambda pair: (list(HEADS).index(pair[0]), pair[1]))
    graphs = table.sort_values(["arcs", "graph"])["graph"].unique()
    places = {pair: place for place, pair in enumerate(columns)}
    ratios = np.full((len(graphs) + (len(graphs) > 1), len(columns)), np.nan)
    for row in table.to_dict("records"):
        y, x = list(graphs).index(row["graph"]), places[row["device"], style.plain_name(row["algorithm"])]
        ratios[y, x] = row["speedup"]
        low, high, colour = row["speedup_low"], row["speedup_high"], style.on(row["speedup"], END)
        words = "≈" if low <= 1 <= high else "", style.factor(row["speedup"]), statuses.weakness(row["flags"])
        style.cell(ax, x + 0.5, y + 0.36, " ".join(words).strip(), LETTERS, colour)
        interval = f"{style.factor(low)[:-1]}–{style.factor(high)[:-1]}"
        style.cell(ax, x + 0.5, y + 0.76, interval, SMALL_LETTERS, colour)
    if len(graphs) > 1:
        ratios[-1] = np.exp(np.nanmean(np.log(ratios[:-1]), axis=0))  # no column is empty
        for x, mean in enumerate(ratios[-1]):
            style.cell(ax, x + 0.5, len(graphs) + 0.5, style.factor(mean), LETTERS, style.on(mean, END), "bold")
    labels = [f"{graph} · {style.count(table.loc[table['graph'] == graph, 'arcs'].iloc[0])}" for graph in graphs]
    heads = [f"{name}\n{HEADS[device]}" for device, name in columns]
    names = [*labels, "geometric mean"][: len(ratios)]
    charts.ratio_table(ax, ratios, END, heads, names, size=LETTERS - 0.5, title=title)
    first_cpu = sum(device in libraries.ON_GPU for device, _ in columns)
    ax.axvline(first_cpu, color=style.INK, lw=1.5)


def reading(table):
    spans = {}
    for problem, rows in table.groupby("problem", sort=False):
        closest = libraries.closest(rows)
        least, most = closest.loc[closest["speedup"].idxmin()], closest["speedup"].max()
        kind = libraries.GPU_CODE if least["device"] in libraries.ON_GPU else "library"
        peer = f"{style.plain_name(least['algorithm'])}, {least['graph']}"
        span = f"{problem.upper()} {style.factor(least['speedup'])} ({peer}) to {style.factor(most)}"
        spans.setdefault(kind, []).append(span)
    return " ".join(f"Over the best {kind}: {', '.join(each)}." for kind, each in spans.items())
