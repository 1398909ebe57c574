"""Write results/report.html: one self-contained page, which links to the records."""

import base64
import csv
import datetime
import os
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import yaml

from warpath.foundation.files import atomic
from warpath.foundation.places import WORKFLOW
from warpath.lifetime import repeat
from warpath.results import claims, figures, records, style
from warpath.runs import overhead

TEMPLATES = WORKFLOW / "report"
ENDINGS = {  # every status but ok, the worst first, and its meaning
    "failed": "ended by an unexpected error; the next workflow tries these runs again",
    "missing": "planned, but without a usable record",
    "wrong": "finished, but an answer differs from the oracle's; never part of a comparison",
    "timeout": "ended by the time limit",
    "out_of_memory": "did not fit into memory",
    "unsupported": "the device or the algorithm cannot do this launch or this graph",
}

FILTERS = ("problem", "graph", "algorithm", "device", "status")
OF_ONE_RUN = ("worker", "sensors_before", "sensors_after")  # entries of the environment that are not listed
NUMBERS = (  # columns of the table of runs, and how a value is written
    ("median_ms", style.duration),
    ("teps", style.count),
    ("iterations", "{:,.0f}".format),
    ("kernel_launches", "{:,.0f}".format),
    ("samples", "{:.0f}".format),
    ("percent_of_limit", "{:.2g} %".format),
    ("overhead_s", "{:.2f} s".format),
)


def write(study, settings, timings, summary, judged, figure_folder, output):
    """Render the page; `judged` is the list of the study's claims with their verdicts."""
    content = _content(study, settings, timings, summary, judged, Path(figure_folder), Path(output).parent)
    rendered = template("page.html.j2", duration=style.duration, count=style.count).render(content)
    with atomic(output) as temporary:
        temporary.write_text(rendered, encoding="utf-8")


def _content(study, settings, timings, summary, judged, figure_folder, folder):
    run_records = records_of(summary)
    return {
        "study": study,
        "now": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "devices": style.devices(summary),
        "emulated": bool((summary["device"] == "host").any()),
        "stand_ins": stand_ins(summary),
        "tiles": _tiles(timings, summary, judged),
        "claims": judged,
        "verdicts": claims.VERDICTS,
        "figures": [_figure(name, figure_folder) for name in study.figures],
        "endings": _endings(summary),
        "rows": [_row(row, folder) for row in summary.to_dict("records")],
        "filters": {name: sorted(summary[name].dropna().unique()) for name in FILTERS},
        "costs": _costs(run_records),
        "environment": environment(run_records),
        "settings": yaml.safe_dump(settings, sort_keys=False),
        "command": repeat.workflow(settings),
        "one_run": next((record["command"] for record in run_records if record.get("command")), None),
    }


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
    try:
        return records.read(path)
    except records.UnusableRecord:
        return {}


def _tiles(timings, summary, judged):
    """The numbers at the top of the page, each with its label."""
    statuses = summary["status"].value_counts()
    good, bad = int(statuses.get("ok", 0)), int(statuses.drop("ok", errors="ignore").sum())
    per_job = summary["overhead_s"].mean()
    return [
        (good, "runs with right answers"),
        (bad, "runs without a right answer"),
        (int(timings["solve_ms"].notna().sum()), "timed solves"),
        (summary["graph"].nunique(), "graphs"),
        (summary["algorithm"].nunique(), "algorithms"),
        _claims_that_hold(judged),
        (f"{per_job:.2g} s", "overhead per job") if pd.notna(per_job) else None,
    ]


def _claims_that_hold(judged):
    measured = [claim for claim in claims.of_papers(judged) if claim.verdict != claims.UNMEASURED]
    hold = sum(claim.verdict == claims.HOLDS for claim in measured)
    return (hold, f"of {len(measured)} measured claims hold") if judged else None


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
        "head": head,
        "rows": rows,
    }


def reading(svg):
    """The description of a figure, which serves as alternative text."""
    element = ElementTree.parse(svg).find(".//{http://purl.org/dc/elements/1.1/}description")
    return (element.text or "") if element is not None else ""


def _endings(summary):
    groups = []
    for status, meaning in ENDINGS.items():
        rows = summary[summary["status"] == status]
        if len(rows):
            groups.append(
                {
                    "word": style.STATUSES[status],
                    "meaning": meaning,
                    "rows": rows.astype(object).fillna("").to_dict("records"),
                }
            )
    return groups


def _row(row, folder):
    """One row of the summary as the page shows it: texts, and the numbers to sort by."""
    known = {name: value for name, value in row.items() if not pd.isna(value)}
    interval = f"{style.duration(row['low_ms'])} – {style.duration(row['high_ms'])}" if "low_ms" in known else ""
    return {
        "graph": row["graph"],
        "algorithm": row["algorithm"],
        "launch": row["launch"],
        "device": style.DEVICES[row["device"]],
        "status": style.STATUSES[row["status"]],
        "flags": known.get("flags", ""),
        "raw": {name: known.get(name, "") for name in FILTERS},
        "numbers": {
            name: (known.get(name), wording(known[name]) if name in known else "") for name, wording in NUMBERS
        },
        "interval": interval,
        "link": os.path.relpath(row["record"], folder) if Path(row["record"]).exists() else None,
    }


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
