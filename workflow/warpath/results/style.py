"""How every figure looks, and says it: colours, markers, units, and the words for devices and launches.

All colours are defined here. Any two of PALETTE differ for readers with deuteranopia or protanopia too, and all stand
out from white. An algorithm's look comes from its place among its problem's, so a new one can be drawn at once.
"""

import colorsys
import functools
import math
import re
import zlib
from pathlib import Path

from warpath.algorithms.launches import AXES
from warpath.base.places import KERNELS
from warpath.runs import statuses

BLUE, VERMILLION, TEAL, PINK, CYAN, DARK = "#0072B2", "#D55E00", "#038E82", "#EA2B71", "#02A2C5", "#222222"
PALETTE = [BLUE, VERMILLION, TEAL, PINK, CYAN, "#751504", "#345D49", "#4F2659", "#220DC5", DARK]
MARKERS = "os^DvPX*"  # all told apart at the size of a dot: no polygons of five, six or eight corners
INK, MUTED, FRAME, GRID, EMPTY, PAPER = "#262626", "#5F5F5F", "#CCCCCC", "#E4E4E4", "#EEEEEE", "#FFFFFF"

DEVICES = {
    "cuda": "GPU",
    "host": "host (CPU emulation)",
    "cpu": "CPU, sequential",
    "peer": "library (CPU)",
    "peer_gpu": "library (GPU)",
}
COLOURS = dict(zip(DEVICES.values(), [BLUE, PINK, DARK, TEAL, VERMILLION], strict=True))
PUBLISHED = "#7A6A00"
LAUNCHES = {"tree": "with tree", "d0": "own delta"} | {word: f"by {word}" for word in ("source", "target", "buckets")}
LETTERS = {axis.letter: axis.name for axis in AXES.values() if axis.letter}
INKS = ("#000000", "#FEFEFE")  # of words on a coloured cell: unlike INK and PAPER they do not change in the dark
DOT = "  ·  "
WIDTH = 12.5  # inches: with 13-point text, legible when the figure fills a slide


@functools.cache
def look(algorithm):
    """Colour and marker of an algorithm, the same in every figure; no other of its problem has both."""
    problem, name = algorithm.split("/")
    names = sorted(file.stem for file in Path(KERNELS, problem).glob("[a-z]*.py"))
    names.sort(key=lambda name: name.startswith("peer_") - name.startswith("cpu_"))
    names += sorted(folder.name for folder in Path(KERNELS, "programs").iterdir())
    rank = names.index(name) if name in names else 40 + zlib.crc32(name.encode()) % 40
    return PALETTE[rank % 10 - 1], MARKERS[(rank + rank // 40) % 8]


def plain_name(algorithm):
    """The name for readers: without its problem, and a library's without the mark of one."""
    return algorithm.split("/")[-1].removeprefix("peer_")


def launch(label):
    """A launch in words, such as "alpha 16, beta 64, with tree"; empty for that of an algorithm with a single one."""
    parts = [re.fullmatch(r"(.*?)(\d*)", part).groups() for part in label.replace("default", "").split("-")]
    words = (LAUNCHES.get(name + number) or f"{LETTERS.get(name, name)} {number}".strip() for name, number in parts)
    return ", ".join(words)


def devices(summary):
    """A line with each kind of device that ran something, and its hardware."""
    names = {device: sorted(rows.dropna().unique()) for device, rows in summary.groupby("device")["device_name"]}
    parts = [f"{DEVICES[kind]}: {', '.join(names[kind]) or 'unknown hardware'}" for kind in DEVICES if kind in names]
    return DOT.join(parts + ["CPU emulation says nothing about a GPU's speed"] * ("host" in names))


def ending(row):
    """How a run ended, in words; of a timeout also the time limit."""
    limit = duration(1000 * row.get("time_limit_s", math.nan)) if row["status"] == statuses.TIMEOUT else ""
    return f"{statuses.WORDS[row['status']]}{f' after {limit}' if limit else ''}"


def digits(value):
    """Format a number with up to three digits, as people write it: 0.0251, 17.1, 1,280."""
    return f"{float(f'{value:.3g}'):,.12f}".rstrip("0").rstrip(".")


def in_units(value, units):
    """Format a value in the largest of its units, by name, that is not above it; empty if it is not known."""
    if value is None or math.isnan(value):
        return ""
    name, size = [pair for pair in units.items() if pair[1] <= value or pair[1] == min(units.values())][-1]
    return f"{digits(value / size)} {name}".rstrip()


duration = functools.partial(in_units, units={"ns": 1e-6, "µs": 1e-3, "ms": 1, "s": 1e3})  # of milliseconds
count = functools.partial(in_units, units={"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12})
memory = functools.partial(in_units, units={"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9})
joules = functools.partial(in_units, units={"µJ": 1e-6, "mJ": 1e-3, "J": 1, "kJ": 1e3})


def factor(value):
    """Format a ratio: 0.25×, 3.1×, 1,200×."""
    return f"{digits(value)}×"


def percent(value):
    """Format a percentage: 0.012 %, 5.4 %, 67 %."""
    return f"{digits(float(f'{value:.2g}'))} %"


def span(values, wording=factor):
    """From the least to the most of these values: 1.6 to 12×."""
    low, high = (wording(end) for end in (min(values), max(values)))
    return high if low == high else f"{low.removesuffix('×')} to {high}"


def all_of(total, noun):
    """1 graph, both graphs, all 3 graphs."""
    return {1: f"1 {noun}", 2: f"both {noun}s"}.get(total, f"all {total} {noun}s")


def night():
    """For each colour of this file that in its place in a dark scheme: of the same hue, pale where it is dark."""
    found = {}
    for colour in (PAPER, INK, MUTED, FRAME, GRID, EMPTY, PUBLISHED, *PALETTE):
        hue, light, saturation = colorsys.rgb_to_hls(*(part / 255 for part in bytes.fromhex(colour[1:])))
        turned = colorsys.hls_to_rgb(hue, 1 - 0.9 * light, saturation)
        found[colour.lower()] = f"#{bytes(round(255 * part) for part in turned).hex()}"
    return found
