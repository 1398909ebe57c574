"""The times of each run over many sides in order, and the steps in them.

A step is a measurement that is decidedly slower or faster than the one at which the level before it began, by the same
verdict as between two sides. Comparing with the beginning of a level, not with the last measurement, also finds a slow
drift. A step that the next measurement takes back shows as two. Tables often repeat earlier measurements: these are no
new points.
"""

import datetime

import numpy as np
import pandas as pd

from warpath.base.errors import UserError
from warpath.base.files import atomic
from warpath.results import figures, frames, page, select, style
from warpath.results.comparisons import pages, ratios, sides

COLUMNS = [
    *["algorithm", "graph", "launch", "device", "place", "commit", "started", "status", *ratios.ENDS],
    *["change", "ratio", "low", "high"],
]
SHOWN = 200  # runs on the page; the table has all


def read(places, words=()):
    """A table of measurements, those of a run in order, with what changed since its level began."""
    if len(places) == 1:
        places = [*sides.versions(places[0]), *places]
    if len(places) < 2:
        raise UserError(f"{places[0]}: git has no versions of it; give two places or more")
    levels, rows, names = {}, [], []
    for place in places:
        side = sides.read(place)
        names.append(place)
        rows += _measured(side, levels, words)
    table = pd.DataFrame(rows, columns=COLUMNS)
    if table.empty:
        raise UserError(f"no run has all of the words {' '.join(words)} in its algorithm, graph and launch")
    return table.assign(place=pd.Categorical(table["place"], names, ordered=True))


def write(table, folder):
    """Write history.csv, .svg, .png and .html; return lines for a terminal."""
    frames.write(table.astype({"place": "str"}), folder / "history.csv")
    runs = _ranked(table)
    picture = _draw(table, folder)
    content = {
        "answer": answer(table),
        "places": list(table["place"].cat.categories),
        "runs": [_shown(key, rows) for key, rows in runs[:SHOWN]],
        "more": max(0, len(runs) - SHOWN),
        "image": picture and pages.image(picture),
        "now": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
    }
    with atomic(folder / "history.html") as temporary:
        temporary.write_text(page.template("history.html.j2").render(content), encoding="utf-8")
    for key, rows in runs[:20]:
        if steps := _steps(rows):
            yield f"{' '.join(key)}: {steps}"
    yield answer(table)
    yield str(folder / "history.html")


def answer(table):
    """How many runs have steps, in one sentence."""
    runs = table.groupby(select.RUN).ngroups
    again = (table.groupby(select.RUN).size() > 1).sum()
    stepped = table[table["change"].isin([ratios.SLOWER, ratios.FASTER])]
    return (
        f"{len(table)} measurements of {runs} runs at {len(table['place'].cat.categories)} places; {again} runs were "
        f"measured more than once, and {stepped.groupby(select.RUN).ngroups} have a step."
    )


def _measured(side, levels, words):
    """The new measurements of a side; `levels` has for each run its last row, and where its level began."""
    samples = ratios.samples_of(side.timings)
    for row in side.summary.to_dict("records"):
        key = tuple(row[field] for field in select.RUN)
        if not all(word.lower() in " ".join(key).lower() for word in words):
            continue
        last, began = levels.get(key, (None, None))
        if last and (ratios.one_measurement(last, row) or ratios.incomparable(last, row) == ratios.UNSOUND_BOTH):
            continue
        change, estimate = None, (None, None, None)
        sound = row["status"] == select.SOUND
        if sound and began and not ratios.incomparable(began[0], row):
            *estimate, _ = ratios.ratio(began[0], row, began[1], samples.get(key))
            change = ratios.verdict(*estimate[1:])
        if sound and (began is None or change in (None, ratios.SLOWER, ratios.FASTER)):
            began = row, samples.get(key)
        levels[key] = row, began
        about = {field: row[field] for field in (*select.RUN, "device", "commit", "started", "status", *ratios.ENDS)}
        yield (
            about | {"place": side.name, "change": change} | dict(zip(("ratio", "low", "high"), estimate, strict=True))
        )


def _ranked(table):
    """The runs with their measurements, those with the largest step first."""
    steps = table["change"].isin([ratios.SLOWER, ratios.FASTER])
    size = np.log(table["ratio"].astype(float)).abs().where(steps, -1).fillna(-1)
    largest = size.groupby([table[field] for field in select.RUN]).max().sort_values(ascending=False, kind="stable")
    runs = dict(list(table.groupby(select.RUN)))
    return [(key, runs[key]) for key in largest.index]


