"""Write results/report.html: one page that carries its data and scripts, and links to the records beside it."""

import base64
import csv
import datetime
import hashlib
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import yaml

from warpath.base.files import atomic
from warpath.base.places import WORKFLOW
from warpath.base.text import counted, escaped
from warpath.lifetime import repeat
from warpath.results import answer, claims, endings, explorer, figures, packed, records, select, style
from warpath.runs import overhead, statuses

TEMPLATES = WORKFLOW / "report"
LIBRARIES = ("vendor/d3.min.js", "vendor/plot.min.js")
PARTS = ("data", "csv", "state", "table", "runs", "run", "colours", "plot", "point", "explorer", "drop", "page")
SCRIPTS = [f"{part}.js" for part in PARTS]  # our own, in one scope
OF_ONE_RUN = ("worker", "sensors_before", "sensors_after")  # entries of the environment that are not listed
MOST_VALUES = 8  # of an entry of the environment that are listed


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
        "answer": answer.sentences(summary, judged, timings),
        "devices": style.devices(summary),
        "emulated": select.emulated(summary),
        "stand_ins": stand_ins(summary),
        "tiles": _tiles(timings, summary),
        "claims": judged,
        "verdicts": claims.VERDICTS,
        "figures": [_figure(name, figure_folder) for name in study.figures],
        "answers": endings.by_algorithm(summary),
        "statuses": statuses.WORDS,
        "endings": endings.by_status(summary),
        "data": explorer.data(settings, summary, run_records, output),
        "runs": len(summary),
        "costs": _costs(run_records),
        "environment": environment(run_records),
        "most_values": MOST_VALUES,
        "settings": yaml.safe_dump(settings, sort_keys=False),
        "command": repeat.workflow(settings),
        "one_run": next((record["command"] for record in run_records if record.get("command")), None),
        "scripts": scripts,
        "script_hashes": list(map(script_hash, scripts)),
    }


def _scripts():
    """The texts of the page's scripts: the libraries, and our own in a scope of their own."""
    return [*map(_library, LIBRARIES), own_scripts(SCRIPTS)]


def own_scripts(names):
    """Scripts of workflow/report as one text with a scope of its own."""
    texts = "\n".join(map(_script, names))
    return f'"use strict";\n(() => {{\n{texts}}})();\n'


def _library(name):
    """A library's script with its licence, which asks to be part of every copy."""
    licence = _script(name.replace(".min.js", ".LICENSE"))
    return f"/*\n{licence}*/\n{_script(name)}"


def _script(name):
    return (TEMPLATES / name).read_text(encoding="utf-8")


def script_hash(script):
    """The source of a Content-Security-Policy that allows this script and no other."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


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
    counts = (
        (len(summary), "run"),
        (int(timings["solve_ms"].notna().sum()), "timed solve"),
        (summary["graph"].nunique(), "graph"),
        (summary["algorithm"].nunique(), "algorithm"),
    )
    return [
        *(counted(*each).split(" ", 1) for each in counts),
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
