"""The times of each run over many sides in order, and the steps in them.

A step is a measurement that is decidedly slower or faster than the one at which the level before it began, by the same
verdict as between two sides. Comparing with the beginning of a level, not with the last measurement, also finds a slow
drift. A step that the next measurement takes back shows as two. Tables often repeat earlier measurements: these are no
new points.
"""

import numpy as np
import pandas as pd

from warpath.base.errors import UserError
from warpath.results import figures, frames, page, select, style
from warpath.results.comparisons import ratios, sides, verdicts

COLUMNS = [
    *["algorithm", "graph", "launch", "device", "place", "commit", "started", "status", *select.INTERVAL],
    *["change", *ratios.ESTIMATE],
]
SHOWN, TOLD = 200, 20  # runs on the page and in a terminal; the table has all


def read(places, words=()):
    """A table of measurements, those of a run in order, with what changed since its level began."""
    if len(places) == 1:
        places = [*sides.versions(places[0]), *places]
    if len(places) < 2:
        raise UserError(f"{places[0]}: git has no versions of it; give two places or more")
    levels = {}
    rows = [row for place in places for row in _measured(sides.read(place), levels, words)]
    if not rows:
        raise UserError(f"no run has all of the words {' '.join(words)} in its algorithm, graph and launch")
    table = pd.DataFrame(rows, columns=COLUMNS)
    return table.assign(place=pd.Categorical(table["place"], places, ordered=True))


def _measured(side, levels, words):
    """The new measurements of a side; `levels` has for each run its last row, and where its level began."""
    for run, row in ratios.rows_of(side).items():
        if not all(word.lower() in " ".join(run).lower() for word in words):
            continue
        last, began = levels.get(run, (None, None))
        if last and (ratios.one_measurement(last, row) or ratios.incomparable(last, row) == ratios.UNSOUND_BOTH):
            continue
        change, estimate, samples = None, (None, None, None), select.samples(side.timings, row)
        if row["status"] == select.SOUND:
            if began and not ratios.incomparable(began[0], row):
                *estimate, _ = ratios.ratio(began[0], row, began[1], samples)
                change = verdicts.verdict(*estimate[1:])
            if began is None or change in (None, *verdicts.STEPS):
                began = row, samples
        levels[run] = row, began
        told = {"place": side.name, "change": change} | dict(zip(ratios.ESTIMATE, estimate, strict=True))
        yield {field: row.get(field) for field in COLUMNS} | told


def write(table, folder):
    """Write history.csv, .svg, .png and .html; return lines for a terminal."""
    frames.write(table.astype({"place": "str"}), folder / "history.csv")
    runs = _ranked(table)
    picture = _draw(table, folder)
    content = {
        "answer": answer(table),
        "places": list(table["place"].cat.categories),
        "runs": [_shown(*run) for run in runs[:SHOWN]],
        "more": max(0, len(runs) - SHOWN),
        "image": picture and page.image(picture),
    }
    page.render("history.html.j2", folder / "history.html", content)
    for key, rows in runs[:TOLD]:
        if steps := _steps(rows):
            yield f"{' '.join(key)}: {steps}"
    yield answer(table)
    yield str(folder / "history.html")


def answer(table):
    """How many runs have steps, in one sentence."""
    sizes = table.groupby(select.RUN).size()
    stepped = table[table["change"].isin(verdicts.STEPS)].groupby(select.RUN).ngroups
    return (
        f"{len(table)} measurements of {len(sizes)} runs at {len(table['place'].cat.categories)} places; "
        f"{(sizes > 1).sum()} runs were measured more than once, and {stepped} have a step."
    )


def _ranked(table):
    """The runs with their measurements, those with the largest step first."""
    size = np.log(table["ratio"].astype(float)).abs().where(table["change"].isin(verdicts.STEPS), -1).fillna(-1)
    largest = size.groupby([table[field] for field in select.RUN]).max().sort_values(ascending=False, kind="stable")
    runs = dict(list(table.groupby(select.RUN)))
    return [(run, runs[run]) for run in largest.index]


def _timed(rows):
    """The measurements with a right answer: the time of a wrong one is no step."""
    return select.sound(rows).dropna(subset="median_ms")


def _steps(rows):
    """The steps of one run in words."""
    return ", ".join(
        f"{row['change']} at {short(row['place'])}: {style.factor(row['ratio'])} "
        f"({style.factor(row['low'])} to {style.factor(row['high'])})"
        for row in rows[rows["change"].isin(verdicts.STEPS)].to_dict("records")
    )


def _shown(key, rows):
    """A run as the page shows it."""
    times = [style.duration(time) for time in _timed(rows)["median_ms"]] or [""]
    about = {"key": key, "first": times[0], "last": times[-1], "count": len(rows)}
    return about | {"steps": _steps(rows), "points": list(_points(rows))}


def _points(rows):
    """Points of a small chart, 256 by 40: places to the right, times up on a logarithmic axis of its own."""
    timed = _timed(rows)
    ends = np.log(timed[select.INTERVAL].astype(float).ffill(axis=1)).to_numpy()
    if not len(ends):
        return
    middle, span = (ends.min() + ends.max()) / 2, max(np.ptp(ends), 0.2)
    right = 244 / max(len(rows["place"].cat.categories) - 1, 1)
    heights = np.round(37 - 34 * ((ends - middle) / span + 0.5), 1).tolist()
    for place, row, line in zip(timed["place"].cat.codes, timed.to_dict("records"), heights, strict=True):
        yield dict(zip(("y", "low", "high"), line, strict=True)) | {
            "x": round(6 + right * place, 1),
            "change": row["change"] if isinstance(row["change"], str) else "",
            "text": f"{row['place']}: {style.duration(row['median_ms'])}",
        }


def _draw(table, folder):
    """Draw each algorithm's time over the places, relative to the first; None if no run was measured twice."""
    import matplotlib.pyplot as plt

    from warpath.results import charts

    lines = {name: line for name, rows in table.groupby("algorithm") if (line := _index(rows)) is not None}
    if not lines:
        return None
    style.apply()
    figure, ax = plt.subplots(figsize=(style.WIDTH, 4.6), layout="constrained")
    places = list(table["place"].cat.categories)
    for name, line in lines.items():
        (colour, marker), label = style.look(name), f"{name} {style.factor(line[-1])}"
        ax.plot(line, marker=marker, color=colour, lw=2, ms=7, drawstyle="steps-post", label=label)
    style.log_axis(ax.yaxis, style.factor, least_span=1.5)
    ax.set_xticks(range(len(places)), [short(place) for place in places], rotation=20, ha="right")
    ax.set_xlim(-0.2, len(places) - 0.8)
    ax.set_ylabel("time, relative to the first")
    ax.set_title("Time of each algorithm over the places, geometric mean over its runs")
    charts.key(ax)
    figures.save(figures.Picture(figure, None, ""), "history", "Times over commits", folder)
    return folder / "history.svg"


def _index(rows):
    """The chained mean change of runs that were measured more than once; None without any."""
    times = _timed(rows).pivot_table(index="place", columns=["graph", "launch"], values="median_ms", observed=False)
    changes = np.log(times.reindex(rows["place"].cat.categories)).ffill().diff()
    if not (changes.abs() > 0).any(axis=None):
        return None
    return np.exp(changes.mean(axis=1).fillna(0).cumsum()).tolist()


def short(place):
    """The commit of a place in git, the name of any other."""
    commit, _, path = place.partition(":")
    return commit if path else place.rstrip("/").rpartition("/")[2]
