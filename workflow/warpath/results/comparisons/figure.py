"""Draw a comparison: a line for each algorithm, on it a mark for each graph and launch at its ratio of times."""

import numpy as np

from warpath.results import figures, style
from warpath.results.comparisons import ratios, verdicts

LOOKS = {  # colour and marker: the shape alone tells verdicts apart
    verdicts.SAME: (style.MUTED, "P"),
    verdicts.UNDECIDED: (style.MUTED, "o"),
    verdicts.FASTER: (style.BLUE, "<"),
    verdicts.SLOWER: (style.VERMILLION, ">"),
}
BOUNDS = {verdicts.REPAIRED: (0.01, "left", "◂"), verdicts.BROKEN: (0.99, "right", "▸")}  # written at the edges
TITLE = "Time in B over time in A"
MANY = 2000  # of more marks than this, an SVG holds a picture
STEPS = (1.1, 1.25, 1.5, 2, 3, 5, 10, 30, 100, 300, 1000)  # labels of the axis
LINE = 0.36  # inches for an algorithm


def draw(table, names, folder, file="comparison"):
    """Write <file>.svg and .png; return the sentence that tells what they show, the alternative text."""
    import matplotlib.pyplot as plt
    import seaborn

    from warpath.results import charts

    style.apply()
    timed = table[(table["ratio"].notna() & (table["basis"] != ratios.ONE)) | (table["basis"] == ratios.LIMIT)]
    groups = timed.groupby("algorithm")
    medians = groups["ratio"].median().fillna(1)
    algorithms = sorted(medians.index, key=lambda algorithm: (algorithm.partition("/")[0], -medians[algorithm]))
    spread = 0.6 * groups.cumcount() / groups["ratio"].transform("size") - 0.28
    timed = timed.assign(height=spread + [algorithms.index(name) for name in timed["algorithm"]])
    figure, ax = plt.subplots(figsize=(style.WIDTH, LINE * max(len(algorithms), 2) + 1.1), layout="constrained")
    raster = {"rasterized": len(timed) > MANY}
    ax.hlines(timed["height"], 1 / timed["mark"], timed["mark"], color=style.GRID, lw=4, zorder=0, **raster)
    steps = timed[timed["verdict"].isin(verdicts.STEPS)]
    colours = [LOOKS[verdict][0] for verdict in steps["verdict"]]
    ax.hlines(steps["height"], steps["low"], steps["high"], color=colours, lw=1.2, alpha=0.7, **raster)
    palette, markers = ({verdict: look[which] for verdict, look in LOOKS.items()} for which in (0, 1))
    hues = {"hue": "verdict", "style": "verdict", "palette": palette, "markers": markers, "s": 60, "lw": 0}
    drawn = timed[timed["verdict"].isin(LOOKS)].dropna(subset="ratio")
    reach = np.exp(np.log(timed[["ratio", "mark"]]).abs().max(axis=None)) if len(timed) else 1
    ax.update_datalim([(1 / reach, 0), (reach, 0)])  # 1 in the middle
    style.log_axis(ax.xaxis, style.factor, least_span=1.6)
    labels = [step for step in STEPS if step < ax.get_xlim()[1]][-3:]
    ax.set_xticks([*(1 / step for step in labels), 1, *labels])
    ax.axvline(1, color=style.INK, lw=1, zorder=1)
    looks = {"va": "center", "fontsize": 11, "transform": ax.get_yaxis_transform()}
    for algorithm, rows in groups:
        height = algorithms.index(algorithm)
        ax.text(1.01, height, verdicts.counted(rows["verdict"], brief=True), color=style.MUTED, **looks)
        for verdict, (end, side, arrow) in BOUNDS.items():
            if bounds := rows[rows["verdict"] == verdict].to_dict("records"):
                least = min(bounds, key=lambda row: max(row["low"], 1 / row["high"]))
                ax.text(end, height, f"{ratios.bound(least)} {arrow}", ha=side, **looks)
    if len(drawn):
        seaborn.scatterplot(drawn, x="ratio", y="height", hue_order=LOOKS, style_order=LOOKS, ax=ax, **hues, **raster)
        seaborn.move_legend(ax, "lower right", bbox_to_anchor=(1, 1), ncols=len(LOOKS), title=None)
    ax.set(xlabel="◂ B is faster      time in B over time in A      B is slower ▸", ylabel="")
    ax.set_yticks(range(len(algorithms)), algorithms)
    ax.set_ylim(max(len(algorithms), 1) - 0.5, -0.5)
    ax.grid(visible=False, axis="y")
    again = int((table["basis"] == ratios.ONE).sum())
    note = [f"{side}: {name}" for side, name in zip("AB", names, strict=True)]
    note += [f"{again} runs are one and the same measurement on both sides and not drawn"] if again else []
    charts.head(figure, TITLE if len(timed) else "No run was measured anew", note)
    sentences = [f"Of {len(table)} runs that both sides have: {verdicts.counted(table['verdict'])}."]
    for verdict in verdicts.STEPS:
        for row in table[(table["verdict"] == verdict) & table["ratio"].notna()].head(1).to_dict("records"):
            run = f"{row['algorithm']} {row['launch']} on {row['graph']}"
            sentences.append(f"Most surely {verdict}: {run}, {style.factor(row['ratio'])} the time.")
    reading = " ".join(sentences)
    figures.save(figures.Picture(figure, None, reading), file, TITLE, folder)
    return reading
