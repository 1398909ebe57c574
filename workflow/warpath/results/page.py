"""Write results/report.html: one page that carries its data and scripts, and links to the records beside it."""

import base64
import contextlib
import datetime
import hashlib
import os
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import yaml

from warpath.algorithms.launches import AXES
from warpath.base import places
from warpath.base.files import atomic
from warpath.base.text import counted, escaped, listed
from warpath.results import answer, claims, columns, figures, packed, repeat, select, style
from warpath.runs import overhead, records, statuses

TEMPLATES = places.WORKFLOW / "report"
LIBRARIES = ("vendor/d3.min.js", "vendor/plot.min.js")
PARTS = ["data", "csv", "state", "table", "runs", "run", "colours", "plot", "point", "explorer", "rank", "drop", "page"]
OF_ONE_RUN = ("worker", "sensors_before", "sensors_after")  # entries of the environment that are not listed
MOST_VALUES = 8  # of an entry of the environment that are listed
MOST_NAMES = 4  # of graphs and of launches in a row
MOST_ROWS = 50  # of a status that are listed, so that the page stays readable with 10,000 runs
RUN = "@run@"  # in paths and commands: graph/problem/algorithm/launch, so that those of many runs are one text


def write(study, settings, timings, summary, judged, figure_folder, output):
    """Render the page; `judged` is the list of the study's claims with their verdicts."""
    run_records = records_of(summary)
    all_records = run_records + further_records(summary)
    content = {
        "study": study,
        "answer": answer.sentences(summary, judged, timings),
        "devices": style.devices(summary),
        "emulated": select.emulated(summary),
        "stand_ins": stand_ins(summary),
        "tiles": _tiles(timings, summary),
        "claims": judged,
        "verdicts": claims.VERDICTS,
        "figures": [_figure(name, Path(figure_folder)) for name in study.figures],
        "answers": _answers(summary),
        "statuses": statuses.WORDS,
        "endings": endings(summary),
        "data": _explored(settings, summary, run_records, Path(output)),
        "costs": overhead.summed(record.get("costs", {}) for record in all_records),
        "environment": environment(all_records),
        "most_values": MOST_VALUES,
        "intervals": intervals(summary),
        "settings": yaml.safe_dump(settings, sort_keys=False),
        "command": repeat.workflow(settings),
        "one_run": next((record["command"] for record in run_records if record.get("command")), None),
    }
    render("page.html.j2", output, content, [*map(_library, LIBRARIES), own_scripts(PARTS)])


def render(name, output, content, scripts):
    """Write a page with these scripts, of which a Content-Security-Policy allows no others."""
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
    digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    around = {"now": now, "scripts": scripts, "script_hashes": [f"'sha256-{digest}'" for digest in digests]}
    with atomic(output) as temporary:
        text = template(name, packed=packed.text).render(content | around)
        temporary.write_text(text, encoding="utf-8")


def own_scripts(parts):
    """Scripts of workflow/report as one text with a scope of its own."""
    texts = "\n".join(_script(f"{part}.js") for part in parts)
    return f'"use strict";\n(() => {{\n{texts}}})();\n'


def _library(name):
    """A library's script with its licence, which asks to be part of every copy."""
    licence = _script(name.replace(".min.js", ".LICENSE"))
    return f"/*\n{licence}*/\n{_script(name)}"


def _script(name):
    return (TEMPLATES / name).read_text(encoding="utf-8")


def image(picture):
    """A drawn picture as an address that needs no file."""
    return "data:image/svg+xml;base64," + base64.b64encode(picture.read_bytes()).decode()


