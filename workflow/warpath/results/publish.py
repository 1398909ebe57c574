"""Write a finished study into a folder to commit or send: a page of Markdown, its figures and its tables."""

import shutil
from pathlib import Path

import pandas as pd

from warpath.foundation import places
from warpath.foundation.files import atomic
from warpath.foundation.settings import defaults
from warpath.lifetime import repeat
from warpath.results import claims, figures, frames, page, style

CLAIMS = "claims.csv"


def write(study, settings, summary, judged, folder):
    """Replace what an earlier study left in `folder` by this one."""
    folder = Path(folder)
    drawn = {name: places.figure_files(name)[0] for name in study.figures}
    drawn = {name: file for name, file in drawn.items() if Path(file).exists()}
    _remove_earlier(folder)
    for file in (*drawn.values(), places.TIMINGS, places.PROBE):
        _copy(Path(file), folder)
    frames.write(summary.drop(columns="record"), folder / Path(places.SUMMARY).name)
    if judged:
        frames.write(pd.DataFrame(judged), folder / CLAIMS)
    content = _content(study, settings, summary, judged, drawn)
    with atomic(folder / "README.md") as temporary:
        temporary.write_text(page.template("study.md.j2", cell=_cell).render(content), encoding="utf-8")


def _remove_earlier(folder):
    names = [CLAIMS, *(Path(file).name for file in (places.TIMINGS, places.SUMMARY, places.PROBE))]
    for file in [*folder.glob("*.svg"), *map(folder.joinpath, names)]:
        file.unlink(missing_ok=True)


def _copy(file, folder):
    if file.exists():
        with atomic(folder / file.name) as temporary:
            shutil.copyfile(file, temporary)


def _content(study, settings, summary, judged, drawn):
    """What the page says."""
    records, stand_ins = page.records_of(summary), page.stand_ins(summary)
    used = settings | ({"scale": "offline"} if stand_ins and settings["scale"] == "study" else {})
    return {
        "study": study,
        "devices": style.devices(summary),
        "stand_ins": stand_ins,
        "claims": judged,
        "counts": [(verdict, sum(claim.verdict == verdict for claim in judged)) for verdict in claims.VERDICTS],
        "figures": [_figure(name, file) for name, file in drawn.items()],
        "statuses": [(style.STATUSES[status], count) for status, count in summary["status"].value_counts().items()],
        "endings": _endings(summary),
        "environment": page.environment(records),
        "dates": sorted({record["started"][:10] for record in records if record.get("started")}),
        # For a checkout with the default settings: the folder may be read anywhere.
        "command": repeat.workflow(used, base=defaults()),
        "publish": repeat.step("publish", used, base=defaults()),
    }


def _figure(name, file):
    title, caption = figures.title_and_caption(name)
    return {"file": Path(file).name, "title": title, "caption": caption, "reading": page.reading(file)}


def _endings(summary):
    """One line per status, algorithm and graph of the runs that are not ok; missing runs of all graphs share one."""
    ended = summary[summary["status"] != "ok"].fillna({"error": "", "wrong_vertices": 0})
    per_graph = ended["graph"].where(ended["status"] != "missing", "")
    lines = []
    for (status, algorithm, _), rows in ended.groupby(["status", "algorithm", per_graph], sort=True):
        graphs = ", ".join(sorted(set(rows["graph"])))
        lines.append((style.STATUSES[status], algorithm, graphs, len(rows), _reason(rows)))
    return lines


def _reason(rows):
    """The share of wrong vertices, or the message; for missing runs the message that they have in common."""
    if rows["status"].iloc[0] == "missing":
        return rows["error"].iloc[0] if rows["error"].nunique() == 1 else "no usable records"
    if rows["status"].iloc[0] != "wrong":
        return rows["error"].iloc[0]
    shares = 100 * rows["wrong_vertices"] / rows["vertices"]
    return f"{shares.min():.3g} to {shares.max():.3g} % of the vertices"


def _cell(text):
    """Text for one cell of a table, with Markdown and HTML escaped."""
    escaped = "".join(f"\\{letter}" if letter in r"\`*_[]<>|#" else letter for letter in str(text))
    return " ".join(escaped.split())
