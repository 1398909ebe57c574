"""Performance profile.

Dolan and Moré's profile over the graphs of the study: for each algorithm's fastest launch, the share of its graphs on
which it is within a given factor of the best algorithm. High on the left means often the fastest; reaching the top
means that it solved all that the study asked of it, which the legend counts where that is not every graph. A graph
without a right answer counts against the algorithm; algorithms of which runs have not been made yet are left out.
"""

import textwrap

import pandas as pd

from warpath.results import charts, select, statistics, style
from warpath.results.figures import Nothing, Picture


def draw(tables):
    import matplotlib.pyplot as plt

    made, unmade = _made(tables.summary)
    best = select.best(made)
    panels = [(problem, rows) for problem, rows in best.groupby("problem", sort=False) if _comparable(rows)]
    if not panels:
        raise Nothing("a profile compares algorithms over graphs, and this study has fewer than two of either")
    figure, axes = plt.subplots(len(panels), 1, figsize=(style.WIDTH, 3.3 * len(panels)), squeeze=False)
    data = pd.concat([_panel(ax, problem, rows) for ax, (problem, rows) in zip(axes.flat, panels, strict=True)])
    style.heading(figure, "Performance profile", best)
    if unmade:
        charts.note(figure, textwrap.fill(f"not all of their runs have been made: {', '.join(unmade)}", 120))
    return Picture(figure, data, reading(data))


def _made(summary):
    """Without the graphs on which nothing has been run; and without the algorithms that lack a run, whose names."""
    missing = summary["status"] == "missing"
    summary = summary[~missing.groupby([summary["problem"], summary["graph"]]).transform("all")]
    unmade = sorted(set(summary.loc[summary["status"] == "missing", "algorithm"]))
    return summary[~summary["algorithm"].isin(unmade)], unmade


def _comparable(rows):
    sound = select.sound(rows)
    return sound["graph"].nunique() > 1 and sound["algorithm"].nunique() > 1


def _panel(ax, problem, rows):
    times = rows.assign(median_ms=rows["median_ms"].where(rows["status"] == "ok")).pivot(
        index="graph", columns="algorithm", values="median_ms"
    )
    asked = rows.pivot(index="graph", columns="algorithm", values="status").notna()
    profile = statistics.performance_profile(times, asked)
    devices = rows.drop_duplicates("algorithm").set_index("algorithm")["device"]
    _curves(ax, profile, devices, asked)
    ax.set_title(f"{problem.upper()}, {len(times)} graphs")
    charts.legend(ax)
    points = [
        (problem, algorithm, devices[algorithm], factor, share)
        for algorithm, (factors, shares) in profile.items()
        for factor, share in zip(factors, shares, strict=True)
    ]
    return pd.DataFrame(points, columns=["problem", "algorithm", "device", "within_factor", "share"])


def _curves(ax, profile, devices, asked):
    worst = max([factors[-1] for factors, _ in profile.values() if len(factors)]) * 1.3
    for algorithm, (factors, shares) in profile.items():
        colour, marker = style.look(algorithm)
        label = style.algorithm_label(algorithm, devices[algorithm])
        if not asked[algorithm].all():
            label += f": {asked[algorithm].sum()} graphs"
        ax.step(
            [1, *factors, worst], [0, *shares, shares[-1] if len(shares) else 0], where="post", color=colour, lw=2.2
        )
        ax.plot(factors, shares, marker, color=colour, ms=8, label=label, ls="")
    ax.update_datalim([(1, 0), (worst, 1)])
    style.log_axis(ax.xaxis, style.factor)
    ax.set_xlim(0.97, worst)
    ax.set_ylim(-0.04, 1.06)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "100 %"])
    ax.set_xlabel("time over that of the best algorithm on the same graph")
    ax.set_ylabel("share of graphs")


def reading(data):
    if "host" in set(data["device"]):
        return charts.UNRANKED
    sentences = []
    for problem, rows in data.groupby("problem", sort=False):
        first = rows[rows["within_factor"] == 1].groupby("algorithm")["share"].max().sort_values(ascending=False)
        said = ", ".join(f"{algorithm} on {share:.0%}" for algorithm, share in first.items())
        sentences.append(f"{problem.upper()}, the fastest: {said} of its graphs.")
    return " ".join(sentences)
