"""The picture of a front page: what published studies found, drawn from their tables.

Factors of this project's kernels over the fastest library or paper's code of each graph, and one sign for each claim
that was judged.
"""

import textwrap
from pathlib import Path

import pandas as pd

from warpath.base.errors import UserError
from warpath.base.files import atomic
from warpath.base.places import SUMMARY, TIMINGS
from warpath.results import charts, claims, frames, libraries, published, style

NAME = "pitch"
FILES = (f"{NAME}-light.svg", f"{NAME}-dark.svg", f"{NAME}.csv")
STUDY = "frontier"  # the study that has the libraries
SIGNS = {  # of a verdict, its colour, and what it says of so many claims
    claims.HOLDS: ("✓", style.GOOD, "hold"),
    claims.PARTLY: ("±", style.GOOD, "hold in direction, not in size"),
    claims.DEPENDS: ("?", style.HALF, "depend"),
    claims.FAILS: ("✗", style.BAD, "do not hold"),
}
OWN_AIMS = "our own aims"
LEAST_SIGNS = 9  # whose width the name of a paper takes
BAR = 0.62  # of the height of a row


def write(folder):
    """Write pitch-light.svg, pitch-dark.svg and pitch.csv into the folder of the published studies."""
    import matplotlib.pyplot as plt

    folder = Path(folder)
    factors, judged = over_fastest(folder / STUDY), _claims(folder)
    style.apply()
    figure = _draw(plt, factors, judged)
    text = reading(factors, judged)
    with atomic(folder / f"{NAME}-light.svg") as temporary:
        about = {"Title": "warpath in one picture", "Description": text, "Date": None}
        figure.savefig(temporary, format="svg", metadata=about, bbox_inches="tight", pad_inches=0.1, transparent=True)
    plt.close(figure)
    with atomic(folder / f"{NAME}-dark.svg") as temporary:
        temporary.write_text(
            style.darkened((folder / f"{NAME}-light.svg").read_text(encoding="utf-8")), encoding="utf-8"
        )
    with atomic(folder / f"{NAME}.csv") as temporary:
        pd.concat([factors, judged]).to_csv(temporary, index=False, float_format="%.6g")
    return text


def over_fastest(folder):
    """Per problem and graph our factor over the fastest library, as `libraries.closest` chooses it."""
    files = folder / Path(TIMINGS).name, folder / Path(SUMMARY).name
    if not all(file.exists() for file in files):
        raise UserError(f"{folder}: holds no published study; publish {STUDY} there first")
    timings, summary = frames.read(*files)
    table = libraries.against(timings, summary, published.read())
    if table.empty:
        raise UserError(f"{folder}: no library is compared there; nothing to draw")
    choices = [libraries.closest(rows) for _, rows in table.groupby("problem", sort=False)]
    columns = ["problem", "graph", "own", "algorithm", "device", "device_name", "own_ms", "library_ms", *charts.SPEEDUP]
    return pd.concat(choices, ignore_index=True)[columns].sort_values(["problem", "speedup"], kind="stable")


def _claims(folder):
    """The judged claims of the studies that are named like their paper, in the order of the signs."""
    files = [(name, folder / name / "claims.csv") for name in claims.names()]
    tables = [pd.read_csv(file).query("paper == @name") for name, file in files if file.exists()]
    if not tables:
        return pd.DataFrame(columns=["paper", "name", "verdict"])
    table = pd.concat(tables)[["paper", "name", "verdict"]]
    table = table.sort_values("paper", key=lambda papers: papers == STUDY, kind="stable")
    return table[table["verdict"].isin(list(SIGNS))]


def _draw(plt, factors, judged):
    panels = dict(list(factors.groupby("problem", sort=False)))
    panels = {problem: panels[problem] for problem in ("bfs", "sssp", "apsp") if problem in panels}
    figure = plt.figure(figsize=(style.WIDTH, 4.7))
    grid = figure.add_gridspec(2, len(panels), height_ratios=[3.5, 1])
    for place, (problem, rows) in enumerate(panels.items()):
        _bars(figure.add_subplot(grid[0, place]), problem, rows)
    _strip(figure.add_subplot(grid[1, :]), judged)
    title = textwrap.fill(_finding(factors), 92)
    figure.text(0.005, 1.02, title, ha="left", va="bottom", fontsize=16, fontweight="bold", linespacing=1.15)
    return figure


