"""Time over vertices, random and scale-free (figures 4 and 5 of harish2007).

Time of BFS and SSSP on graphs of average degree 6. Solid lines are random graphs; dashed ones are scale-free, where one
vertex in a thousand has up to 1,000 neighbours. Open markers are the times the paper states for a GeForce 8800 GTX;
shaded is where the speed-ups that it states over its CPU would be: 20 to 50 times, and half to double of 70 times.
"""

import pandas as pd

from warpath.results import charts, select, style
from warpath.results.figures import require
from warpath.results.papers.harish2007.claims import PANELS

FAMILIES = {"random": ("random-", "-d6", ""), "scale-free": ("scale-free-", "", (3, 2))}  # names, and dashes


def draw(tables):
    searches, families = select.searches(tables.summary), []
    for family, (start, end, dashes) in FAMILIES.items():
        rows = select.best(searches[searches["graph"].str.startswith(start) & searches["graph"].str.endswith(end)])
        families.append(rows.assign(family=family, dashes=[dashes] * len(rows)))
    table = pd.concat(families)
    require(select.sound(table), "no BFS or SSSP run on the random and scale-free graphs has a right answer yet")
    published = select.printed(tables.published, "harish2007")
    figure, axes = charts.panels([3.5] * len(PANELS))
    for ax, (title, algorithms) in zip(axes, PANELS.items(), strict=True):
        panel = charts.labelled(table[table["algorithm"].isin(algorithms)])
        panel = panel.assign(series=panel["series"].astype(str) + ", " + panel["family"].astype(str))
        cpu = select.timed(panel[(panel["algorithm"] == algorithms[-1]) & (panel["family"] == "random")])
        factors = select.printed(tables.published, "harish2007", "speed-up over the CPU")
        printed = factors.loc[factors["algorithm"].isin(algorithms), "value"].tolist()
        if len(cpu) and printed:  # the times of random graphs that the printed speed-ups over the CPU would be
            low, high = sorted(printed) if len(printed) > 1 else (printed[0] / 2, printed[0] * 2)
            words = f"{low:g} to {high:g}×" if len(printed) > 1 else f"about {printed[0]:g}×"
            cpu, looks = cpu.sort_values("vertices"), {"color": style.PUBLISHED, "alpha": 0.22, "lw": 0}
            times = cpu["median_ms"] / high, cpu["median_ms"] / low
            ax.fill_between(cpu["vertices"], *times, label=f"printed: {words} over the CPU", **looks)
        ax.set_title(title)
        charts.lines(ax, panel, "vertices", style.count, "vertices", published=published)
    return charts.picture(figure, __doc__, table, reading)


def reading(table):
    """How many times faster the device is than the CPU at the largest size of each family that both solve."""
    sound = select.sound(table)
    times = sound.pivot_table(index=["family", "vertices"], columns="algorithm", values="median_ms")
    sentences = []
    for title, algorithms in PANELS.items():
        cpu, kernels = algorithms[-1], [name for name in algorithms[:-1] if name in times]
        ratios = times[kernels].rdiv(times[cpu], axis=0).dropna(how="all") if cpu in times else times[[]]
        largest = ratios.groupby("family", sort=False).tail(1) if kernels else ratios[:0]
        places = [f"on {style.count(vertices)} {family} vertices" for family, vertices in largest.index]
        ends = [f"{style.factor(most)} {place}" for most, place in zip(largest.max(axis=1), places, strict=True)]
        sentences += [f"{title} over the sequential CPU, at the largest size: {', '.join(ends)}."] if ends else []
    return " ".join(sentences) or charts.fastest(table)
