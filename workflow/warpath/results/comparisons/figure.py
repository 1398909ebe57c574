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
ENDS = {  # of the axis, and what a verdict means there
    ratios.FASTER: (0, "left", "◂ B is faster"),
    ratios.SLOWER: (1, "right", "B is slower ▸"),
}
TITLE = "Time in B over time in A"
MANY = 2000  # of more marks than this, an SVG holds a picture
STEPS = (1.1, 1.25, 1.5, 2, 3, 5, 10, 30, 100, 300, 1000)  # labels of the axis
LINE = 0.36  # inches for an algorithm


def draw(table, names, mark, folder, file="comparison"):
    """Write <file>.svg and .png; return the sentence that tells what they show, the alternative text."""
    import matplotlib.pyplot as plt

    style.apply()
    timed = table[table["ratio"].notna() & (table["basis"] != ratios.ONE)]
    medians = timed.groupby("algorithm")["ratio"].median()
    algorithms = sorted(medians.index, key=lambda algorithm: (algorithm.partition("/")[0], -medians[algorithm]))
    figure, ax = plt.subplots(figsize=(style.WIDTH, LINE * max(len(algorithms), 2) + 1.1))
    for height, algorithm in enumerate(algorithms):
        _line(ax, height, timed[timed["algorithm"] == algorithm], many=len(timed) > MANY)
    ax.update_datalim([(reach, 0) for ratio in timed["ratio"] for reach in (ratio, 1 / ratio)])  # 1 is in the middle
    style.log_axis(ax.xaxis, style.factor, least_span=1.6)
    steps = [step for step in STEPS if step < ax.get_xlim()[1]][-3:]
    ax.set_xticks([*(1 / step for step in steps), 1, *steps])
    ax.axvspan(1 / mark, mark, color="#EDEDED", zorder=0)
    ax.axvline(1, color=style.INK, lw=1, zorder=1)
    if timed.empty:
        ax.text(0.5, 0.5, "no run was measured anew", transform=ax.transAxes, ha="center", va="center")
    ax.set_xlabel("time in B over time in A")
    for verdict, (place, side, words) in ENDS.items():
        ax.text(place, 1, words, transform=ax.transAxes, ha=side, va="bottom", color=LOOKS[verdict][0])
    ax.set_yticks(range(len(algorithms)), algorithms)
    ax.set_ylim(max(len(algorithms), 1) - 0.5, -0.5)
    ax.grid(visible=False, axis="y")
    again = int((table["basis"] == ratios.ONE).sum())
    note = [f"{side}: {name}" for side, name in zip("AB", names, strict=True)]
    note += [f"{again} runs are one and the same measurement on both sides and not drawn"] if again else []
    inch = 1 / figure.get_figheight()
    looks = {"ha": "left", "va": "bottom"}
    figure.text(0.005, 1 + 0.3 * inch, "\n".join(note), fontsize=11.5, color=style.MUTED, **looks)
    figure.text(0.005, 1 + (0.38 + 0.2 * len(note)) * inch, TITLE, fontsize=18, fontweight="bold", **looks)
    sentences = [f"Of {len(table)} runs that both sides have: {ratios.counted(table)}."]
    for verdict in ratios.STEPS:
        rows = table[(table["verdict"] == verdict) & table["ratio"].notna()]
        if len(rows):
            row = rows.iloc[0]
            run = f"{row['algorithm']} {row['launch']} on {row['graph']}"
            sentences.append(f"Most surely {verdict}: {run}, {style.factor(row['ratio'])} the time.")
    reading = " ".join(sentences)
    figures.write(figure, file, {"Title": TITLE, "Description": reading}, folder)
    return reading


def _line(ax, height, rows, many):
    """The marks of one algorithm, spread over the height of its line in a fixed order."""
    spread = np.linspace(-0.28, 0.28, len(rows)) if len(rows) > 1 else np.zeros(1)
    rows = rows.sort_values(["graph", "launch"]).assign(height=height + spread)
    for verdict, (colour, marker, size) in LOOKS.items():
        marks = rows[rows["verdict"] == verdict]
        face = "none" if verdict == ratios.UNDECIDED else colour
        looks = {"mfc": face, "ms": size, "ls": "", "mew": 1.2, "zorder": 3, "rasterized": many}
        ax.plot(marks["ratio"], marks["height"], marker, color=colour, **looks)
        if verdict in ENDS:
            low, high = (marks[end].replace(np.inf, np.nan) for end in ("low", "high"))
            ax.hlines(marks["height"], low, high, color=colour, lw=1.2, alpha=0.7, zorder=2, rasterized=many)
    words = ratios.counted(rows)
    ax.text(1.01, height, words, transform=ax.get_yaxis_transform(), va="center", fontsize=11, color=style.MUTED)
