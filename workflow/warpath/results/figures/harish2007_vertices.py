"""Time over vertices, random and scale-free (figures 4 and 5 of harish2007).

Time of BFS and SSSP on graphs of average degree 6 with a growing number of vertices, on the device and on the CPU.
Solid lines are random graphs; dashed lines are scale-free graphs, in which one vertex in a thousand has up to 1,000
neighbours. Diamonds are the times that the paper states for a GeForce 8800 GTX. Shaded is where the GPU would be on
random graphs with the speed-ups that the paper states over its CPU: 20 to 50 times for BFS, and half to double of 70
times for SSSP. Hollow markers are flagged runs, and
those of BFS (one_frontier) and SSSP (racy) as printed, where their answers are wrong.
"""

import pandas as pd

from warpath.results import charts, select, style
from warpath.results.figures import Nothing
from warpath.results.papers.harish2007 import PANELS

FAMILIES = {"random": ("random-", "-d6"), "scale-free": ("scale-free-", "")}


def draw(tables):
    searches, families = select.searches(tables.summary), []
    for family, (start, end) in FAMILIES.items():
        rows = searches[searches["graph"].str.startswith(start) & searches["graph"].str.endswith(end)]
        families.append(select.best(rows).assign(family=family))
    table = pd.concat(families)
    if select.sound(table).empty:
        raise Nothing("no BFS or SSSP run on the random and scale-free graphs has a right answer yet")
    published = select.printed(tables.published, "harish2007")
    figure, axes = charts.panels([4.3] * len(PANELS))
    for ax, (title, algorithms) in zip(axes, PANELS.items(), strict=True):
        panel = table[table["algorithm"].isin(algorithms)]
        for (algorithm, family), rows in panel.groupby(["algorithm", "family"], sort=False):
            label = f"{style.algorithm_label(algorithm, rows['device'].iloc[0])}, {family}"
            charts.line(ax, rows, "vertices", label, style.look(algorithm), "-" if family == "random" else "--")
        charts.printed_points(ax, published, panel, "vertices")
        _printed_speedup(ax, table, algorithms, tables.published)
        ax.set_title(title, y=1)
        charts.log_log(ax, style.count, "vertices")
    return charts.picture(figure, __doc__, table, reading, ["family", *charts.TIME_COLUMNS])


def _printed_speedup(ax, table, algorithms, published):
    """Shade the times of random graphs that the printed speed-ups over the CPU would be."""
    rows = table[(table["algorithm"] == algorithms[-1]) & (table["family"] == "random")]
    cpu = select.timed(rows).sort_values("vertices")
    printed = select.printed(published, "harish2007", "speed-up over the CPU")
    factors = printed.loc[printed["algorithm"].isin(algorithms), "value"]
    if cpu.empty or factors.empty:
        return
    low, high = (factors.min(), factors.max()) if len(factors) > 1 else (factors.min() / 2, factors.min() * 2)
    words = f"{low:g} to {high:g}×" if len(factors) > 1 else f"about {factors.min():g}×"
    looks = {"color": style.PUBLISHED, "zorder": 1}
    ax.fill_between(cpu["vertices"], cpu["median_ms"] / high, cpu["median_ms"] / low, alpha=0.22, lw=0, **looks)
    middle = cpu["median_ms"] / (low * high) ** 0.5
    ax.plot(cpu["vertices"], middle, lw=0, label=f"printed: {words} over the CPU", **looks)


def reading(table):
    """How many times faster the device is than the CPU at the largest size of each family that both solve."""
    sound = select.sound(table)
    times = sound.pivot_table(index=["family", "vertices"], columns="algorithm", values="median_ms")
    sentences = []
    for title, algorithms in PANELS.items():
        cpu, kernels = algorithms[-1], [name for name in algorithms[:-1] if name in times]
        ratios = times[kernels].rdiv(times[cpu], axis=0).dropna(how="all") if cpu in times else times[[]]
        largest = ratios.groupby("family", sort=False).tail(1) if kernels else ratios[:0]
        ends = [
            f"{style.factor(row.max())} on {style.count(vertices)} {family} vertices"
            for (family, vertices), row in largest.iterrows()
        ]
        sentences += [f"{title} over the sequential CPU, at the largest size: {', '.join(ends)}."] if ends else []
    return " ".join(sentences) or charts.fastest(table)
