# What the rules share: the settings, the graphs, the study with its runs, and functions that give inputs and resources.

import functools
import inspect
import json
import math
import os
import sys

from snakemake.common import overwrite_function_params
from snakemake.io import IOFile
from warpath import devices
from warpath.algorithms.problems import PROBLEMS
from warpath.base import text
from warpath.graphs import catalogue, memory, replaced
from warpath.lifetime import supervisor
from warpath.results import claims, dependencies, failures, figures
from warpath.runs import plan, provenance

with errors.one_line():
    SETTINGS = supervisor.supervise(workflow, USE, config, lambda: STUDY.runs)
    if workflow.is_main_process and workflow.resource_settings.nodes:
        devices.expect_gpus_elsewhere(SETTINGS["device"])
    GRAPHS = catalogue.load(*settings.catalogues(SETTINGS))
    STUDY = plan.load(SETTINGS, GRAPHS, USE.path(places.DOWNLOADS))
    FIGURES = figures.known(STUDY.figures, by=f"study {STUDY.name}: ")
    claims.known(STUDY.claims, by=f"study {STUDY.name}: ")

if workflow.is_main_process:
    for name in STUDY.graphs:
        replaced.make_due(GRAPHS[name], USE.path(places.graph(name)))
    for line in [*STUDY.skipped_lines, *STUDY.emulation_lines(SETTINGS["timing"]["time_limit"])]:
        print(line, file=sys.stderr)

# Rules get text through functions: in a plain string, Snakemake takes braces for wildcards.
SETTINGS_JSON = text.without_credentials(json.dumps(SETTINGS))
TIMING_OPTIONS = plan.timing_options(SETTINGS["timing"])

# For --sdm conda. Snakemake takes braces in the path for wildcards.
ENVIRONMENT = str(places.WORKFLOW / "envs/warpath.yaml").replace("{", "{{").replace("}", "}}")

# What a cluster grants a run: its time limit twice, and time to load, prepare and check.
RUN_MINUTES = math.ceil(2 * SETTINGS["timing"]["time_limit"] / 60) + 22

# The value of --cores. With a cluster there is none, neither here nor on the node: a job has the cores that it is given
# (`set-threads` in a profile asks for more).
ALL_CORES = (not workflow.remote_exec and workflow.resource_settings.cores) or 1


def command(text):
    """The command of a rule. Without a prefix it stays what it is: other text would repeat every run."""
    return USE.environment + text


def inspected(function):
    """`function` with its parameters stored: Snakemake asks for them ten times per job, and deriving them is slow."""
    overwrite_function_params(function, inspect.signature(function).parameters)
    return function


def planned(wildcards):
    """The run with these wildcards."""
    return STUDY.run(wildcards.graph, wildcards.problem, wildcards.algorithm, wildcards.launch)


@inspected
def graph_inputs(wildcards):
    """The files that a graph is prepared from.

    While it is not prepared, leave out local files that do not exist: `prepare` reports them and fails for this graph
    alone, where Snakemake would stop altogether. Once it is prepared, a shorter list would prepare it again.
    """
    if wildcards.graph not in GRAPHS:
        return []
    prepared = os.path.exists(USE.path(places.prepared(wildcards.graph)))
    entry = GRAPHS[wildcards.graph]
    return entry.inputs(absent=prepared) if entry.kind == "download" else USE.given(entry.inputs(absent=prepared))


@inspected
def graph_recipe(wildcards):
    return GRAPHS[wildcards.graph].recipe


def around_mb():
    """Memory of the processes around a job on a cluster. The executor is known only after parsing."""
    return 0 if workflow.local_exec else memory.AROUND


@inspected
def graph_memory_mb(wildcards):
    return around_mb() + memory.preparing(GRAPHS[wildcards.graph])


@inspected
def graph_threads(wildcards):
    return memory.threads(GRAPHS[wildcards.graph], ALL_CORES)


@inspected
def oracle_memory_mb(wildcards, threads):
    return around_mb() + memory.answering(GRAPHS[wildcards.graph], wildcards.problem, threads)


@inspected
def run_memory_mb(wildcards):
    run = planned(wildcards)
    return around_mb() + memory.running(GRAPHS[run.graph], run.problem, run.library, run.placement)


@functools.cache
def kernel(run):
    """The code files that a run depends on, and their hashes."""
    return provenance.kernel(run, lambda: recorded(run))


@functools.cache
def recorded(run):
    """What Snakemake recorded when a run was measured."""
    return workflow.persistence.metadata(IOFile(USE.path(run.record)))


@inspected
def kernel_files(wildcards):
    return USE.given(kernel(planned(wildcards)).files)


@inspected
def kernel_hashes(wildcards):
    return kernel(planned(wildcards)).hashes


@inspected
def run_device(wildcards):
    return plan.device_options(planned(wildcards))


@inspected
def timing(wildcards):
    """The timing options of a run; jobs that run elsewhere get those of today."""
    if not workflow.is_main_process:
        return TIMING_OPTIONS
    run = planned(wildcards)
    return provenance.timing(USE.path(run.record), TIMING_OPTIONS, lambda: recorded(run))


@inspected
def sources_flag(wildcards):
    return STUDY.sources_flag(wildcards.graph, wildcards.problem)


def records_of(wildcards):
    with errors.one_line():
        return [run.record for run in failures.only(STUDY, wildcards.graph).runs]


def either(names):
    """A pattern that matches these names only; without names it matches nothing."""
    return "|".join(sorted(set(names))) or "(?!)"
