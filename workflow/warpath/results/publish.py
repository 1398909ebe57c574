"""Write a finished study into a folder to commit or send: a page of Markdown, its figures and its tables.

`again` makes the page and the figures anew from the tables that such a folder holds, when the claims or the drawings
have changed and nothing is to be measured: what the records alone know is kept from the earlier page.
"""

import re
import shutil
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pandas as pd

from warpath.base import places
from warpath.base.errors import UserError
from warpath.base.files import atomic
from warpath.base.settings import defaults
from warpath.lifetime import repeat
from warpath.results import answer, claims, figures, frames, limits, page, published, style
from warpath.results.evidence import Evidence
from warpath.runs import commit, plan

CLAIMS = "claims.csv"


def write(study, settings, timings, summary, judged, folder):
    """Replace what an earlier study left in `folder` by this one."""
    _require_commits(summary)
    folder = Path(folder)
    drawn = {name: places.figure_files(name)[0] for name in study.figures}
    drawn = {name: file for name, file in drawn.items() if Path(file).exists()}
    _remove_earlier(folder)
    for file in (*drawn.values(), places.TIMINGS, places.PROBE):
        _copy(Path(file), folder)
    frames.write(summary.drop(columns="record"), folder / Path(places.SUMMARY).name)
    if judged:
        frames.write(pd.DataFrame(judged), folder / CLAIMS)
    _write_page(folder, _content(study, timings, summary, judged, drawn) | _of_records(settings, summary))


def uncommitted(summary):
    """The rows of runs that were measured in a checkout with changes: nobody else can have that code."""
    return summary[summary["commit"].astype("string").str.endswith(commit.DIRTY).fillna(False)]


def _require_commits(summary):
    rows = uncommitted(summary)
    if len(rows):
        one = rows.iloc[0]
        raise UserError(
            f"{len(rows)} of {len(summary)} runs were measured in a checkout with changes ({one['commit']}), such as "
            f"{one['algorithm']} {one['launch']} on {one['graph']}; commit the changes and measure these runs again"
        )


def again(folder):
    """Judge and draw again from the tables in `folder`, and write its page."""
    folder = Path(folder)
    timings, summary = frames.read(folder / Path(places.TIMINGS).name, folder / Path(places.SUMMARY).name)
    kept = _of_earlier_page((folder / "README.md").read_text(encoding="utf-8"))
    study = _described(summary)
    numbers = published.read()
    judged = claims.judge(
        study.claims, Evidence(timings, summary, numbers, limits.rates(folder / Path(places.PROBE).name))
    )
    with tempfile.TemporaryDirectory() as temporary:
        for name in study.figures:
            figures.draw(name, figures.Tables(timings, summary, numbers), temporary)
        for file in folder.glob("*.svg"):
            file.unlink()
        drawn = {name: folder / f"{name}.svg" for name in study.figures}
        for file in drawn.values():
            _copy(Path(temporary, file.name), folder)
    (folder / CLAIMS).unlink(missing_ok=True)
    if judged:
        frames.write(pd.DataFrame(judged), folder / CLAIMS)
    _write_page(folder, _content(study, timings, summary, judged, drawn) | kept)


def _described(summary):
    """The study that a summary is of, as its file describes it today; nothing is planned."""
    names = sorted(set(summary["study"]))
    if len(names) != 1:
        raise UserError(f"the summary holds the runs of {', '.join(names) or 'no study'}, not of one study")
    described = plan.schemas.read(plan.study_file(names[0]), "study")
    text = SimpleNamespace(title=described["title"], description=described["description"], skipped=())
    text.figures, text.claims = described["figures"], described["claims"]
    if summary["energy_j"].notna().any():
        text.figures = [*text.figures, *plan.ENERGY]
    return text


