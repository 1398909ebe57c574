"""How every figure looks: theme, colours, markers, units on axes, and the words for devices and statuses.

All colours are defined here. An algorithm that is not in LOOKS gets a look computed from its name, so a new one can be
drawn at once and always looks the same.
"""

import itertools
import math
import textwrap
import zlib

BLUE, SKY, GREEN, ORANGE, VERMILLION, PURPLE = "#0072B2", "#3B93D2", "#00906A", "#BF8200", "#D55E00", "#C0639A"
WINE, OLIVE, TEAL, BROWN, DARK, GREY = "#882255", "#84842A", "#2F978A", "#8C510A", "#444444", "#858585"
INDIGO = "#332288"
INK, MUTED, WARNING = "#222222", "#5F5F5F", "#A40000"

LOOKS = {  # colour and marker; either alone tells two algorithms of a problem apart
    "bfs/cpu_queue": (DARK, "P"),
    "bfs/frontier": (BLUE, "s"),
    "bfs/frontier_struct": (SKY, "D"),
    "bfs/one_frontier": (BROWN, "*"),
    "bfs/one_frontier_struct": (TEAL, "X"),
    "bfs/level": (VERMILLION, "o"),
    "bfs/queue": (GREEN, "^"),
    "bfs/scan": (PURPLE, "v"),
    "bfs/persistent": (WINE, "p"),
    "sssp/cpu_dijkstra": (DARK, "P"),
    "sssp/cpu_bellman_ford": (GREY, "X"),
    "sssp/cpu_all_rounds": (DARK, "8"),
    "sssp/racy": (BROWN, "*"),
    "sssp/bugged": (BROWN, "X"),
    "sssp/coarsened_strided": (ORANGE, "D"),
    "sssp/two_kernel": (VERMILLION, "o"),
    "sssp/coarsened": (ORANGE, "s"),
    "sssp/bellman_ford": (BLUE, "D"),
    "sssp/two_flags": (SKY, "h"),
    "sssp/bmf_outcore": (GREEN, "^"),
    "sssp/bmf_shared": (OLIVE, "v"),
    "sssp/bmf_incore": (TEAL, "<"),
    "sssp/tpe_outcore": (PURPLE, ">"),
    "sssp/tpe_incore": (WINE, "p"),
    "sssp/tpe_outcore_one_scan": (PURPLE, "*"),
    "sssp/tpe_incore_one_scan": (WINE, "*"),
    "sssp/near_far": (INDIGO, "d"),
    "apsp/cpu_floyd_warshall": (DARK, "P"),
    "apsp/cpu_repeated_dijkstra": (GREY, "X"),
    "apsp/repeated_sssp": (GREEN, "^"),
    "apsp/fw_vertex": (SKY, "D"),
    "apsp/fw_pair": (BLUE, "s"),
    "apsp/fw_blocked": (VERMILLION, "o"),
    "apsp/fw_tiled": (WINE, "p"),
    "apsp/batched": (INDIGO, "d"),
}
LIBRARY_LOOKS = {  # the same for every problem, published or called here
    "galois": (BLUE, "<"),
    "gswitch": (VERMILLION, "8"),
    "gunrock": (GREEN, ">"),
    "cugraph": (PURPLE, "H"),
    "peer_cugraph": (PURPLE, "^"),  # called here, beside its published times
    "scipy": (SKY, "8"),
    "networkx": (BROWN, "H"),
    "igraph": (TEAL, "8"),
    "networkit": (ORANGE, "H"),
    "graphblas": (OLIVE, "<"),
}
SPARE_LOOKS = list(itertools.product([BLUE, GREEN, ORANGE, WINE, TEAL, BROWN, PURPLE], ["d", "H", "8", "<", ">"]))

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
STATUSES = {
    "ok": "ok",
    "wrong": "wrong answer",
    "timeout": "timed out",
    "out_of_memory": "out of memory",
    "unsupported": "unsupported",
    "failed": "failed",
    "missing": "no result",
}
PUBLISHED = "#7A6A00"
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
    seaborn.set_theme(style="whitegrid", palette=[BLUE, VERMILLION, GREEN, ORANGE, PURPLE, SKY])
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
            "axes.edgecolor": "#B5B5B5",
            "grid.color": "#E4E4E4",
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


def algorithm_label(algorithm, device):
    """The label of an algorithm in legends, with its device: times of different devices are always told apart."""
    return f"{short_name(algorithm).removeprefix('peer_')} ({SHORT_DEVICES[device]})"


def devices(summary):
    """A line with each kind of device that ran something, and its hardware."""
    parts = []
    for device, rows in sorted(summary.groupby("device"), key=lambda item: list(DEVICES).index(item[0])):
        names = ", ".join(sorted(rows["device_name"].dropna().unique())) or "unknown hardware"
        parts.append(f"{DEVICES[device]}: {names}")
    warning = "  ·  CPU emulation says nothing about a GPU's speed" if "host" in set(summary["device"]) else ""
    return "  ·  ".join(parts) + warning


def heading(figure, title, summary):
    """Write a title (or the first line of a docstring) and the line of devices above the figure's top edge.

    Saving with a tight bounding box makes room for them.
    """
    title = title.partition("\n")[0].rstrip(".")
    inch = 1 / figure.get_figheight()
    line = textwrap.fill(devices(summary), int(figure.get_figwidth() * 11.5))
    figure.text(0.005, 1 + 0.12 * inch, line, ha="left", va="bottom", fontsize=11.5, color=MUTED)
    above = 1 + (0.24 + 0.2 * (line.count("\n") + 1)) * inch
    figure.text(0.005, above, title, ha="left", va="bottom", fontsize=18, fontweight="bold")


def duration(milliseconds):
    """Format a time in a suitable unit with up to three digits: 12.3 µs, 4.56 ms, 78.9 s."""
    if milliseconds is None or math.isnan(milliseconds):
        return ""
    for limit, factor, unit in ((1, 1000, "µs"), (1000, 1, "ms")):
        if milliseconds < limit:
            return f"{_digits(milliseconds * factor)} {unit}"
    return f"{_digits(milliseconds / 1000)} s"


def factor(value):
    """Format a ratio: 0.25×, 3.1×, 120×."""
    return f"{_digits(value)}×"


def count(value):
    """Format the size of a graph: 8.9 K, 1.2 M."""
    for limit, unit in ((1e9, " G"), (1e6, " M"), (1e3, " K")):
        if value >= limit:
            return f"{_digits(value / limit)}{unit}"
    return f"{value:g}"


def _digits(value):
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
    axis.set_minor_formatter(ticker.NullFormatter())