def template(name, **filters):
    """A template of workflow/report; HTML templates escape every value, and all escape what is not printable."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=".html" in name,
        undefined=StrictUndefined,
        finalize=lambda value: escaped(value, "\n\t") if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= filters
    return environment.get_template(name)


def intervals(summary):
    """Say what the intervals of times are, and how much of their spread is between processes; empty without times."""
    kinds = summary["interval"].value_counts()
    named = [f"{kind} ({counted(runs, 'run')})" if len(kinds) > 1 else kind for kind, runs in kinds.items()]
    text = f"Intervals of times: {listed(named)}." if named else ""
    share, runs = summary["percent_between_processes"].median(), summary["percent_between_processes"].count()
    spread = f"{share:.0f} % of the spread of a source's times (the variance of logarithms) is between processes"
    return f"{text} In the median of {counted(runs, 'run')}, {spread}." if runs else text


def records_of(summary):
    """The record behind each row of the summary, {} where it cannot be read, as for a published table."""
    return [_record(path) for path in summary["record"]]


def further_records(summary):
    """The records of all processes but the first ones."""
    rows = summary.dropna(subset=["record", "processes"]).itertuples()
    parts = ((row, places.part(row.launch, process)) for row in rows for process in range(2, row.processes + 1))
    return [_record(Path(row.record).with_name(f"{part}.json")) for row, part in parts]


def _record(path):
    with contextlib.suppress(records.UnusableRecord):
        return records.read(path) if pd.notna(path) else {}
    return {}


def _tiles(timings, summary):
    """The numbers at the top of the page, each with its label."""
    counts = {
        "run": len(summary),
        "timed solve": int(timings["solve_ms"].notna().sum()),
        "graph": summary["graph"].nunique(),
        "algorithm": summary["algorithm"].nunique(),
    }
    tiles = [counted(count, noun).split(" ", 1) for noun, count in counts.items()]
    per_job = summary["overhead_s"].mean()
    return [*tiles, *([(f"{per_job:.2g} s", "overhead per job")] if pd.notna(per_job) else [])]


def stand_ins(summary):
    pairs = summary[["graph", "stand_in_for"]].dropna().drop_duplicates()
    return list(pairs.itertuples(index=False, name=None))


def _explored(settings, summary, run_records, output):
    """What the scripts of the page show: the summary as columns, and where the files of each run are."""
    described = {column.name for column in columns.SUMMARY}
    shown = summary.drop(columns="record").dropna(axis="columns", how="all")
    again = repeat.workflow(settings, f"{places.RECORDS}/{RUN}.json")
    runs = summary[["graph", "algorithm", "launch"]].agg("/".join, axis=1)
    links = {"record": [], "log": [], "command": []}
    for run, path, record in zip(runs, summary["record"], run_records, strict=True):
        for kind, file in (("record", path), ("log", places.log("runs", run))):
            there = pd.notna(file) and Path(file).exists()
            links[kind].append(os.path.relpath(file, output.parent).replace(run, RUN) if there else None)
        links["command"].append((record.get("command") or again).replace(run, RUN))
    return {
        **packed.of_table(shown),
        "links": {kind: packed.of_texts(values) for kind, values in links.items()},
        "looks": {algorithm: style.look(algorithm)[0] for algorithm in summary["algorithm"].unique()},
        "axes": [name for name in summary if name in AXES or name not in described],  # a user's own axes, too
        "words": {label: style.launch(label) for label in summary["launch"].unique()},
        "statuses": statuses.WORDS,
        "page": "/".join(output.absolute().parts[-2:]),
    }


def _answers(summary):
    """A row for each algorithm: its name and the number of its runs with each status, among those that occur."""
    counts = summary.groupby(["algorithm", "status"]).size().unstack(fill_value=0)
    counts = counts[[status for status in statuses.WORDS if status in counts]]
    rows = [(algorithm, row.sum(), row.to_dict()) for algorithm, row in counts.iterrows()]
    return {"statuses": list(counts), "rows": rows}


def endings(summary):
    """The runs that are not ok; those of an algorithm with the same message but for numbers in one row."""
    endings = []
    for status in statuses.UNSOUND:
        runs = summary[summary["status"] == status].fillna({"error": ""})
        alike = runs["error"].str.replace(r"\d+", "#", regex=True)
        groups = list(runs.groupby(["algorithm", alike], sort=False))
        if groups:
            word = {"view": f"is.status={status}", "word": statuses.WORDS[status], "runs": len(runs)}
            word["meaning"] = statuses.STATUSES[status].meaning
            rows = [_ending(algorithm, rows) for (algorithm, _), rows in groups[:MOST_ROWS]]
            endings.append(word | {"rows": rows, "more": len(groups) - len(rows)})
    return endings


def _ending(algorithm, runs):
    wrong = runs["wrong_vertices"].fillna(0)
    most, message = wrong.max(), runs["error"].iloc[wrong.argmax()]
    return {
        "algorithm": algorithm,
        "message": message if runs["error"].nunique() == 1 else f"{message} (of the others only the numbers differ)",
        "graphs": listed([*runs["graph"].unique()], MOST_NAMES),
        "launches": listed([*runs["launch"].unique()], MOST_NAMES),
        "runs": len(runs),
        "wrong": f"{int(most):,}" if most else "",
    }


def _figure(name, folder):
    title, caption = figures.title_and_caption(name)
    about, picture = {"name": name, "title": title, "caption": caption}, folder / f"{name}.svg"
    if not picture.exists():
        return about | {"image": None}
    data = pd.read_csv(folder / f"{name}.csv", dtype=str, keep_default_na=False)  # as it stands in the file
    return about | {"reading": reading(picture), "image": image(picture), "data": packed.of_table(data, described=())}


def reading(svg):
    """The description of a figure, which serves as alternative text."""
    element = ElementTree.parse(svg).find(".//{http://purl.org/dc/elements/1.1/}description")
    return (element.text or "") if element is not None else ""


def environment(run_records):
    """Every entry of the records' environments: each distinct value, with the number of runs that had it."""
    found = {}
    for name, value in (entry for record in run_records for entry in record.get("environment", {}).items()):
        if name not in OF_ONE_RUN and value is not None:
            parts = [f"{key} {item}" for key, item in value.items()] if isinstance(value, dict) else [str(value)]
            found.setdefault(name.replace("_", " "), Counter())[", ".join(parts)] += 1
    return [(name, values.most_common()) for name, values in found.items()]


def environment_of_rows(summary):
    """What a summary says of the environment, in the same form."""
    names = {"device name": "device_name", "uuid": "device_uuid", "commit": "commit"}
    counts = ((name, summary[column].dropna().value_counts()) for name, column in names.items())
    return [(name, [(value, int(runs)) for value, runs in values.items()]) for name, values in counts if len(values)]
