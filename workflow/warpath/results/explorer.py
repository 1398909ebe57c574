"""What the scripts of the report show: the summary as columns, and where the files of each run are."""

import os
from pathlib import Path

import pandas as pd

from warpath.algorithms.launches import AXES
from warpath.base import places
from warpath.lifetime import repeat
from warpath.results import columns, packed, style
from warpath.runs import statuses

RUN = "@run@"  # in paths and commands: graph/problem/algorithm/launch, so that those of many runs are one text


def data(settings, summary, run_records, output):
    """The data for the page at `output`; `run_records` are those of the summary's rows."""
    described = {column.name for column in columns.SUMMARY}
    return (
        packed.of_summary(summary)
        | {
            "links": _links(settings, summary, run_records, output.parent),
            "looks": {algorithm: style.look(algorithm)[0] for algorithm in summary["algorithm"].unique()},
            "axes": [name for name in summary if name in AXES or name not in described],  # a user's own axes, too
            "statuses": statuses.WORDS,
            "page": "/".join(output.absolute().parts[-2:]),
        }
    )


def _links(settings, summary, run_records, folder):
    """For each run its record and log, relative to `folder`, where they are there, and the command that repeats it."""
    again = repeat.workflow(settings, f"{places.RECORDS}/{RUN}.json")
    runs = summary[["graph", "algorithm", "launch"]].agg("/".join, axis=1)
    links = {"record": [], "log": [], "command": []}
    for run, path, record in zip(runs, summary["record"], run_records, strict=True):
        links["record"].append(_link(path, run, folder))
        links["log"].append(_link(places.log("runs", run), run, folder))
        links["command"].append((record.get("command") or again).replace(run, RUN))
    return {name: packed.of_texts(values) for name, values in links.items()}


def _link(path, run, folder):
    return os.path.relpath(path, folder).replace(run, RUN) if pd.notna(path) and Path(path).exists() else None
