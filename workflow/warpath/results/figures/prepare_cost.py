"""What preparing costs.

Time to prepare a search, the graph being on the device and kernels compiled, over the median time of a search. Each dot
is an algorithm on one graph, with its fastest launch: full where nothing weakened the measurement, else half or hollow:
the last line says why. An algorithm that "wins from search 5" takes the least time in all, preparing and searches, of
five searches and more.
"""

import itertools
import math

from warpath.results import charts, select, style
from warpath.results.figures import require

OVER = ("over_solve",) * 3


def draw(tables):
    best = select.searches(select.sound(select.best(tables.summary)))
    best = best[(best["prepare_ms"] > 0) & (best["median_ms"] > 0)]
    require(best, "no search of this study has recorded the time of its preparing")
    table = best.assign(over_solve=best["prepare_ms"] / best["median_ms"], best_from=math.nan)
    for _, runs in table.groupby(["problem", "graph"]):
        for place, count in best_from(runs).items():
            table.loc[place, "best_from"] = count
    names = table["algorithm"].map(style.plain_name)
    wins = table["best_from"].map(", wins from search {:,.0f}".format).where(table["best_from"] > 0, "")
    many = table.groupby("problem")["graph"].transform("nunique") > charts.MANY
    panels = charts.by_problem(table.assign(series=names + wins.mask(many, "")))
    measure = charts.Measure(OVER, style.factor, "time to prepare over that of a search, a dot for each graph")
    return charts.picture(charts.dots(panels, measure, marks={1: "as long as a search"}), __doc__, table, reading)


def best_from(runs):
    """The number of searches from which each of these runs takes the least time in all, for those that ever do."""
    prepare, solve = runs["prepare_ms"].to_numpy(), runs["median_ms"].to_numpy()
    pairs = itertools.permutations(zip(prepare, solve, strict=True), 2)
    met = {1 + math.floor((a - b) / (w - v)) for (a, v), (b, w) in pairs if v < w and a > b}
    found = {}
    for count in sorted({1, *met} - {0}):
        found.setdefault(runs.index[(prepare + count * solve).argmin()], count)
    return found


def reading(table):
    sentences = []
    for problem, rows in table.groupby("problem", sort=False):
        last = rows.sort_values("best_from").dropna(subset="best_from").groupby("graph")["best_from"].last()
        at_once = (last == 1).sum()
        later = f", elsewhere from search {style.span(last[last > 1], style.digits)} on" if at_once < len(last) else ""
        share = style.all_of(len(last), "graph") if at_once == len(last) else f"{at_once} of {len(last)} graphs"
        sentences.append(f"{problem.upper()}: the fastest is ahead with its first search on {share}{later}.")
    return f"Preparing takes {style.span(table['over_solve'])} as long as a search. {' '.join(sentences)}"
