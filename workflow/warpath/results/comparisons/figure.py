"""Draw a comparison: a line for each algorithm, on it a mark for each graph and launch at its ratio of times."""

from warpath.results import figures, style
from warpath.results.comparisons import ratios, verdicts

LOOKS = {  # colour, its filling, marker and size: the shape alone tells verdicts apart
    verdicts.SAME: (style.MUTED, style.MUTED, "|", 11),
    verdicts.UNDECIDED: (style.MUTED, "none", "o", 5.5),
    verdicts.FASTER: (style.BLUE, style.BLUE, "<", 8),
    verdicts.SLOWER: (style.VERMILLION, style.VERMILLION, ">", 8),
}
TITLE = "Time in B over time in A"
MANY = 2000  # of more marks than this, an SVG holds a picture
LINE = 0.36  # inches for an algorithm


def draw(table, names, folder, file="comparison"):
    """Write <file>.svg and .png; return the sentence that tells what they show, the alternative text."""
    from warpath.results import charts

    timed = table[table["ratio"].notna() & (table["basis"] != ratios.ONE)].sort_values(["graph", "launch"])
    lines = timed.groupby("algorithm")["ratio"]
    algorithms = sorted(lines.median().sort_values(ascending=False).index, key=lambda name: name.partition("/")[0])
    spread = (lines.cumcount() + 0.5) / lines.transform("size") - 0.5  # of the marks of an algorithm
    timed = timed.assign(y=timed["algorithm"].map(algorithms.index).astype(float) + 0.6 * spread)
    figure, (ax,) = charts.panels([LINE * max(len(algorithms), 2)])
    steps, looks = timed[timed["verdict"].isin(verdicts.STEPS)], {"rasterized": len(timed) > MANY}
    ax.hlines(timed["y"], 1 / timed["mark"], timed["mark"], color="#EDEDED", lw=3, zorder=0, **looks)
    ax.hlines(steps["y"], steps["low"], steps["high"], color=style.MUTED, lw=1.2, zorder=2, **looks)
    for verdict, (colour, face, marker, size) in LOOKS.items():
        rows = timed[timed["verdict"] == verdict]
        ax.plot(rows["ratio"], rows["y"], marker, color=colour, mfc=face, ms=size, mew=1.2, zorder=3, **looks)
    ax.update_datalim([(1 / ratio, 0) for ratio in timed["ratio"]])  # 1 in the middle
    charts.log_axis(ax.xaxis, style.factor, least_span=1.6)
    ax.axvline(1, color=style.INK, lw=1, zorder=1)
    if timed.empty:
        ax.text(0.5, 0.5, "no run was measured anew", transform=ax.transAxes, ha="center", va="center")
    ax.set_xlabel("time in B over time in A")
    ax.set_title("◂ B is faster", loc="left", color=style.BLUE, fontsize=12)
    ax.set_title("B is slower ▸", loc="right", color=style.VERMILLION, fontsize=12)
    ax.set(yticks=range(len(algorithms)), yticklabels=algorithms, ylim=(max(len(algorithms), 1) - 0.5, -0.5))
    ax.grid(visible=False, axis="y")
    for y, algorithm in enumerate(algorithms):
        words = verdicts.counted(table.loc[table["algorithm"] == algorithm, "verdict"], brief=True)
        ax.text(1.01, y, words, transform=ax.get_yaxis_transform(), va="center", fontsize=11, color=style.MUTED)
    again = int((table["basis"] == ratios.ONE).sum())
    note = [f"{side}: {name}" for side, name in zip("AB", names, strict=True)]
    note += [f"{again} runs are one and the same measurement on both sides and not drawn"] if again else []
    charts.head(figure, TITLE, note)
    reading = f"Of {len(table)} runs that both sides have: {verdicts.counted(table['verdict'])}."
    steps = table[table["verdict"].isin(verdicts.STEPS)]  # ranked
    for row in steps.drop_duplicates("verdict").to_dict("records"):
        run = f"{row['algorithm']} {row['launch']} on {row['graph']}"
        reading += f" Most surely {row['verdict']}: {run}, {style.factor(row['ratio'])} the time."
    charts.save(figures.Picture(figure, None, reading), file, TITLE, folder, ["png"])
    return reading