def _of_earlier_page(text):
    """What an earlier page says that its tables do not: commands, what was left out, and the environment."""
    block = re.search(r"^```\n(.*)\n(.*) <folder>\n```$", text, re.MULTILINE)
    environment = re.search(r"^## Environment\n\n(.*)\Z", text, re.MULTILINE | re.DOTALL)
    if not block or not environment:
        raise UserError("README.md of the folder has no commands or no environment; was it written by publish?")
    left_out = re.search(r"^Left out: .*$", text, re.MULTILINE)
    return {
        "command": block[1],
        "publish": block[2],
        "left_out": left_out[0] if left_out else "",
        "environment": [],
        "earlier_environment": environment[1].strip(),
    }


def _write_page(folder, content):
    content["graphs"] = (folder.parent / "graphs" / "README.md").exists()
    with atomic(folder / "README.md") as temporary:
        temporary.write_text(page.template("study.md.j2", cell=cell).render(content), encoding="utf-8")


def _remove_earlier(folder):
    names = [CLAIMS, *(Path(file).name for file in (places.TIMINGS, places.SUMMARY, places.PROBE))]
    for file in [*folder.glob("*.svg"), *map(folder.joinpath, names)]:
        file.unlink(missing_ok=True)


def _copy(file, folder):
    if file.exists():
        with atomic(folder / file.name) as temporary:
            shutil.copyfile(file, temporary)


def _content(study, timings, summary, judged, drawn):
    """What the page says that the tables know."""
    return {
        "study": study,
        "answer": [line for line in answer.sentences(summary, judged, timings) if line != answer.EMULATED],
        "conditions": _conditions(summary),
        "stand_ins": page.stand_ins(summary),
        "claims": judged,
        "counts": [(verdict, sum(claim.verdict == verdict for claim in judged)) for verdict in claims.VERDICTS],
        "figures": [_figure(name, file) for name, file in drawn.items()],
        "statuses": [(style.STATUSES[status], count) for status, count in summary["status"].value_counts().items()],
        "endings": _endings(summary),
        "dates": sorted({started[:10] for started in summary["started"].dropna()}),
        "left_out": "",
        "earlier_environment": "",
    }


def _of_records(settings, summary):
    """What the page says that only records and settings know."""
    offline = page.stand_ins(summary) and settings["scale"] == "study"
    used = settings | ({"scale": "offline"} if offline else {})
    return {
        "environment": page.environment(page.records_of(summary)),
        # For a checkout with the default settings: the folder may be read anywhere.
        "command": repeat.workflow(used, base=defaults()),
        "publish": repeat.step("publish", used, base=defaults()),
    }


def _figure(name, file):
    title, caption = figures.title_and_caption(name)
    return {"file": Path(file).name, "title": title, "caption": caption, "reading": page.reading(file)}


def _conditions(summary):
    """One line per kind of device: hardware, runs, sources and samples of a run, time limits."""
    ran = summary[summary["status"] != "missing"]
    return [_condition(rows) for _, rows in ran.groupby("device", sort=False)]


def _condition(rows):
    limits = sorted(rows["time_limit_s"].dropna().astype(float).unique())
    unknown = " (that of some was not recorded)" if limits and rows["time_limit_s"].isna().any() else ""
    single = (rows["samples"] == 1).sum()
    parts = [
        _span([len(rows)], "run"),
        _of_a_run(rows.dropna(subset=["sources", "samples"])),
        f"{single} with a single sample" if single else "",
        f"time limit {' or '.join(f'{limit:g} s' for limit in limits)}{unknown}" if limits else "",
    ]
    return f"{style.devices(rows)}; {', '.join(filter(None, parts))}"


def _of_a_run(rows):
    return f"{_span(rows['sources'], 'source')} and {_span(rows['samples'], 'sample')} a run" if len(rows) else ""


def _span(counts, noun):
    """The least and the most of these counts, with their noun: 1 source, 1 to 6 samples."""
    least, most = min(counts), max(counts)
    span = f"{most:,.0f}" if least == most else f"{least:,.0f} to {most:,.0f}"
    return f"{span} {noun}" if most == 1 else f"{span} {noun}s"


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


def cell(text):
    """Text for one cell of a table, with Markdown and HTML escaped."""
    escaped = "".join(f"\\{letter}" if letter in r"\`*_[]<>|#" else letter for letter in str(text))
    return " ".join(escaped.split())
