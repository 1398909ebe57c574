"""Write results/report.html: one page that carries its data and scripts, and links to the records beside it."""

import base64
import csv
import datetime
import hashlib
import os
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import yaml

from warpath.algorithms.launches import AXES
from warpath.foundation import places
from warpath.foundation.files import atomic
from warpath.foundation.places import WORKFLOW
from warpath.lifetime import repeat
from warpath.results import answer, claims, columns, figures, packed, records, select, style
from warpath.runs import overhead

TEMPLATES = WORKFLOW / "report"
LIBRARIES = ("vendor/d3.min.js", "vendor/plot.min.js")
SCRIPTS = (
    "data.js",
    "state.js",
    "table.js",
    "runs.js",
    "run.js",
    "explorer.js",
    "page.js",
)  # in one scope, in this order
ENDINGS = {  # every status but ok, the worst first, and its meaning
    "failed": "ended by an unexpected error; the next workflow tries these runs again",
    "missing": "planned, but without a usable record",
    "wrong": "finished, but an answer differs from the oracle's; never part of a comparison",
    "timeout": "ended by the time limit",
    "out_of_memory": "did not fit into memory",
    "unsupported": "the device or the algorithm cannot do this launch or this graph",
}

OF_ONE_RUN = ("worker", "sensors_before", "sensors_after")  # entries of the environment that are not listed
MOST_ROWS, MOST_VALUES = 50, 8  # that a list on the page has, so that it stays readable with 10,000 runs
RUN = "@run@"  # in templates of paths and commands: graph/problem/algorithm/launch


def write(study, settings, timings, summary, judged, figure_folder, output):
    """Render the page; `judged` is the list of the study's claims with their verdicts."""
    content = _content(study, settings, timings, summary, judged, Path(figure_folder), Path(output))
    rendered = template("page.html.j2", packed=packed.text).render(content)
    with atomic(output) as temporary:
        temporary.write_text(rendered, encoding="utf-8")


def _content(study, settings, timings, summary, judged, figure_folder, output):
    run_records = records_of(summary)
    scripts = _scripts()
    return {
        "study": study,
        "now": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "answer": answer.sentences(summary, judged),
        "devices": style.devices(summary),
        "emulated": select.emulated(summary),
        "stand_ins": stand_ins(summary),
        "tiles": _tiles(timings, summary),
        "claims": judged,
        "verdicts": claims.VERDICTS,
        "figures": [_figure(name, figure_folder) for name in study.figures],
        "answers": _answers(summary),
        "statuses": style.STATUSES,
        "endings": _endings(summary),
        "data": _data(settings, summary, run_records, output),
        "runs": len(summary),
        "costs": _costs(run_records),
        "environment": environment(run_records),
        "most_values": MOST_VALUES,
        "settings": yaml.safe_dump(settings, sort_keys=False),
        "command": repeat.workflow(settings),
        "one_run": next((record["command"] for record in run_records if record.get("command")), None),
        "scripts": scripts,
        "script_hashes": [_hash(script) for script in scripts],
    }


def _scripts():
    """The texts of the page's scripts: the libraries, and our own in a scope of their own."""
    own = "\n".join(_script(name) for name in SCRIPTS)
    return [*map(_script, LIBRARIES), f'"use strict";\n(() => {{\n{own}}})();\n']


def _script(name):
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _hash(script):
    """The source of a Content-Security-Policy that allows this script and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def template(name, **filters):
    """A template of workflow/report; HTML templates escape every value."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=".html" in name,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= filters
    return environment.get_template(name)


def records_of(summary):
    """The record behind each row of the summary, {} where it cannot be read."""
    return [_record(path) for path in summary["record"]]


def _record(path):
    if pd.isna(path):  # of a published table
        return {}
    try:
        return records.read(path)
    except records.UnusableRecord:
        return {}


def _tiles(timings, summary):
    """The numbers at the top of the page, each with its label."""
    per_job = summary["overhead_s"].mean()
    return [
        (f"{len(summary):,}", "runs"),
        (f"{int(timings['solve_ms'].notna().sum()):,}", "timed solves"),
        (summary["graph"].nunique(), "graphs"),
        (summary["algorithm"].nunique(), "algorithms"),
        (f"{per_job:.2g} s", "overhead per job") if pd.notna(per_job) else None,
    ]


def stand_ins(summary):
    """Each generated graph of the study with the graph that it stands in for."""
    pairs = summary[["graph", "stand_in_for"]].dropna().drop_duplicates()
    return list(pairs.itertuples(index=False, name=None))


