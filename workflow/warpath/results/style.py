"""How every figure looks: theme, colours, markers, units on axes, and the words for devices.

All colours are defined here. Any two of PALETTE differ for readers with deuteranopia or protanopia too, and all stand
out from white. An algorithm that is not in LOOKS gets a look computed from its name, so a new one can be drawn at once
and always looks the same.
"""

import itertools
import math
import textwrap
import zlib

from warpath.runs import statuses

BLUE, VERMILLION, TEAL, PINK, CYAN = "#0072B2", "#D55E00", "#038E82", "#EA2B71", "#02A2C5"
MAROON, FOREST, PLUM, INDIGO, DARK = "#751504", "#345D49", "#4F2659", "#220DC5", "#222222"
PALETTE = [BLUE, VERMILLION, TEAL, PINK, CYAN, MAROON, FOREST, PLUM, INDIGO, DARK]
MARKERS = "os^DvPX*"  # all told apart at the size of a dot: no polygons of five, six or eight corners
INK, MUTED, PAPER = "#222222", "#5F5F5F", "#FFFFFF"
BAND, FRAME, GRID, EMPTY = "#F5F5F5", "#B5B5B5", "#E4E4E4", "#EEEEEE"

LOOKS = {  # colour and marker; of the algorithms of a problem no two have the same colour and marker
    "bfs/cpu_queue": (DARK, "P"),
    "bfs/frontier": (BLUE, "s"),
    "bfs/frontier_struct": (CYAN, "D"),
    "bfs/one_frontier": (MAROON, "v"),
    "bfs/one_frontier_struct": (FOREST, "X"),
    "bfs/queue_struct": (CYAN, "^"),
    "bfs/matrix": (CYAN, "s"),
    "bfs/level": (VERMILLION, "o"),
    "bfs/queue": (TEAL, "^"),
    "bfs/scan": (PINK, "v"),
    "bfs/persistent": (INDIGO, "*"),
    "sssp/cpu_dijkstra": (DARK, "P"),
    "sssp/cpu_bellman_ford": (PLUM, "X"),
    "sssp/cpu_all_rounds": (DARK, "X"),
    "sssp/racy": (PINK, "*"),
    "sssp/bugged": (PINK, "X"),
    "sssp/two_kernel": (VERMILLION, "o"),
    "sssp/coarsened": (MAROON, "s"),
    "sssp/coarsened_strided": (MAROON, "D"),
    "sssp/bellman_ford": (BLUE, "D"),
    "sssp/two_flags": (CYAN, "s"),
    "sssp/bmf_outcore": (TEAL, "^"),
    "sssp/bmf_shared": (FOREST, "v"),
    "sssp/bmf_incore": (BLUE, "o"),
    "sssp/tpe_outcore": (PINK, "D"),
    "sssp/tpe_incore": (MAROON, "P"),
    "sssp/tpe_outcore_one_scan": (PINK, "v"),
    "sssp/tpe_incore_one_scan": (MAROON, "^"),
    "sssp/near_far": (INDIGO, "*"),
    "apsp/cpu_floyd_warshall": (DARK, "P"),
    "apsp/cpu_repeated_dijkstra": (PLUM, "X"),
    "apsp/repeated_sssp": (TEAL, "^"),
    "apsp/fw_vertex": (CYAN, "D"),
    "apsp/fw_pair": (BLUE, "s"),
    "apsp/fw_blocked": (VERMILLION, "o"),
    "apsp/fw_tiled": (MAROON, "v"),
    "apsp/batched": (INDIGO, "*"),
    "apsp/eliminated": (FOREST, "P"),
}
LIBRARY_LOOKS = {  # the same for every problem, published or called here
    "galois": (BLUE, "^"),
    "gswitch": (VERMILLION, "X"),
    "gunrock": (TEAL, "P"),
    "cugraph": (PLUM, "o"),
    "peer_cugraph": (PLUM, "s"),  # called here, beside its published times
    "scipy": (CYAN, "v"),
    "networkx": (MAROON, "X"),
    "igraph": (TEAL, "D"),
    "networkit": (PINK, "s"),
    "graphblas": (FOREST, "o"),
}
SPARE_LOOKS = list(itertools.product([BLUE, TEAL, MAROON, FOREST, CYAN, PLUM, PINK], "DX^vP"))

