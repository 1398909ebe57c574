"""Studies one after the other, each published into a folder of its own.

    python benchmarks/studies.py --output docs/my-card quickstart rejaud
    python benchmarks/studies.py --output docs/my-card --gpus 4 --cores 32 --minutes 9 --config scale=offline -- rejaud

A study that fails in part, or is cut short by --minutes, is published with what there is and says what is missing; runs
that an earlier study has made are not made again.
"""

import argparse
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

from warpath.foundation import settings
from warpath.foundation.places import ROOT

WARPATH = [sys.executable, "-m", "warpath"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("studies", nargs="+")
    parser.add_argument("--output", required=True, help="a folder for each study is made in this one")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--gpus", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="after so many a study is ended")
    parser.add_argument("--config", nargs="*", default=[], metavar="KEY=VALUE", help="as for snakemake")
    asked = parser.parse_args()
    print("| study | minutes | runs | how they ended |\n|---|---|---|---|")
    for name in asked.studies:
        begin = time.monotonic()
        whole = run(name, asked)
        chosen = ["--settings", json.dumps(as_configured(name, asked.config))]
        if not whole:
            subprocess.run([*WARPATH, "salvage", *chosen], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        folder = Path(asked.output, name).absolute()
        subprocess.run([*WARPATH, "publish", folder, *chosen], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        print(f"| {name} | {(time.monotonic() - begin) / 60:.1f} | {ended(folder)} |", flush=True)


def snakemake(study, cores, gpus, config):
    """The command that runs a study."""
    limits = ["--cores", str(cores), "--resources", f"gpu={gpus}"]
    return [sys.executable, "-m", "snakemake", *limits, "--config", f"study={study}", *config]


def run(name, asked):
    """Whether the whole workflow went well."""
    workflow = subprocess.Popen(snakemake(name, asked.cores, asked.gpus, asked.config), cwd=ROOT, stdout=sys.stderr)
    try:
        return workflow.wait(asked.minutes and 60 * asked.minutes) == 0
    except subprocess.TimeoutExpired:
        workflow.send_signal(signal.SIGINT)
        workflow.wait()
        return False


def as_configured(name, words):
    """The settings that a workflow with these words on its command line has."""
    overriding = {key: yaml.safe_load(value) for key, value in (word.split("=", 1) for word in words)}
    return settings.read(ROOT / "config/config.yaml") | overriding | {"study": name}


def ended(folder):
    import pandas as pd

    statuses = pd.read_csv(folder / "summary.csv")["status"].value_counts()
    return f"{statuses.sum()} | " + ", ".join(f"{count} {status}" for status, count in statuses.items())


if __name__ == "__main__":
    main()
