"""Draw a comparison: a line for each algorithm, on it a mark for each graph and launch at its ratio of times."""

import numpy as np
import pandas as pd

from warpath.results import figures, style
from warpath.results.comparisons import ratios, verdicts

LOOKS = {  # colour, marker and size: the shape alone tells verdicts apart
    verdicts.SAME: (style.MUTED, "|", 11),
    verdicts.UNDECIDED: (style.MUTED, "o", 5.5),
    verdicts.FASTER: (style.BLUE, "<", 8),
    verdicts.SLOWER: (style.VERMILLION, ">", 8),
}
ENDS = {  # of the axis, and what a verdict means there
    verdicts.FASTER: (0, "left", "◂ B is faster"),
    verdicts.SLOWER: (1, "right", "B is slower ▸"),
}
BOUNDS = {verdicts.REPAIRED: verdicts.FASTER, verdicts.BROKEN: verdicts.SLOWER}  # drawn as arrows, at which end
TITLE = "Time in B over time in A"
MANY = 2000  # of more marks than this, an SVG holds a picture
STEPS = (1.1, 1.25, 1.5, 2, 3, 5, 10, 30, 100, 300, 1000)  # labels of the axis
LINE = 0.36  # inches for an algorithm


def draw(table, names, folder, file="comparison"):
    """Write <file>.svg and .png; return the sentence that tells what they show, the alternative text."""
    import matplotlib.pyplot as plt

    from warpath.results import charts

    style.apply()
    timed = table[(table["ratio"].notna() & (table["basis"] != ratios.ONE)) | (table["basis"] == ratios.LIMIT)]
    medians = timed.groupby("algorithm")["ratio"].median().fillna(1)
    algorithms = sorted(medians.index, key=lambda algorithm: (algorithm.partition("/")[0], -medians[algorithm]))
    figure, ax = plt.subplots(figsize=(style.WIDTH, LINE * max(len(algorithms), 2) + 1.1))
    ends = [timed["ratio"], *(timed[timed["verdict"].isin(verdicts.STEPS)][end] for end in ("low", "high"))]
    ax.update_datalim([(end, 0) for ratio in pd.concat(ends).dropna() for end in (ratio, 1 / ratio)])  # 1 in the middle
    style.log_axis(ax.xaxis, style.factor, least_span=1.6)
    steps = [step for step in STEPS if step < ax.get_xlim()[1]][-3:]
    ax.set_xticks([*(1 / step for step in steps), 1, *steps])
    ax.axvline(1, color=style.INK, lw=1, zorder=1)
    for height, algorithm in enumerate(algorithms):
        _line(ax, height, timed[timed["algorithm"] == algorithm], many=len(timed) > MANY)
    if timed.empty:
        ax.text(0.5, 0.5, "no run was measured anew", transform=ax.transAxes, ha="center", va="center")
    ax.set_xlabel("time in B over time in A")
    for verdict, (_, side, words) in ENDS.items():
        ax.set_title(words, loc=side, color=LOOKS[verdict][0], fontsize=12, weight="normal")
    ax.set_yticks(range(len(algorithms)), algorithms)
    ax.set_ylim(max(len(algorithms), 1) - 0.5, -0.5)
    ax.grid(visible=False, axis="y")
    again = int((table["basis"] == ratios.ONE).sum())
    note = [f"{side}: {name}" for side, name in zip("AB", names, strict=True)]
    note += [f"{again} runs are one and the same measurement on both sides and not drawn"] if again else []
    charts.head(figure, TITLE, note)
    sentences = [f"Of {len(table)} runs that both sides have: {verdicts.counted(table['verdict'])}."]
    for verdict in verdicts.STEPS:
        rows = table[(table["verdict"] == verdict) & table["ratio"].notna()]
        if len(rows):
            row = rows.iloc[0]
            run = f"{row['algorithm']} {row['launch']} on {row['graph']}"
            sentences.append(f"Most surely {verdict}: {run}, {style.factor(row['ratio'])} the time.")
    reading = " ".join(sentences)
    figures.write(figure, file, {"Title": TITLE, "Description": reading}, folder)
    return reading


def _line(ax, height, rows, many):
    """The marks of one algorithm, spread over the height of its line, before what is no difference for each."""
    spread = np.linspace(-0.28, 0.28, len(rows)) if len(rows) > 1 else np.zeros(1)
    rows = rows.sort_values(["graph", "launch"]).assign(height=height + spread)
    zone = {"color": "#EDEDED", "lw": 72 * LINE * 0.6 / len(rows) + 2, "zorder": 0, "rasterized": many}
    ax.hlines(rows["height"], 1 / rows["mark"], rows["mark"], **zone)
    for verdict, (colour, marker, size) in LOOKS.items():
        marks = rows[rows["verdict"] == verdict]
        face = "none" if verdict == verdicts.UNDECIDED else colour
        looks = {"mfc": face, "ms": size, "ls": "", "mew": 1.2, "zorder": 3, "rasterized": many}
        ax.plot(marks["ratio"], marks["height"], marker, color=colour, **looks)
        if verdict in ENDS:
            ax.hlines(marks["height"], marks["low"], marks["high"], color=colour, lw=1.2, alpha=0.7, zorder=2)
    for verdict, end in BOUNDS.items():
        bounds, (place, side, _), (colour, marker, size) = rows[rows["verdict"] == verdict], ENDS[end], LOOKS[end]
        if len(bounds):
            looks = {"color": colour, "transform": ax.get_yaxis_transform(), "clip_on": False}
            ax.plot([place] * len(bounds), bounds["height"], marker, ms=size, **looks)
            least = min(bounds.to_dict("records"), key=lambda row: max(row["low"], 1 / row["high"]))
            ax.text(0.98 * place + 0.01, height, ratios.bound(least), ha=side, va="center", fontsize=11, **looks)
    words = verdicts.counted(rows["verdict"], brief=True)
    ax.text(1.01, height, words, transform=ax.get_yaxis_transform(), va="center", fontsize=11, color=style.MUTED)