KINDS = {  # colours of devices, where every series has a row and a name of its own
    "cuda": BLUE,
    "host": PINK,
    "peer_gpu": VERMILLION,
    "published": VERMILLION,
    "peer": TEAL,
    "cpu": DARK,
}
DEVICES = {
    "cuda": "GPU",
    "host": "host (CPU emulation)",
    "cpu": "CPU, sequential",
    "peer": "library (CPU)",
    "peer_gpu": "library (GPU)",
}
SHORT_DEVICES = {
    "cuda": "GPU",
    "host": "host emulation",
    "cpu": "sequential CPU",
    "peer": "library, CPU",
    "peer_gpu": "library, GPU",
    "published": "published",
}
PUBLISHED = "#7A6A00"
FINDING_LETTERS = 98  # of the finding, a figure's title, that fit into a line
DOT = "  ·  "
TICK, TABLE = 9.5, 3.5  # points between axes and the names of their rows and columns
WIDTH = 12.5  # inches: with 13-point text, legible when the figure fills a slide


def look(algorithm):
    """Colour and marker of an algorithm, the same in every figure."""
    name = short_name(algorithm)
    known = LOOKS.get(algorithm) or LIBRARY_LOOKS.get(name) or LIBRARY_LOOKS.get(name.removeprefix("peer_"))
    return known or SPARE_LOOKS[zlib.crc32(algorithm.encode()) % len(SPARE_LOOKS)]


def apply():
    """Set the theme. Text is never parsed as mathematics: a graph's name may be `a_$b$`."""
    import matplotlib as mpl
    import seaborn

    mpl.use("Agg")
    seaborn.set_theme(style="whitegrid", palette=PALETTE)
    mpl.rcParams.update(
        {
            "font.size": 13,
            "axes.titlesize": 15,
            "axes.titleweight": "bold",
            "axes.titlelocation": "left",
            "axes.labelsize": 13,
            "xtick.labelsize": 12,
            "ytick.labelsize": 12,
            "legend.fontsize": 12,
            "legend.title_fontsize": 12,
            "axes.edgecolor": FRAME,
            "grid.color": GRID,
            "text.color": INK,
            "axes.labelcolor": INK,
            "xtick.color": INK,
            "ytick.color": INK,
            "text.parse_math": False,
            "svg.hashsalt": "warpath",
            "figure.constrained_layout.use": True,
            "savefig.dpi": 144,
        }
    )


def short_name(algorithm):
    """The name of an algorithm without its problem."""
    return algorithm.split("/")[-1]


def plain_name(algorithm):
    """The name for readers: without its problem, and a library's without the mark of one."""
    return short_name(algorithm).removeprefix("peer_")


def algorithm_label(algorithm, device):
    """The label of an algorithm in legends, with its device: times of different devices are always told apart."""
    return f"{plain_name(algorithm)} ({SHORT_DEVICES[device]})"


def devices(summary):
    """A line with each kind of device that ran something, and its hardware."""
    parts = []
    for device, word in DEVICES.items():
        if len(rows := summary[summary["device"] == device]):
            parts.append(f"{word}: {', '.join(sorted(rows['device_name'].dropna().unique())) or 'unknown hardware'}")
    warning = ["CPU emulation says nothing about a GPU's speed"] if "host" in set(summary["device"]) else []
    return DOT.join(parts + warning)


def heading(figure, title, summary, finding=""):
    """Write the finding as the figure's title, and under it the title (or the first line of a docstring) and devices.

    Without a finding the title is the only one. Saving with a tight bounding box makes room for them.
    """
    title = title.partition("\n")[0].rstrip(".")
    inch = 1 / figure.get_figheight()
    first, *others = [*([title] if finding else []), *devices(summary).split(DOT)]
    lines = [first]
    for part in others:
        if len(lines[-1]) + len(DOT) + len(part) <= int(figure.get_figwidth() * 11):
            lines[-1] += DOT + part
        else:
            lines.append(part)
    above = 1 + (0.24 + 0.2 * len(lines)) * inch
    large = textwrap.fill(finding, int(FINDING_LETTERS * figure.get_figwidth() / WIDTH)) or title
    figure.text(0.005, 1 + 0.12 * inch, "\n".join(lines), ha="left", va="bottom", fontsize=11.5, color=MUTED)
    size = 15 if finding else 18
    figure.text(0.005, above, large, ha="left", va="bottom", fontsize=size, fontweight="bold", linespacing=1.15)


def duration(milliseconds):
    """Format a time in a suitable unit with up to three digits: 26.2 ns, 12.3 µs, 4.56 ms, 78.9 s."""
    if milliseconds is None or math.isnan(milliseconds):
        return ""
    for limit, factor, unit in ((0.001, 1_000_000, "ns"), (1, 1000, "µs"), (1000, 1, "ms")):
        if milliseconds < limit:
            return f"{digits(milliseconds * factor)} {unit}"
    return f"{digits(milliseconds / 1000)} s"


def factor(value):
    """Format a ratio: 0.25×, 3.1×, 120×."""
    return f"{digits(value)}×"


def percent(value):
    """Format a percentage: 0.012 %, 5.4 %, 67 %."""
    digits = 1 - math.floor(math.log10(value)) if value > 0 else 0
    text = f"{float(f'{value:.2g}'):.{max(digits, 0)}f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} %"


