# What the rules share: the settings, the catalogue, the plan, and small functions over them.

import functools
import json
import math
import os
import sys
import time

sys.path.insert(0, os.path.join(workflow.basedir, "workflow"))

from warpath.lifetime import folder, processes, repeat, slurm
from warpath.foundation import errors, files, settings
from warpath import devices
from warpath.graphs import catalogue, memory
from warpath.results import claims, failures, figures
from warpath.runs import overhead, plan

slurm.become_own_task(sys.argv)

with errors.one_line():
    SETTINGS = settings.check(config)
    if workflow.is_main_process and workflow.resource_settings.nodes:
        devices.expect_gpus_elsewhere(SETTINGS["device"])
    GRAPHS = catalogue.load(*settings.catalogues(SETTINGS))
    STUDY = plan.load(SETTINGS, GRAPHS)
    FIGURES = figures.known(STUDY.figures, by=f"study {STUDY.name}: ")
    claims.known(STUDY.claims, by=f"study {STUDY.name}: ")
    if workflow.is_main_process:
        for line in [*STUDY.skipped_lines, *STUDY.emulation_lines(SETTINGS["timing"]["time_limit"])]:
            print(line, file=sys.stderr)

# Rules take these through functions: in a plain string, Snakemake would take braces for wildcards.
SETTINGS_JSON = json.dumps(SETTINGS)
TIMING_OPTIONS = " ".join(f"--{key.replace('_', '-')} {SETTINGS['timing'][key]}" for key in plan.TIMING)

# Minutes that a cluster gives a run: its time limit twice, and time to load, prepare and check.
RUN_MINUTES = math.ceil(2 * SETTINGS["timing"]["time_limit"] / 60) + 22

# What --cores says. Under a cluster's scheduler there is no such number, neither here nor on the node that runs the job;
# there a job has the cores that it is given (`set-threads` in a profile asks for more).
ALL_CORES = (not workflow.remote_exec and workflow.resource_settings.cores) or 1

STARTED = time.time()
processes.prepare_jobs(sys.path[0], settings.catalogues(SETTINGS), SETTINGS["mirrors"])


def graph_inputs(wildcards):
    """A local file that is not there is said by `prepare`, and costs that graph alone: Snakemake would stop everything.
    Not so of a graph that is prepared, which fewer inputs than it was made of would make anew."""
    if wildcards.graph not in GRAPHS:
        return []
    folder = f"resources/graphs/{wildcards.graph}"
    prepared = all(os.path.exists(f"{folder}/{name}.parquet") for name in ("vertices", "edges"))
    return GRAPHS[wildcards.graph].inputs(absent=prepared)


def beside_mb():
    """What a job needs beside its own command: on a cluster it brings Snakemake along. (Which executor there is,
    Snakemake knows only when it has read the rules.)"""
    return 0 if workflow.local_exec else memory.SNAKEMAKES


def graph_memory_mb(wildcards):
    return beside_mb() + memory.preparing(GRAPHS[wildcards.graph])


def oracle_memory_mb(wildcards, threads):
    return beside_mb() + memory.answering(GRAPHS[wildcards.graph], wildcards.problem, threads)


def run_memory_mb(wildcards):
    """All tasks of a job array have one request, so on a cluster the most that any run needs."""
    run = STUDY.run(**wildcards)
    needed = [(run.graph, run.problem, run.library)] if workflow.local_exec else STUDY.needs
    return beside_mb() + max(memory.running(GRAPHS[graph], *asked) for graph, *asked in needed)


def records_of(wildcards):
    with errors.one_line():
        failures.only(STUDY, wildcards.graph)
    return [run.record for run in STUDY.runs if run.graph == wildcards.graph]


def sources_flag(wildcards):
    return STUDY.sources_flag(wildcards.graph, wildcards.problem)


def either(names):
    """A pattern that matches these names, or nothing."""
    return "|".join(sorted(set(names))) or "(?!)"


content = functools.cache(files.sha256)
