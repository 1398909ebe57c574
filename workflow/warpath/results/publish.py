"""Write a finished study into a folder to commit or send: a page of Markdown, its figures and its tables.

`again` makes the page and the figures anew from the tables that such a folder holds, when the claims or the drawings
have changed and nothing is to be measured: what the records alone know is in page.json beside them.
"""

import contextlib
import shutil
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pandas as pd

from warpath.algorithms import discovery
from warpath.base import places
from warpath.base.errors import UserError
from warpath.base.files import atomic, read_json, write_json
from warpath.base.problems import CHECKED_ROWS
from warpath.base.settings import defaults
from warpath.base.text import listed
from warpath.graphs import catalogue
from warpath.results import answer, claims, evidence, figures, frames, limits, page, repeat, select, style
from warpath.runs import commit, plan, statuses

NEEDS = {"energy": "energy_j", "prepare_cost": "prepare_ms"}  # columns that tables of earlier versions lack
CLAIMS, PAGE, KNOWN = "claims.csv", "README.md", "page.json"
SUMMARY, TIMINGS, PROBE = (Path(file).name for file in (places.SUMMARY, places.TIMINGS, places.PROBE))


def write(study, settings, folder):
    """Replace what an earlier study left in `folder` by this one."""
    measured = _gathered(study)
    if len(rows := uncommitted(measured.summary)):
        one, share = rows.iloc[0], f"{len(rows)} of {len(measured.summary)} runs"
        raise UserError(
            f"{share} were measured in a checkout with changes ({one['commit']}), such as {one['algorithm']} "
            f"{one['launch']} on {one['graph']}; commit the changes and measure these runs again"
        )
    for file in (places.TIMINGS, places.PROBE):
        Path(folder, Path(file).name).unlink(missing_ok=True)
        _copy(Path(file), Path(folder))
    frames.write(measured.summary.drop(columns="record"), Path(folder, SUMMARY))
    offline = page.stand_ins(measured.summary) and settings["scale"] == "study"
    used = settings | ({"scale": "offline"} if offline else {})
    known = {
        "environment": page.environment(page.records_of(measured.summary) + page.further_records(measured.summary)),
        # For a checkout with the default settings: the folder may be read anywhere.
        "command": repeat.workflow(used, base=defaults()),
        "publish": repeat.step("publish", used, base=defaults()),
        "skipped": study.skipped,
    }
    _write(study, measured, places.FIGURES, known, Path(folder))


def _gathered(study):
    """The evidence in this checkout's results, which have to be of this study."""
    if not Path(places.SUMMARY).exists():
        raise UserError(f"{places.SUMMARY}: not found; run the workflow first")
    measured = evidence.read(places.TIMINGS, places.SUMMARY, study.claims)
    gathered = set(measured.summary["study"])
    if gathered != {study.name}:
        names = ", ".join(sorted(gathered))
        raise UserError(f"{places.SUMMARY}: holds the runs of {names}, not of {study.name}; choose with --study")
    return measured


def again(folder, study=None):
    """Judge and draw again from the tables in `folder`, and write its page, by its study's file as that is today.

    With a `study`, these become those of this checkout's results, completed by what only the folder has of its runs.
    """
    from warpath.results import charts

    folder = Path(folder)
    if study:
        gathered, known, rates = _gathered(study), discovery.find(), limits.rates(folder / PROBE)
        summary = gathered.summary.drop(columns="record")
        rows = summary.to_dict("records")
        summary["percent_of_limit"] = [limits.percent_of_limit(row, known.get(row["algorithm"]), rates) for row in rows]
        tables = (gathered.timings, summary), frames.read(folder / TIMINGS, folder / SUMMARY)
        for name, table, earlier in zip((TIMINGS, SUMMARY), *tables, strict=True):
            frames.write(_completed(table, earlier, dict(study.skipped)), folder / name)
    measured = evidence.read(*(folder / name for name in (TIMINGS, SUMMARY)))
    if not (known := of_records(folder)):
        raise UserError(f"{folder}: lacks {KNOWN}; was it written by publish?")
    if study:  # the page was of other rows
        known["environment"] = page.environment_of_rows(measured.summary)
    described = plan.schemas.read(plan.study_file(measured.summary["study"].iloc[0]), "study")
    unknown = [name for name, column in NEEDS.items() if measured.summary[column].isna().all()]
    named = [name for name in dict.fromkeys([*described["figures"], "energy"]) if name not in unknown]
    described = SimpleNamespace(**described | {"figures": named})
    with tempfile.TemporaryDirectory() as drawn:
        for name in described.figures:
            charts.draw(name, measured, drawn)
        _write(described, measured, drawn, known, folder)


def _completed(table, earlier, skipped):
    """The table, with an earlier one's rows of runs without a record and of algorithms that cannot run here."""
    of_run, of_earlier = (pd.MultiIndex.from_frame(each[select.RUN]) for each in (table, earlier))
    missing = (table["status"] == statuses.MISSING) & of_run.isin(of_earlier)
    kept = of_earlier.isin(of_run[missing]) | (earlier["algorithm"].isin(skipped) & ~of_earlier.isin(of_run))
    return pd.concat([table[~missing], earlier[kept]], ignore_index=True)


def uncommitted(summary):
    """The rows of runs that were measured in a checkout with changes: nobody else can have that code."""
    return summary[summary["commit"].astype("string").str.endswith(commit.DIRTY).fillna(False)]


def of_records(folder):
    """What a published page says that its tables do not: environment, commands, what was left out; empty if lost."""
    with contextlib.suppress(ValueError, KeyError, TypeError):
        known = read_json(folder / KNOWN)
        rows = [(name, [(value, runs) for value, runs in values]) for name, values in known["environment"]]
        return known | {"environment": rows}
    return {}