def _timed(rows):
    """The measurements with a right answer: the time of a wrong one is no step."""
    return select.sound(rows).dropna(subset="median_ms")


def _steps(rows):
    """The steps of one run in words."""
    steps = rows[rows["change"].isin([ratios.SLOWER, ratios.FASTER])]
    return ", ".join(
        f"{row['change']} at {short(row['place'])}: {style.factor(row['ratio'])} "
        f"({style.factor(row['low'])} to {style.factor(row['high'])})"
        for row in steps.to_dict("records")
    )


def _shown(key, rows):
    """A run as the page shows it."""
    times = _timed(rows)["median_ms"]
    return {
        "key": key,
        "first": style.duration(times.iloc[0]) if len(times) else "",
        "last": style.duration(times.iloc[-1]) if len(times) else "",
        "steps": _steps(rows),
        "count": len(rows),
        "points": _points(rows),
    }


def _points(rows):
    """Points of a small chart, 256 by 40: places to the right, times up on a logarithmic axis of its own."""
    timed = _timed(rows)
    ends = np.log(timed[ratios.ENDS].astype(float).ffill(axis=1))
    if ends.empty:
        return []
    low, high = np.nanmin(ends), np.nanmax(ends)
    low, high = (low + high) / 2 - max(high - low, 0.2) / 2, (low + high) / 2 + max(high - low, 0.2) / 2
    width = max(len(rows["place"].cat.categories) - 1, 1)
    heights = 37 - 34 * (ends - low) / (high - low)
    return [
        {
            "x": round(6 + 244 * place / width, 1),
            **{end: round(height, 1) for end, height in zip(("y", "low", "high"), line, strict=True)},
            "change": change if isinstance(change, str) else "",
            "text": f"{name}: {style.duration(time)}",
        }
        for place, line, change, name, time in zip(
            *(timed["place"].cat.codes, heights.to_numpy(), timed["change"], timed["place"], timed["median_ms"]),
            strict=True,
        )
    ]


def _draw(table, folder):
    """Draw each algorithm's time over the places, relative to the first; None if no run was measured twice."""
    import matplotlib.pyplot as plt

    lines = {name: line for name, rows in table.groupby("algorithm") if (line := _index(rows)) is not None}
    if not lines:
        return None
    style.apply()
    figure, ax = plt.subplots(figsize=(style.WIDTH, 4.6))
    places = list(table["place"].cat.categories)
    ends = []
    for name, line in lines.items():
        colour, marker = style.look(name)
        ax.plot(range(len(places)), line, marker=marker, color=colour, lw=2, ms=7, drawstyle="steps-post")
        ends.append((line[-1], name, colour))
    style.log_axis(ax.yaxis, style.factor, least_span=1.5)
    _label_ends(ax, sorted(ends), len(places) - 1)
    ax.set_xticks(range(len(places)), [short(place) for place in places], rotation=20, ha="right")
    ax.set_xlim(-0.2, len(places) - 0.8)
    ax.set_ylabel("time, relative to the first")
    ax.set_title("Time of each algorithm over the places, geometric mean over its runs")
    about = {"Title": "Times over commits", "Date": None}
    figures.write(figure, {folder / "history.svg": about, folder / "history.png": None})
    plt.close(figure)
    return folder / "history.svg"


def _index(rows):
    """The chained mean change of runs that were measured more than once; None without any."""
    times = _timed(rows).pivot_table(index="place", columns=["graph", "launch"], values="median_ms", observed=False)
    known = np.log(times.reindex(rows["place"].cat.categories)).ffill()
    changes = known.diff().mean(axis=1)
    if not (known.diff().abs() > 0).any(axis=None):
        return None
    return np.exp(changes.fillna(0).cumsum()).tolist()


def _label_ends(ax, ends, x):
    """Name each line at its end; labels that would overlap are moved up."""
    last, (bottom, top) = -np.inf, np.log(ax.get_ylim())
    for value, name, colour in ends:
        place = max((np.log(value) - bottom) / (top - bottom), last + 0.055)
        last = place
        ax.annotate(
            f"{name} {style.factor(value)}",
            *((x, value), (1.015, place)),
            textcoords="axes fraction",
            **{"color": colour, "va": "center", "fontsize": 11, "annotation_clip": False},
        )


def short(place):
    """The commit of a place in git, the name of any other."""
    commit, _, path = place.partition(":")
    return commit if path else place.rstrip("/").rpartition("/")[2]
