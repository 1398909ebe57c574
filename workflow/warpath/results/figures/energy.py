"""Energy of a solve.

Joules of a solve for each algorithm's fastest launch, by the GPU's own counter over seconds of solves, and the mean
power meanwhile. What an idle card draws is in it, so the shorter a solve, the more of it is not the solve's own.
"""

from warpath.results import charts, select, style
from warpath.results.figures import require


def draw(tables):
    table = select.sound(select.best(tables.summary[tables.summary["energy_j"] > 0]))
    require(table, "no run on a GPU has measured its energy; the setting timing.energy asks for it")
    measure = charts.Measure(("energy_j",) * 3, style.joules, "energy of a solve")
    powers = [f"{style.plain_name(row.algorithm)}, {row.power_w:.0f} W" for row in table.itertuples()]
    figure = charts.dots(charts.by_problem(table.assign(series=powers)), measure)
    return charts.picture(figure, __doc__, table, reading)


def reading(table):
    sentences = []
    for problem, rows in table.groupby("problem", sort=False):
        compared = rows[rows.groupby("graph")["algorithm"].transform("nunique") > 1].groupby("graph")
        least, fastest = (set(compared[column].idxmin()) for column in ("energy_j", "median_ms"))
        if least:
            count = f"{len(least & fastest)} of {len(least)} graphs"
            sentences.append(f"{problem.upper()}: the fastest takes the least energy on {count}. ")
    return f"{''.join(sentences)}The card draws {style.span(table['power_w'], '{:.0f}'.format)} W."