def _copy(file, folder):
    if file.exists():
        with atomic(folder / file.name) as temporary:
            shutil.copyfile(file, temporary)


def _write(study, measured, drawn, known, folder):
    """Write the figures, the claims and the page; `known` is what the page says that no table knows."""
    summary, judged = measured.summary, claims.judge(study.claims, measured)
    counts, apart = claims.counted(judged)
    for file in [*folder.glob("*.svg"), folder / CLAIMS]:
        file.unlink(missing_ok=True)
    for name in study.figures:
        _copy(Path(drawn, f"{name}.svg"), folder)
    if judged:
        frames.write(pd.DataFrame(judged), folder / CLAIMS)
    content = {
        "study": study,
        "answer": [line for line in answer.sentences(summary, judged, measured.timings) if line != answer.EMULATED],
        "conditions": list(_conditions(summary)),
        "intervals": page.intervals(summary),
        "stand_ins": page.stand_ins(summary),
        "claims": judged,
        "counts": claims.counts_in_words(counts),
        "apart": claims.apart_in_words(apart),
        "figures": [_figure(file) for name in study.figures if (file := folder / f"{name}.svg").exists()],
        "statuses": [(statuses.WORDS[status], count) for status, count in summary["status"].value_counts().items()],
        "endings": list(_endings(summary)),
        "repeat": _to_repeat(summary),
        "dates": sorted({started[:10] for started in summary["started"].dropna()}),
        "judged": summary["unforeseen"].notna().any(),
    }
    with atomic(folder / PAGE) as temporary:
        temporary.write_text(page.template("study.md.j2", cell=cell).render(content | known), encoding="utf-8")
    write_json(folder / KNOWN, known)


def _figure(file):
    title, caption = figures.title_and_caption(file.stem)
    return {"file": file.name, "title": title, "caption": caption, "reading": page.reading(file)}


def _conditions(summary):
    """One line per kind of device: hardware, runs, sources and samples of a run, time limits."""
    for _, rows in summary[summary["status"] != statuses.MISSING].groupby("device", sort=False):
        parts = [_span([len(rows)], "run")]
        sampled, single = rows.dropna(subset=["sources", "samples"]), (rows["samples"] == 1).sum()
        if len(sampled):
            parts.append(f"{_span(sampled['sources'], 'source')} and {_span(sampled['samples'], 'sample')} a run")
        if single:
            parts.append(f"{single} with a single sample")
        if limits := sorted(rows["time_limit_s"].dropna().astype(float).unique()):
            unknown = " (that of some was not recorded)" if rows["time_limit_s"].isna().any() else ""
            parts.append(f"time limit {' or '.join(f'{limit:g} s' for limit in limits)}{unknown}")
        if seconds := rows["total_s"].sum():
            parts.append(f"{style.duration(1000 * seconds)} of jobs")
        yield f"{style.devices(rows)}; {', '.join(parts)}"


def _to_repeat(summary):
    """What one needs beside the command: the commit, where graphs come from, a limit that it does not name."""
    commits, limits = summary["commit"].value_counts(), summary.groupby("device")["time_limit_s"].max()
    others = f" ({commits.iloc[0]} of {len(summary)} runs; summary.csv has those of the others)" * (len(commits) > 1)
    parts = [f"at commit {commits.index[0]}{others}"] if len(commits) else []
    if (own := limits.get("cpu")) and own < limits.max():
        parts.append(f"with baselines measured by themselves, timing={{time_limit: {own:g}}}")
    entries = catalogue.load(places.CONFIG / "graphs.yaml")
    named = filter(None, map(entries.get, summary["graph"].unique()))
    fetched = [entry for entry in named if entry.kind == "download"]
    others = [each.name for each in fetched if each.replaced_by or each.name + catalogue.STAND_IN in entries]
    parts.append("with graphs that are bundled, generated or in a mirror, by the addresses of config/graphs.yaml")
    return ", ".join(parts) + (f"; without mirrors, others stand in for {listed(others)}" if others else "")


def _span(counts, noun):
    """The least and the most of these counts, with their noun: 1 source, 1 to 6 samples."""
    return f"{style.span(counts, '{:,.0f}'.format)} {noun}{'' if max(counts) == 1 else 's'}"


def _endings(summary):
    """One line per status, algorithm and graph of the runs that are not ok; missing runs of all graphs share one."""
    ended = summary[summary["status"] != statuses.SOUND].fillna({"error": "", "wrong_vertices": 0})
    per_graph = ended["graph"].where(ended["status"] != statuses.MISSING, "")
    for (status, algorithm, _), rows in ended.groupby(["status", "algorithm", per_graph], sort=True):
        why = rows["error"].iloc[0]
        if status == statuses.MISSING and rows["error"].nunique() > 1:
            why = "no usable records"
        elif status == statuses.WRONG and rows["wrong_vertices"].any():  # not in an answer that only the judge saw
            compared = rows["vertices"] * rows["vertices"].clip(upper=CHECKED_ROWS if algorithm[:4] == "apsp" else 1)
            why = f"{style.span(100 * rows['wrong_vertices'] / compared, style.digits)} % of the compared distances"
        yield statuses.WORDS[status], algorithm, ", ".join(sorted(set(rows["graph"]))), len(rows), why


def cell(text):
    """Text for one cell of a table, with Markdown and HTML escaped."""
    escaped = "".join(f"\\{letter}" if letter in r"\`*_[]<>|#" else letter for letter in str(text))
    return " ".join(escaped.split())
