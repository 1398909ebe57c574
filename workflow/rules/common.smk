# What the rules share: the settings, the graphs, the study with its runs, and functions that give inputs and resources.

import functools
import gc
import json
import math
import shlex
import sys

from warpath.base.problems import PROBLEMS
from warpath.base import errors, folder, options, outcome, processor, rounds, slurm, text, variables
from warpath.devices import driver
from warpath.graphs import catalogue, memory
from warpath.results import claims, ending, failures, figures, limits
from warpath.runs import key, plan, records
from warpath.warm import address

# A plan of 5,000 runs is some million objects that live to the end. With Python's default of 700, collections take a
# quarter of the time to make it.
gc.set_threshold(50_000)

with errors.one_line():
    variables.check()
    folder.require_writable()
    SETTINGS = settings.check(config, f"{settings.file()} or --config")
    PREFIX = places.prefix(SETTINGS["prefix"])
    SLURM = None
    if workflow.is_main_process and workflow.resource_settings.nodes:
        SLURM = slurm.ask()
        folder.require_plain()
        # The nodes have GPUs unless the settings say "host".
        os.environ.setdefault("WARPATH_DEVICE", "host" if SETTINGS["device"] == "host" else "cuda")
    if workflow.is_main_process:  # whose jobs on other machines inherit this
        settings.hand_over(
            SETTINGS,
            PREFIX,
            process=os.getpid(),
            machine=os.uname().nodename,
            home=os.getcwd(),
            arguments=sys.argv[1:],
            submits=bool(workflow.resource_settings.nodes),
            as_module=not places.is_own(workflow.basedir),
        )
    address.prepare_jobs(SETTINGS["isolation"])
    GRAPHS = catalogue.load(*settings.catalogues(SETTINGS))
    for line in catalogue.problems(GRAPHS) if workflow.is_main_process else ():
        print(line, file=sys.stderr)
    STUDY = plan.load(SETTINGS, GRAPHS, f"{PREFIX}{places.DOWNLOADS}")
    FIGURES = figures.known(STUDY.figures, by=f"study {STUDY.name}: ")
    claims.known(STUDY.claims, by=f"study {STUDY.name}: ")
    # What a cluster grants a run: its time limit twice, and time to load, prepare and check.
    RUN_MINUTES = math.ceil(2 * SETTINGS["timing"]["time_limit"] / 60) + 22
    if SLURM:
        print(SLURM.check(STUDY.device == "cuda"), file=sys.stderr)

if workflow.is_main_process:
    rounds.watch()
    if SLURM:
        slurm.watch()
    if not options.given().get("keep-going"):
        advice = f"give --keep-going, or --workflow-profile {places.ROOT}/profiles/default"
        print(f"warpath: no profile was found: a job that is killed stops all others; {advice}", file=sys.stderr)
    for line in STUDY.warnings(SETTINGS["timing"]["time_limit"]):
        print(line, file=sys.stderr)

# Rules get text through functions: in a plain string, Snakemake takes braces for wildcards.
SETTINGS_JSON = text.without_credentials(json.dumps(SETTINGS))

# For --sdm conda. Snakemake takes braces in the path for wildcards.
ENVIRONMENT = str(places.WORKFLOW / "envs/warpath.yaml").replace("{", "{{").replace("}", "}}")


def minutes(rule, wanted, least=0):
    """The time that a job asks for; on a cluster at most what its partition allows."""
    with errors.one_line():
        return SLURM.minutes(rule, wanted, least) if SLURM else wanted


def command(arguments):
    """The command of a rule; its path is relative, so that a moved checkout repeats nothing."""
    program = shlex.quote(os.path.relpath(places.WORKFLOW / "bin/warpath"))
    folder = f"--folder {shlex.quote(PREFIX)} " if PREFIX else ""
    return f"{program} {folder}".replace("{", "{{").replace("}", "}}") + arguments


def step(arguments, outcome="{output:q}"):
    """The command of a step that has an outcome, which it also writes when it fails."""
    return command(f"--outcome {outcome} --again {{params.again:q}} {arguments}")


def here(path):
    """The path of a file that this workflow makes, as Snakemake has it."""
    return f"{PREFIX}{path}"


def given(paths):
    """Inputs that are not made here. They are absolute where Snakemake would put a prefix before them."""
    return [os.path.abspath(path) for path in paths] if PREFIX else paths


@functools.cache
def digest_of(*patterns):
    """A digest of files of the repository: their dates and the place of the checkout make nothing anew."""
    return key.of_files(path for pattern in patterns for path in sorted(places.ROOT.glob(pattern)))


def all_cores():
    """The value of --cores. A job on a cluster has the cores that it is given; `set-threads` asks for more."""
    return (not workflow.remote_exec and workflow.resource_settings.cores) or 1


def around_mb():
    """Memory of the processes around a job on a cluster. The executor is known only after parsing."""
    return 0 if workflow.local_exec else memory.AROUND


def planned(wildcards):
    """The run with these wildcards; the last one is the launch, with the number of a further process (b256.p2)."""
    return STUDY.run(wildcards.graph, wildcards.problem, wildcards.algorithm, wildcards.launch)


