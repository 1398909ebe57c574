"""Measure what a run costs beyond its measurement in a Slurm job: in groups of many runs, and in a job of its own.

    python benchmarks/cluster.py --groups 40 1 40

It starts a Slurm of one node, as the tests do, for which it has to be root, and measures the sizes in turns. The runs
are on the host device and take milliseconds.
"""

import argparse
import datetime
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

import checkouts
from slurm.cluster import Cluster, reason_against

STUDY = """
title: Many short runs
runs:
  - graphs: [tiny-path]
    algorithms: [bfs/level, bfs/scan, bfs/queue, bfs/persistent, bfs/frontier, bfs/frontier_struct]
"""
OPTIONS = [
    *("--workflow-profile", "profiles/slurm", "--slurm-status-command", "squeue", "--slurm-keep-successful-logs"),
    *("--slurm-init-seconds-before-status-checks", "1", "--set-resources", "measure_run:gpu=1"),
]


def measure(cluster, checkout, group):
    """Run the study with that many runs in a group; return a line."""
    for folder in ("results/runs", ".snakemake/slurm_logs"):
        shutil.rmtree(checkout.folder / folder, ignore_errors=True)
    checkout.remove(checkouts.TABLE)
    earlier = set(jobs(cluster))
    size = f"runs-{{graph}}-{{problem}}={group}"
    workflow = checkout.start(checkouts.TABLE, *OPTIONS, "--group-components", size, "--config", "device=host")
    output, _ = workflow.communicate()
    if workflow.returncode:
        sys.exit(output)
    records = [json.loads(path.read_text()) for path in checkout.folder.glob(checkouts.RECORDS)]
    occupied = sum(elapsed for number, elapsed in jobs(cluster).items() if number not in earlier)
    beyond = (occupied - sum(record["costs"]["measure_s"] for record in records)) / len(records)
    begins, ends = (sorted(seconds(record[name]) for record in records) for name in ("started", "finished"))
    line = f"{len(records)} runs, {group} in a job: {beyond:.2f} s a run beyond its measurement"
    if group >= len(records):
        each, first = (ends[-1] - begins[0]) / len(records), begins[0] - job_began(checkout)
        line += f"; {first:.1f} s before the first run, {each:.2f} s a run from then on"
    return line


def jobs(cluster):
    """Seconds that each job has occupied its node, by number."""
    shown = cluster.run("scontrol", "show", "job", "--oneliner")
    times = re.findall(r"JobId=(\d+) .*?RunTime=(\d+):(\d+):(\d+)", shown)
    return {number: 3600 * int(hours) + 60 * int(minutes) + int(rest) for number, hours, minutes, rest in times}


def seconds(text):
    return datetime.datetime.fromisoformat(text).timestamp()


def job_began(checkout):
    """When Slurm made the file for the job's output."""
    (output,) = checkout.folder.glob(".snakemake/slurm_logs/*/*.log")
    return float(subprocess.run(["stat", "-c", "%.W", output], capture_output=True, text=True, check=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--groups", type=int, nargs="+", default=[40, 1, 40], help="sizes (default: %(default)s)")
    sizes = parser.parse_args().groups
    if reason := reason_against():
        sys.exit(reason)
    with tempfile.TemporaryDirectory() as folder:
        checkout_folder, slurm = Path(folder, "checkout"), Path(folder, "slurm")
        checkout_folder.mkdir()
        slurm.mkdir()
        cluster, checkout = Cluster(slurm, gpus=1), checkouts.make(checkout_folder)
        checkout.write("tiny.yaml", STUDY)
        checkout.snakemake(checkouts.TABLE)  # compiles the kernels, too
        checkout.environment["SLURM_CONF"] = cluster.environment["SLURM_CONF"]
        try:
            cluster.start()
            for size in sizes:
                print(measure(cluster, checkout, size), flush=True)
        finally:
            cluster.stop()
            checkout.end()


if __name__ == "__main__":
    main()