def _figure(name, folder):
    title, caption = figures.title_and_caption(name)
    if not (folder / f"{name}.svg").exists():
        return {"name": name, "title": title, "caption": caption, "image": None}
    svg = (folder / f"{name}.svg").read_bytes()
    with open(folder / f"{name}.csv", newline="", encoding="utf-8") as file:
        head, *rows = list(csv.reader(file))
    return {
        "name": name,
        "title": title,
        "caption": caption,
        "reading": reading(folder / f"{name}.svg"),
        "image": "data:image/svg+xml;base64," + base64.b64encode(svg).decode(),
        "rows": len(rows),
        "data": {"rows": len(rows), "columns": [_drawn(*column) for column in zip(head, *rows, strict=True)]},
    }


def _drawn(name, *values):
    """A column of a figure's data, as it stands in the file."""
    return {"name": name, "unit": "", "meaning": "", "type": "text", **packed.of_texts(values)}


def reading(svg):
    """The description of a figure, which serves as alternative text."""
    element = ElementTree.parse(svg).find(".//{http://purl.org/dc/elements/1.1/}description")
    return (element.text or "") if element is not None else ""


def _answers(summary):
    """A row for each algorithm: its name and the number of its runs with each status, among those that occur."""
    counts = summary.groupby(["algorithm", "status"]).size().unstack(fill_value=0)
    counts = counts[[status for status in style.STATUSES if status in counts]]
    rows = [(algorithm, row.sum(), row.to_dict()) for algorithm, row in counts.iterrows()]
    return {"statuses": list(counts), "rows": rows}


def _endings(summary):
    """The runs that are not ok by status, and those of an algorithm that ended with the same message in one row."""
    endings = []
    for status, meaning in ENDINGS.items():
        runs = summary[summary["status"] == status].fillna({"error": ""})
        groups = [_ending(*group) for group in runs.groupby(["algorithm", "error"], sort=False)]
        if groups:
            word = {"status": status, "word": style.STATUSES[status], "meaning": meaning}
            endings.append(word | {"runs": len(runs), "rows": groups[:MOST_ROWS], "more": len(groups[MOST_ROWS:])})
    return endings


def _ending(key, runs):
    algorithm, error = key
    most = runs["wrong_vertices"].max()
    return {
        "algorithm": algorithm,
        "message": error,
        "graphs": _some(runs["graph"].unique()),
        "launches": _some(runs["launch"].unique()),
        "runs": len(runs),
        "wrong": f"{int(most):,}" if pd.notna(most) else "",
    }


def _some(names, most=4):
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _data(settings, summary, run_records, output):
    """What the page's scripts show: the summary as columns, and where records, logs and commands of runs are."""
    again = repeat.workflow(settings, places.RECORDS + f"/{RUN}.json")
    runs = summary[["graph", "algorithm", "launch"]].agg("/".join, axis=1)
    described = {column.name for column in columns.SUMMARY}
    links = {"record": [], "log": [], "command": []}
    for run, path, record in zip(runs, summary["record"], run_records, strict=True):
        links["record"].append(_link(path, run, output.parent))
        links["log"].append(_link(places.log("runs", *run.split("/")), run, output.parent))
        links["command"].append((record.get("command") or again).replace(run, RUN))
    return (
        packed.of_summary(summary)
        | {
            "links": {name: packed.of_texts(values) for name, values in links.items()},
            "looks": {algorithm: style.look(algorithm)[0] for algorithm in summary["algorithm"].unique()},
            "axes": [name for name in summary if name in AXES or name not in described],  # a user's own axes, too
            "statuses": style.STATUSES,
            "page": "/".join(output.absolute().parts[-2:]),
            "emulated": select.emulated(summary),
        }
    )


def _link(path, run, folder):
    """The path of a file of a run, relative to the page; None if it is not there."""
    return os.path.relpath(path, folder).replace(run, RUN) if pd.notna(path) and Path(path).exists() else None


def _costs(run_records):
    """The sum and the mean of each cost in the records, in seconds."""
    jobs = [record.get("costs", {}) for record in run_records]
    costs = pd.DataFrame(jobs).apply(pd.to_numeric, errors="coerce")
    table = [(name.removesuffix("_s"), costs[name].sum(), costs[name].mean()) for name in costs if name != "total_s"]
    summed = overhead.summed(jobs)
    return summed and summed | {"rows": sorted(table, key=lambda row: -row[1])}


def environment(run_records):
    """Every entry of the records' environments: each distinct value, with the number of runs that had it."""
    rows = []
    environments = [record["environment"] for record in run_records if record]
    names = dict.fromkeys(name for environment in environments for name in environment)
    for name in (name for name in names if name not in OF_ONE_RUN):
        values = Counter(_flat(environment[name]) for environment in environments if environment.get(name) is not None)
        if values:
            rows.append((name.replace("_", " "), values.most_common()))
    return rows


def _flat(value):
    return ", ".join(f"{key} {item}" for key, item in value.items()) if isinstance(value, dict) else str(value)