def downloaded(wildcards):
    """The outcome of the download that a graph is prepared from."""
    entry = GRAPHS[wildcards.graph]
    return [places.outcome(places.download(entry.folder, entry.origin.file))] if entry.kind == "download" else []


def own_file(wildcards):
    """The user's file that a graph is prepared from.

    While the graph is not prepared, a file that does not exist is left out: `prepare` reports it and fails for this
    graph alone, where Snakemake would stop altogether. Once it is prepared, a shorter list would prepare it again.
    """
    entry = GRAPHS[wildcards.graph]
    prepared = os.path.exists(here(places.prepared(wildcards.graph)))
    is_there = entry.kind == "local" and (prepared or os.path.isfile(entry.path()))
    return given([entry.path()]) if is_there else []


def due(made, *beside):
    """The param by which a step is due again that makes this file, and others beside it."""
    return outcome.again(here(places.outcome(made)), *map(here, (made, *beside)))


def probe_due(wildcards):
    if limits.rates(here(places.PROBE)):
        return due(places.PROBE)
    return outcome.stamp("again", here(places.outcome(places.PROBE)))


def graph_due(wildcards):
    made = places.prepared(wildcards.graph)
    stamp = here(places.outcome(made))
    if GRAPHS[wildcards.graph].has_another_file(here(places.graph(wildcards.graph)), stamp):
        return outcome.stamp("replaced", stamp)
    return due(made, f"{places.graph(wildcards.graph)}/edges.parquet")


def graph_memory_mb(wildcards):
    return around_mb() + memory.preparing(GRAPHS[wildcards.graph])


def graph_threads(wildcards):
    return memory.threads(GRAPHS[wildcards.graph], all_cores())


def oracle_memory_mb(wildcards):
    return around_mb() + memory.answering(GRAPHS[wildcards.graph], wildcards.problem)


def run_memory_mb(wildcards):
    run = planned(wildcards)
    return around_mb() + memory.running(GRAPHS[run.graph], run.problem, run.library, run.placement)


def run_options(wildcards):
    """The options of a run: its device, what is known of its key while its graph may have to be prepared, why it is due.

    It is due if it failed, or if its record lacks what is asked for now.
    """
    run, timing = planned(wildcards), SETTINGS["timing"]
    again = shlex.quote(records.again(run, here, timing))
    program = f" --program {shlex.quote(run.program)}" if run.program else ""
    where = run.device if run.placement == "device" else f"{run.device} --placement {run.placement}"
    return f"--device {where}{program} --key {key.planned(run, timing['warmup'])} --again {again}"


SMALL_MB = 2000  # memory of a run on a small graph


def is_here():
    """Whether this is the workflow itself, and its jobs run on this machine."""
    return not workflow.remote_exec and not workflow.resource_settings.nodes


def overlaps():
    """Whether two runs may begin while another one is measured on the only GPU, so that this does not wait for Snakemake.

    They do what needs no GPU, and wait for it. Their processes keep a context and graphs there beside the other one's,
    for which there is room where all graphs are small.
    """
    is_small = all(memory.running(GRAPHS[run.graph], run.problem) < SMALL_MB for run in STUDY.runs)
    has_cores = processor.can_spare_cores() and all_cores() >= 4
    is_warm = is_here() and SETTINGS["isolation"] == "worker"
    return STUDY.device == "cuda" and is_warm and is_small and has_cores and driver.gpus() == 1


# Where runs overlap, two of three ask for no GPU, but for so many cores that only two of them are in flight.
AHEAD = {run.record for run in STUDY.runs if run.device == "cuda"} if overlaps() else set()
AHEAD -= {run.record for run in STUDY.runs[::3]}


def run_gpus(wildcards):
    return int(STUDY.device == "cuda" and planned(wildcards).record not in AHEAD)


def run_threads(wildcards):
    """A run on the CPU reserves all cores, so that no other job disturbs it."""
    if planned(wildcards).record in AHEAD:
        return all_cores() // 3 + 1
    return 1 if STUDY.device == "cuda" else all_cores()


# Processes that measure the same run are spread over time: all first ones, and what they need, go before the second ones.
SOON = max(run.process for run in STUDY.runs) - 1


def run_priority(wildcards):
    return SOON + 1 - planned(wildcards).process


PROGRAMS = {program.name: program for program in STUDY.programs.values()}


def build_of(wildcards):
    """The outcome of building the program that a run calls, if it does."""
    calls = f"{wildcards.problem}/{wildcards.algorithm}" in STUDY.programs
    return [places.program(wildcards.algorithm)] if calls else []


def sources_flag(wildcards):
    return STUDY.sources_flag(wildcards.graph, wildcards.problem)


def records_of(wildcards):
    with errors.one_line():
        return [run.record for run in failures.only(STUDY, wildcards.graph).runs]


def either(names):
    """A pattern that matches these names only; without names it matches nothing."""
    return "|".join(sorted(set(names))) or "(?!)"
