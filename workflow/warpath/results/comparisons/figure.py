"""Draw a comparison: a line for each algorithm, on it a mark for each graph and launch at its ratio of times."""

import numpy as np

from warpath.results import figures, style
from warpath.results.comparisons import ratios

LOOKS = {  # colour, marker and size: the shape alone tells verdicts apart
    ratios.SAME: (style.MUTED, "|", 11),
    ratios.UNDECIDED: (style.MUTED, "o", 5.5),
    ratios.FASTER: (style.BLUE, "<", 8),
    ratios.SLOWER: (style.VERMILLION, ">", 8),
}
BANDS = {  # what a verdict means on the axis
    ratios.FASTER: "◂ B is faster",
    ratios.SLOWER: "B is slower ▸",
}
TITLE = "Time in B over time in A"
MANY = 2000  # of more marks than this, an SVG holds a picture
LINE = 0.36  # inches for an algorithm


def draw(table, names, mark, folder, file="comparison"):
    """Write <file>.svg and .png; return the sentence that tells what they show, the alternative text."""
    import matplotlib.pyplot as plt

    style.apply()
    again = int((table["basis"] == ratios.ONE).sum())
    note = "\n".join(f"{side}: {name}" for side, name in zip("AB", names, strict=True))
    note += f"\n{again} runs are one and the same measurement on both sides and not drawn" if again else ""
    timed = table[table["ratio"].notna() & (table["basis"] != ratios.ONE)]
    algorithms = _algorithms(timed)
    figure, ax = plt.subplots(figsize=(style.WIDTH, LINE * max(len(algorithms), 2) + 1.1))
    ax.axvspan(1 / mark, mark, color="#EDEDED", zorder=0)
    ax.axvline(1, color=style.INK, lw=1, zorder=1)
    for height, algorithm in enumerate(algorithms):
        _line(ax, height, timed[timed["algorithm"] == algorithm], many=len(timed) > MANY)
    if timed.empty:
        ax.text(0.5, 0.5, "no run was measured anew", transform=ax.transAxes, ha="center", va="center")
    _axes(ax, timed, algorithms)
    _heading(figure, TITLE, note)
    reading = _reading(table)
    about = {"Title": TITLE, "Description": reading, "Date": None}
    figures.write(figure, {folder / f"{file}.svg": about, folder / f"{file}.png": None})
    plt.close(figure)
    return reading


def _algorithms(timed):
    """The algorithms of each problem, those with the largest median ratio first."""
    medians = timed.groupby("algorithm")["ratio"].median()
    return sorted(medians.index, key=lambda algorithm: (algorithm.partition("/")[0], -medians[algorithm]))


def _line(ax, height, rows, many):
    """The marks of one algorithm, spread over the height of its line in a fixed order."""
    spread = np.linspace(-0.28, 0.28, len(rows)) if len(rows) > 1 else [0]
    rows = rows.sort_values(["graph", "launch"]).assign(height=height + np.asarray(spread))
    for verdict, (colour, marker, size) in LOOKS.items():
        marks = rows[rows["verdict"] == verdict]
        face = "none" if verdict == ratios.UNDECIDED else colour
        looks = {"mfc": face, "ms": size, "ls": "", "mew": 1.2, "zorder": 3, "rasterized": many}
        ax.plot(marks["ratio"], marks["height"], marker, color=colour, **looks)
        if verdict in BANDS:
            ends = marks[["low", "high"]].replace(np.inf, np.nan)
            ax.hlines(
                marks["height"], ends["low"], ends["high"], color=colour, lw=1.2, alpha=0.7, zorder=2, rasterized=many
            )
    counts = rows["verdict"].value_counts()
    words = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ratios.VERDICTS if verdict in counts)
    ax.text(1.01, height, words, transform=ax.get_yaxis_transform(), va="center", fontsize=11, color=style.MUTED)


def _axes(ax, timed, algorithms):
    from matplotlib import ticker

    finite = timed[["ratio", "low", "high"]].replace([np.inf, 0], np.nan)
    reach = np.nanmax([finite["ratio"].max(), 1 / finite["ratio"].min(), 1.3]) ** 1.08
    ax.set_xscale("log")
    ax.set_xlim(1 / reach, reach)
    steps = [1.1, 1.25, 1.5, 2, 3, 5, 10, 30, 100, 300, 1000]
    wanted = [step for step in steps if step < reach]
    kept = [step for step in wanted if reach < 2.5 or step in (1.5, 2, 3, 5, 10, 30, 100, 300, 1000)]
    kept = [step for step in kept if reach < 12 or step in (3, 10, 30, 100, 300, 1000)]
    places = sorted({1, *kept, *(1 / step for step in kept)})
    ax.xaxis.set_major_locator(ticker.FixedLocator(places))
    ax.xaxis.set_minor_locator(ticker.NullLocator())
    ax.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: style.factor(value)))
    ax.set_xlabel("time in B over time in A")
    for verdict, place in ((ratios.FASTER, 0.0), (ratios.SLOWER, 1.0)):
        side = "left" if place == 0 else "right"
        ax.text(place, 1.0, BANDS[verdict], transform=ax.transAxes, ha=side, va="bottom", color=LOOKS[verdict][0])
    ax.set_yticks(range(len(algorithms)), algorithms)
    ax.set_ylim(max(len(algorithms), 1) - 0.5, -0.5)
    ax.grid(visible=False, axis="y")


def _heading(figure, title, note):
    inch = 1 / figure.get_figheight()
    figure.text(0.005, 1 + 0.30 * inch, note, ha="left", va="bottom", fontsize=11.5, color=style.MUTED)
    lines = note.count("\n") + 1
    figure.text(0.005, 1 + (0.38 + 0.2 * lines) * inch, title, ha="left", va="bottom", fontsize=18, fontweight="bold")


def _reading(table):
    counts = ratios.counts(table)
    words = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    return f"Of {len(table)} runs that both sides have: {words}.{_extremes(table)}"


def _extremes(table):
    sentences = []
    for verdict, adverb in ((ratios.SLOWER, "slower"), (ratios.FASTER, "faster")):
        rows = table[(table["verdict"] == verdict) & table["ratio"].notna()]
        if len(rows):
            row = rows.iloc[0]
            run = f"{row['algorithm']} {row['launch']} on {row['graph']}"
            sentences.append(f" Most surely {adverb}: {run}, {style.factor(row['ratio'])} the time.")
    return "".join(sentences)
