"""results/report.html: one page that needs nothing but itself, with the raw records one link away."""

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
from warpath.lifetime import repeat
from warpath.results import claims, figures, style
from warpath.results import records as run_records
from warpath.runs import overhead

TEMPLATES = Path(__file__).resolve().parents[2] / "report"
ENDINGS = {  # what did not end well, the worst first, and what each word means
    "failed": "something unexpected happened; a rerun tries these again",
    "missing": "planned, but there is no record that can be believed",
    "wrong": "finished, but the answer differs from the oracle's; never part of a comparison",
    "timeout": "ended by the time limit",
    "out_of_memory": "did not fit into memory",
    "unsupported": "a launch or a graph that the device or the algorithm cannot do",
}


def write(study, settings, timings, summary, judged, figure_folder, output):
    """Render the page. `judged` are the verdicts on the study's claims."""
    output = Path(output)
    raw = records(summary)
    content = {
        "study": study,
        "now": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "devices": style.devices(summary),
        "emulated": bool((summary["device"] == "host").any()),
        "stand_ins": stand_ins(summary),
        "tiles": _tiles(timings, summary, judged),
        "claims": judged,
        "verdicts": claims.VERDICTS,
        "figures": [_figure(name, Path(figure_folder)) for name in study.figures],
        "endings": _endings(summary),
        "rows": [_row(row, output.parent) for row in summary.to_dict("records")],
        "filters": {
            name: sorted(summary[name].dropna().unique())
            for name in ("problem", "graph", "algorithm", "device", "status")
        },
        "costs": _costs(raw),
        "environment": environment(raw),
        "settings": yaml.safe_dump(settings, sort_keys=False),
        "command": repeat.workflow(settings),
        "one_run": next((record["command"] for record in raw if record.get("command")), None),
    }
    rendered = template("page.html.j2", duration=style.duration, count=style.count)
    with atomic(output) as temporary:
        temporary.write_text(rendered.render(content), encoding="utf-8")


def template(name, **filters):
    """A template of ours; in HTML, whatever it is given is shown as text."""
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


def records(summary):
    """What each row of the summary was made from; nothing where that cannot be read."""
    return [_record(path) for path in summary["record"]]


def _record(path):
    try:
        return run_records.read(path)
    except run_records.NotBelieved:
        return {}


def _tiles(timings, summary, judged):
    """The numbers that a reader wants first."""
    statuses = summary["status"].value_counts()
    good, bad = int(statuses.get("ok", 0)), int(statuses.drop("ok", errors="ignore").sum())
    overhead = summary["overhead_s"].mean()
    return [
        (good, "runs with right answers"),
        (bad, "runs that ended otherwise"),
        (int(timings["solve_ms"].notna().sum()), "timed solves, every one kept"),
        (summary["graph"].nunique(), "graphs"),
        (summary["algorithm"].nunique(), "algorithms"),
        _held(judged),
        (f"{overhead:.2g} s", "a job beyond its measurement") if pd.notna(overhead) else None,
    ]


def _held(judged):
    measured = [claim for claim in judged if claim.verdict != claims.UNMEASURED]
    held = sum(claim.verdict == claims.HOLDS for claim in measured)
    return (held, f"of {len(measured)} claims measured here hold") if judged else None


def stand_ins(summary):
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
    """The sentence that a drawn figure carries for those who cannot see it."""
    element = ElementTree.parse(svg).find(".//{http://purl.org/dc/elements/1.1/}description")
    return (element.text or "") if element is not None else ""


def _endings(summary):
    groups = []
    for status, meaning in ENDINGS.items():
        rows = summary[summary["status"] == status]
        if len(rows):
            groups.append(
                {"word": style.STATUSES[status], "meaning": meaning, "rows": rows.fillna("").to_dict("records")}
            )
    return groups


def _row(row, folder):
    """One row of the summary as the page shows it: text, and the number to sort by."""
    given = {name: value for name, value in row.items() if not pd.isna(value)}
    shown = {
        "graph": row["graph"],
        "algorithm": row["algorithm"],
        "launch": row["launch"],
        "device": style.DEVICES[row["device"]],
        "status": style.STATUSES[row["status"]],
        "flags": given.get("flags", ""),
    }
    numbers = {
        "median": (given.get("median_ms"), style.duration),
        "teps": (given.get("teps"), lambda value: style.count(value)),
        "iterations": (given.get("iterations"), lambda value: f"{value:,.0f}"),
        "kernel_launches": (given.get("kernel_launches"), lambda value: f"{value:,.0f}"),
        "samples": (given.get("samples"), lambda value: f"{value:.0f}"),
        "percent_of_limit": (given.get("percent_of_limit"), lambda value: f"{value:.2g} %"),
        "overhead": (given.get("overhead_s"), lambda value: f"{value:.2f} s"),
    }
    interval = f"{style.duration(row['low_ms'])} – {style.duration(row['high_ms'])}" if "low_ms" in given else ""
    return {
        **shown,
        "raw": {name: given.get(name, "") for name in ("problem", "graph", "algorithm", "device", "status")},
        "numbers": {
            name: (value, wording(value) if value is not None else "") for name, (value, wording) in numbers.items()
        },
        "interval": interval,
        "link": os.path.relpath(row["record"], folder) if Path(row["record"]).exists() else None,
    }


def _costs(raw):
    """Where the jobs' seconds went: the sum and the mean of every cost that the records name."""
    jobs = [record.get("costs", {}) for record in raw]
    costs = pd.DataFrame(jobs).apply(pd.to_numeric, errors="coerce")
    table = [(name.removesuffix("_s"), costs[name].sum(), costs[name].mean()) for name in costs if name != "total_s"]
    summed = overhead.summed(jobs)
    return summed and summed | {"rows": sorted(table, key=lambda row: -row[1])}


def environment(raw):
    """Every distinct value of what the records say a result depends on, with the number of runs that had it."""
    rows = []
    environments = [record["environment"] for record in raw if record]
    named = dict.fromkeys(name for environment in environments for name in environment)
    for name in (name for name in named if not name.startswith("sensors")):  # these differ from run to run
        values = Counter(_flat(environment[name]) for environment in environments if environment.get(name) is not None)
        if values:
            rows.append((name.replace("_", " "), values.most_common()))
    return rows


def _flat(value):
    return ", ".join(f"{key} {item}" for key, item in value.items()) if isinstance(value, dict) else str(value)
