# The workflow at a glance: one study, from the graphs' sources to a report.
#
#   snakemake --cores 1 --resources gpu=1                          the study that config/config.yaml names
#   snakemake --cores 1 --resources gpu=1 --config study=rejaud    another one
#   snakemake results/runs/rome99.csv --cores 1 --resources gpu=1  the runs of one graph alone

import json
import os
import shlex
import sys
import time

sys.path.insert(0, os.path.join(workflow.basedir, "workflow"))
os.environ["PYTHONPATH"] = os.pathsep.join([sys.path[0], *filter(None, [os.environ.get("PYTHONPATH")])])

from warpath import errors, invocation, settings
from warpath.graphs import catalogue
from warpath.runs import overhead, plan


configfile: "config/config.yaml"


with errors.one_line():
    SETTINGS = settings.check(config)
    GRAPHS = catalogue.load(*settings.catalogues(SETTINGS))
    STUDY = plan.load(SETTINGS, GRAPHS)

SETTINGS_JSON = json.dumps(SETTINGS)
WARPATH = f"{shlex.quote(sys.executable)} -m warpath"


STARTED = time.time()
invocation.adopt_jobs()


wildcard_constraints:
    graph=r"[A-Za-z0-9._-]+",
    problem="bfs|sssp|apsp",
    algorithm="[a-z0-9_]+",
    launch=r"[A-Za-z0-9.-]+",


include: "workflow/rules/graphs.smk"
include: "workflow/rules/runs.smk"
include: "workflow/rules/results.smk"


rule all:
    default_target: True
    input:
        "results/report.html",
        [run.record for run in STUDY.runs],  # by name: a report made without some of them is no reason to be content
    message:
        "study: {STUDY.name}"


# Snakemake's own lock outlives a kill and then refuses a plain rerun (profiles/default turns it off); this one does not.
onstart:
    with errors.one_line():
        invocation.alone()


onsuccess:
    print(overhead.line(STUDY.runs, since=STARTED))


# A failure costs what failed: the tables, figures and report are built from whatever there is, and say what is missing.
onerror:
    shell("{WARPATH} salvage --settings {SETTINGS_JSON:q}")
    print(overhead.line(STUDY.runs, since=STARTED))
    print("What failed and how to do it again: PYTHONPATH=workflow python -m warpath failures")
