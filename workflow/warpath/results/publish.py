"""A finished study as a folder to commit, attach or link to: a page of Markdown, its figures, its tables.

Anybody's own card can stand beside what is under `docs/`.
"""

import shutil
from pathlib import Path

import pandas as pd

from warpath.foundation.files import atomic
from warpath.foundation.settings import defaults
from warpath.lifetime import repeat
from warpath.results import claims, figures, gather, page, style

TABLES = ("timings.parquet", "summary.csv", "claims.csv", "probe.json")


def write(study, settings, summary, judged, results, folder):
    """`results` is the folder of the workflow's results; what an earlier study left in `folder` goes."""
    folder = Path(folder)
    raw, stand_ins = page.records(summary), page.stand_ins(summary)
    used = settings | ({"scale": "offline"} if stand_ins and settings["scale"] == "study" else {})
    drawn = [name for name in study.figures if Path(results, "figures", f"{name}.svg").exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for old in [*folder.glob("*.svg"), *map(folder.joinpath, TABLES)]:
        old.unlink(missing_ok=True)
    for name in drawn:
        _copy(Path(results, "figures", f"{name}.svg"), folder)
    for name in ("timings.parquet", "probe.json"):
        _copy(Path(results, name), folder)
    gather.write(summary.drop(columns="record"), folder / "summary.csv")
    if judged:
        gather.write(pd.DataFrame(judged), folder / "claims.csv")
    content = {
        "study": study,
        "devices": style.devices(summary),
        "stand_ins": stand_ins,
        "claims": judged,
        "counts": [(verdict, sum(claim.verdict == verdict for claim in judged)) for verdict in claims.VERDICTS],
        "figures": [_figure(name, Path(results, "figures")) for name in drawn],
        "statuses": [(style.STATUSES[status], count) for status, count in summary["status"].value_counts().items()],
        "endings": _endings(summary),
        "environment": page.environment(raw),
        "dates": sorted({record["started"][:10] for record in raw if record.get("started")}),
        "command": repeat.workflow(used, base=defaults()),  # for a checkout as it comes, wherever the folder is read
        "publish": repeat.step("publish", used, base=defaults()),
    }
    with atomic(folder / "README.md") as temporary:
        temporary.write_text(page.template("study.md.j2", cell=_cell).render(content), encoding="utf-8")


def _copy(source, folder):
    if source.exists():
        with atomic(folder / source.name) as temporary:
            shutil.copyfile(source, temporary)


def _figure(name, folder):
    title, caption = figures.title_and_caption(name)
    return {"file": f"{name}.svg", "title": title, "caption": caption, "reading": page.reading(folder / f"{name}.svg")}


def _endings(summary):
    """What did not end well, a line per algorithm, graph and reason; one for all runs of an algorithm not yet made."""
    bad = summary[summary["status"] != "ok"].fillna({"error": "", "wrong_vertices": 0})
    together = bad["graph"].where(bad["status"] != "missing", "")
    lines = []
    for (status, algorithm, _), rows in bad.groupby(["status", "algorithm", together], sort=True):
        graphs = ", ".join(sorted(set(rows["graph"])))
        lines.append((style.STATUSES[status], algorithm, graphs, len(rows), _reason(rows)))
    return lines


def _reason(rows):
    """The share of wrong vertices, or the message; for runs not made no more than what they have in common."""
    if rows["status"].iloc[0] == "missing":
        return rows["error"].iloc[0] if rows["error"].nunique() == 1 else "these runs have not been made"
    if rows["status"].iloc[0] != "wrong":
        return rows["error"].iloc[0]
    shares = 100 * rows["wrong_vertices"] / rows["vertices"]
    return f"{shares.min():.3g} to {shares.max():.3g} % of the vertices"


def _cell(text):
    """Text that stays in its cell and stays text: Markdown of other people's making is shown, not obeyed."""
    escaped = "".join(f"\\{letter}" if letter in r"\`*_[]<>|#" else letter for letter in str(text))
    return " ".join(escaped.split())
