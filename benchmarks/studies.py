"""Run studies and publish each into a folder of its own.

    python benchmarks/studies.py --output docs/my-card quickstart rejaud
    python benchmarks/studies.py --output docs/my-card --gpus 4 --cores 32 --minutes 9 --config scale=offline -- rejaud
    python benchmarks/studies.py --minutes 5 --baseline-limit 0 --known earlier --graphs roadNet-CA web-Google -- rejaud

What needs a GPU is run first, on all GPUs at once and one study after the other, and then what does not: a sequential
baseline is timed with nothing else running, so every GPU would wait for it. A study that fails in part, or that
--minutes cuts short, is published with the results it has and a list of the missing ones. Runs shared with an earlier
study are not repeated.

Machines that are to be had for minutes only: measure with --known and without --output, and keep results/runs. The next
machine measures what has no record in the folders kept so far. The folders copied over each other are the study's
results/runs.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

from warpath.base import places, settings
from warpath.base.places import ROOT
from warpath.graphs import catalogue
from warpath.runs import plan

ON_GPU = ["probe_device", "measure_run"]  # rules; the baselines are those of another one
WARPATH = [sys.executable, "-m", "warpath"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("studies", nargs="+")
    parser.add_argument(
        "--output", type=os.path.abspath, help="folder in which each study gets a folder; without it, none is published"
    )
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--gpus", type=int, default=1, help="0: only the sequential baselines")
    parser.add_argument("--minutes", type=float, help="stop measuring after this time, of all studies together")
    parser.add_argument("--baseline-limit", type=float, help="time limit of a sequential baseline in s; 0: no baseline")
    parser.add_argument("--known", nargs="+", default=[], type=os.path.abspath, help="results/runs of other machines")
    parser.add_argument("--graphs", nargs="+", default=[], help="measure on these graphs of the studies only")
    parser.add_argument("--config", nargs="*", default=[], metavar="KEY=VALUE", help="as for Snakemake")
    options = parser.parse_args()
    if options.output and (options.known or options.graphs or not options.gpus or options.baseline_limit == 0):
        parser.error("--output publishes whole studies: leave out --known, --graphs, --gpus 0 and --baseline-limit 0")
    os.chdir(ROOT)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in a script's background it is ignored, and inherited so
    deadline = time.monotonic() + 60 * options.minutes if options.minutes else None
    limit = options.baseline_limit
    for_baselines = [f"timing={json.dumps(timing(options) | {'time_limit': limit})}"] if limit else []
    (publish if options.output else measure)(options, deadline, for_baselines)


def publish(options, deadline, for_baselines):
    """Run all of each study, and make a folder and a line about it."""
    minutes = dict.fromkeys(options.studies, 0.0)
    for name in options.studies:
        minutes[name] += run(name, options, deadline, ["--until", *ON_GPU])[1]
    print("| study | minutes | runs | statuses |\n|---|---|---|---|")
    for name in options.studies:
        complete, spent = run(name, options, deadline, for_baselines)
        settings_option = ["--settings", json.dumps(as_configured(name, options.config))]
        folder = Path(options.output, name).absolute()
        for step in ([] if complete else [["gather"], ["figure"], ["report"]]) + [["publish", folder]]:
            subprocess.run([*WARPATH, *step, *settings_option], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        print(f"| {name} | {minutes[name] + spent:.1f} | {statuses(folder)} |", flush=True)


def measure(options, deadline, for_baselines):
    """Measure what has no record yet, here or in the folders of --known."""
    for on_gpu, config in ((True, []), (False, for_baselines)):
        for name in options.studies:
            targets = missing(name, options, on_gpu)
            probe = [places.outcome(places.PROBE)] if on_gpu else []
            minutes = run(name, options, deadline, config, [*probe, *targets])[1] if targets else 0
            left = len(missing(name, options, on_gpu))
            kind = "on a GPU" if on_gpu else "baselines"
            print(f"{name}: {len(targets) - left} of {len(targets)} runs {kind} in {minutes:.1f} min", flush=True)


def missing(name, options, on_gpu):
    """The records of a study that are to be made."""
    if not (options.gpus if on_gpu else options.baseline_limit != 0):
        return []
    study = plan.load(settings.check(as_configured(name, options.config)))
    folders = [ROOT / places.RECORDS, *options.known]
    wanted = [
        run.record
        for run in study.runs
        if (run.uses_gpu or run.device == study.device) == on_gpu
        and (not options.graphs or run.graph.removesuffix(catalogue.STAND_IN) in options.graphs)
    ]
    names = {record: os.path.relpath(record, places.RECORDS) for record in wanted}
    return [record for record, name in names.items() if not any(Path(folder, name).exists() for folder in folders)]


def snakemake(study, cores, gpus, config, targets=()):
    """The command that runs a study, or makes single files of it."""
    limits = ["--cores", str(cores), "--resources", f"gpu={gpus}"]
    return [sys.executable, "-m", "snakemake", *targets, *limits, "--config", f"study={study}", *config]


def timing(options):
    return as_configured("", options.config)["timing"]


def run(name, options, deadline, config, targets=()):
    """Run the study with more settings; return whether it succeeded before the deadline, and its minutes."""
    begin = time.monotonic()
    if deadline and begin > deadline:
        return False, 0
    # --config takes all words up to the next option.
    command = snakemake(name, options.cores, options.gpus, [*options.config, *config], targets)
    workflow = subprocess.Popen(command, cwd=ROOT, stdout=sys.stderr, start_new_session=True)
    try:
        complete = workflow.wait(deadline and deadline - begin) == 0
    except subprocess.TimeoutExpired:
        _interrupt(workflow)
        complete = False
    except KeyboardInterrupt:
        _interrupt(workflow)
        raise
    return complete, (time.monotonic() - begin) / 60


def _interrupt(workflow):
    """Do as Ctrl-C does in a terminal, which reaches the running jobs, too; Snakemake alone would wait for them."""
    os.killpg(workflow.pid, signal.SIGINT)
    workflow.wait()


def as_configured(name, words):
    """The settings of a workflow with these KEY=VALUE on its command line."""
    overriding = {key: yaml.safe_load(value) for key, value in (word.split("=", 1) for word in words)}
    return settings.read(ROOT / "config/config.yaml") | overriding | {"study": name}


def statuses(folder):
    """The number of runs, and of runs with each status."""
    import pandas as pd

    counts = pd.read_csv(folder / "summary.csv")["status"].value_counts()
    return f"{counts.sum()} | " + ", ".join(f"{count} {status}" for status, count in counts.items())


if __name__ == "__main__":
    main()