def _bars(ax, problem, rows):
    rows = rows.sort_values("speedup", ascending=False)
    colour = style.BLUE if rows["device"].isin(libraries.ON_GPU).all() else style.TEAL
    for place, row in enumerate(rows.to_dict("records")):
        ax.barh(place, row["speedup"], height=BAR, color=colour, lw=0)
        ax.hlines(place, row["speedup_low"], row["speedup_high"], color=style.INK, lw=1.5)
        text = f"{style.factor(row['speedup'])}  {style.plain_name(row['algorithm'])}"
        ax.annotate(
            text, (row["speedup_high"], place), (5, 0), textcoords="offset points", va="center_baseline", fontsize=11.5
        )
    ax.axvline(1, color=style.INK, lw=1, ls=":")
    ax.set_xlim(0, rows["speedup_high"].max() * 1.55)
    ax.set_yticks(range(len(rows)), rows["graph"], fontsize=12)
    ax.set_ylim(max(len(rows), 4) - 0.4, -0.6)
    ax.xaxis.set_visible(False)
    ax.grid(visible=False)
    ax.tick_params(length=0)
    for side in ("top", "right", "bottom"):
        ax.spines[side].set_visible(False)
    kind = libraries.GPU_CODE if rows["device"].isin(libraries.ON_GPU).all() else "CPU library (none on a GPU)"
    ax.set_title(f"{problem.upper()}: over the fastest\n{kind}", fontsize=13)


def _strip(ax, judged):
    """A sign for each claim, by paper."""
    ax.axis("off")
    at, ticks = 0.0, []
    for paper, rows in judged.groupby(judged["paper"].replace(STUDY, OWN_AIMS), sort=False):
        for verdict, (sign, colour, _) in SIGNS.items():
            for _ in range((rows["verdict"] == verdict).sum()):
                ax.text(at, 0.55, sign, color=colour, fontsize=16, fontweight="bold", ha="center", va="center")
                at += 1
        ticks.append((at - len(rows), paper))
        at += 1 + max(0, LEAST_SIGNS - len(rows))
    for start, paper in ticks:
        ax.text(start - 0.4, 0.12, paper, fontsize=11, color=style.MUTED, ha="left")
    ax.set_xlim(-0.5, max(at - 1, 1))
    ax.set_ylim(0, 1)
    ax.set_title(_verdicts(judged), fontsize=13, pad=2)


def _verdicts(judged):
    of_papers = judged[judged["paper"] != STUDY]
    counts = of_papers["verdict"].value_counts()
    listed = [f"{sign} {counts.get(verdict, 0)} {words}" for verdict, (sign, _, words) in SIGNS.items()]
    return f"{len(of_papers)} claims of papers, measured again:   {'   '.join(listed)}"


def _finding(factors):
    ends = []
    for problem in ("bfs", "sssp"):
        rows = factors[factors["problem"] == problem]
        if len(rows):
            ends.append(
                f"{problem.upper()} {style.factor(rows['speedup'].min())[:-1]} to {style.factor(rows['speedup'].max())}"
            )
    device = factors["device_name"].iloc[0].removeprefix("NVIDIA ")
    return f"{' and '.join(ends)} as fast as the fastest {libraries.GPU_CODE}, on an {device}"


def reading(factors, judged):
    """The picture in words, for those who cannot see it."""
    parts = [
        f"{problem.upper()}: "
        + ", ".join(f"{row.graph} {style.factor(row.speedup)}" for row in rows[::-1].itertuples())
        for problem, rows in factors.groupby("problem", sort=False)
    ]
    return f"{_finding(factors)}. {'. '.join(parts)}. {' '.join(_verdicts(judged).split())}."