def count(value):
    """Format the size of a graph: 8.9 K, 1.2 M."""
    for limit, unit in ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " K")):
        if value >= limit:
            return f"{digits(value / limit)}{unit}"
    return f"{value:.3g}"


def digits(value):
    """Format a number with up to three digits and no exponent."""
    text = f"{value:.3g}"
    return f"{float(text):.0f}" if "e+" in text else text


def log_axis(axis, wording, least_span=8, room=0):
    """Make `ax.xaxis` or `ax.yaxis` logarithmic, with enough labels, formatted by `wording`, to read values off.

    The axis spans at least a factor of `least_span`, so that nearly equal times do not look far apart. `room` is the
    share of its length that is added, empty, at the upper end.
    """
    from matplotlib import ticker

    name = axis.axis_name
    getattr(axis.axes, f"set_{name}scale")("log")
    low, high = sorted(getattr(axis.axes.dataLim, f"interval{name}"))
    low, high = (low, high) if 0 < low <= high < math.inf else (1, 1)
    centre, half = (low * high) ** 0.5, max(high / low, least_span) ** 0.54 * 1.2  # so that no marker touches the frame
    low, high = centre / half, centre * half ** (1 + 2 * room)
    getattr(axis.axes, f"set_{name}lim")(low, high)
    decades = math.log10(high / low)
    subs = (1.0,) if decades > 4.5 else (1.0, 3.0) if decades > 2 else (1.0, 2.0, 5.0)
    axis.set_major_locator(ticker.LogLocator(base=10, subs=subs, numticks=12))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: wording(value)))
    axis.set_minor_locator(ticker.NullLocator())  # they would be invisible, and take a third of the time to draw


def ratios():
    """The colours of ratios: red below 1, blue above, pale about 1; told apart with red-green blindness too."""
    from matplotlib.colors import LinearSegmentedColormap

    stops = ["#8C2D04", "#E6844A", "#F7F4EF", "#5BA3D0", "#08306B"]
    return LinearSegmentedColormap.from_list("ratios", stops)


def on(ratio, end):
    """The colour of text on a cell of a ratio, on a scale that ends at `end`."""
    return PAPER if not math.isnan(ratio) and abs(math.log(ratio)) > 0.6 * math.log(end) else INK


def name_rows(ax, names, gap=TICK, fontsize=12, weight="normal"):
    """Write names left of the axes. `names` maps heights to texts.

    Tick labels look the same, but take several times as long to lay out and to draw.
    """
    ax.yaxis.set_visible(False)
    place, vertical, horizontal = ax.get_yaxis_text1_transform(gap)
    looks = {"transform": place, "va": vertical, "ha": horizontal, "fontsize": fontsize, "weight": weight}
    for height, name in names.items():
        ax.text(0, height, name, label="row", **looks)


def cell(ax, x, y, text, fontsize, colour=INK, weight="normal"):
    """Write in a cell; such texts do not count in the layout of the axes."""
    looks = {"ha": "center", "va": "center", "fontsize": fontsize, "color": colour, "weight": weight}
    ax.text(x, y, text, label="cell", in_layout=False, **looks)


def inches(text, fontsize):
    """The width of a line of text."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    return text_to_path.get_text_width_height_descent(text, FontProperties(size=fontsize), False)[0] / 72


def middles(names):
    """The names of rows or columns by the middles of these."""
    return {place + 0.5: name for place, name in enumerate(names)}


def as_table(ax, heads, names, size=12, title="", **looks):
    """Make axes of cells into a table: the names of columns above, those of rows on the left, the title above all.

    `heads` are the columns' names, or map their middles to them.
    """
    heads = heads if isinstance(heads, dict) else middles(heads)
    ax.set_facecolor(EMPTY)
    ax.xaxis.set_visible(False)
    ax.set_xlim(0, len(heads))
    ax.set_ylim(len(names), 0)
    place, vertical, horizontal = ax.get_xaxis_text2_transform(TABLE)
    for at, head in heads.items():
        ax.text(at, 1, head, label="column", transform=place, va=vertical, ha=horizontal, fontsize=size - 1)
    name_rows(ax, middles(names), TABLE, size)
    lines = 1 + max(head.count("\n") for head in heads.values())
    ax.set_title(title, y=1, pad=TABLE + 1.2 * (size - 1) * lines + 5, **looks)


def ending(row):
    """How a run ended, in words; of a timeout also the time limit."""
    limit = duration(1000 * row.get("time_limit_s", math.nan)) if row["status"] == statuses.TIMEOUT else ""
    return f"{statuses.WORDS[row['status']]}{f' after {limit}' if limit else ''}"
