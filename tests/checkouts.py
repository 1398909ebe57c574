"""A copy of the repository in which the real Snakemake runs, as a user would run it."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import dry_runs
import pandas as pd
import waits

ROOT = Path(__file__).resolve().parents[1]
NEEDED = ["config", "kernels", "profiles", "resources/bundled", "workflow"]

TINY = """
title: A tiny study
runs:
  - graphs: [tiny-path, tiny-star]
    algorithms: [bfs/level, bfs/cpu_queue]
    launches: {block: [64, 128]}
figures: [time_by_algorithm]
claims: [singh2017]
"""
GRAPHS = """
tiny-path: {generator: {kind: path, vertices: 9}}
tiny-star: {generator: {kind: star, vertices: 7}}
"""
ISOLATION = os.environ.get("TEST_ISOLATION", "worker")
DEVICE = os.environ.get("TEST_DEVICE", "host")
SETTINGS = f"""
study: tiny.yaml
device: {DEVICE}
isolation: {ISOLATION}
catalogues: [tiny-graphs.yaml]
timing: {{sources: 2, repetitions: 2, warmup: 0, time_limit: 60}}
"""
TABLE = "results/summary.csv"  # as a target it leaves out figures and page
RECORD = "results/runs/tiny-path/bfs/level/b64.json"
RECORDS = "results/runs/*/*/*/*.json"
JOINED = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
LOCAL = ["--cores", "1", "--resources", "gpu=1"]
PLANTED = ROOT / "tests/workflow/planted"  # algorithms with mistakes, to be copied into a checkout

# The columns of the summary that are the same in every run of the same study.
LASTING = ["graph", "algorithm", "launch", "device", "status", "error", "vertices", "arcs", "samples", "wrong_vertices"]


class Checkout:
    def __init__(self, folder):
        """The checkout has locks of its own, so that its runs never wait for measurements elsewhere on this machine.

        SLURM_CONF is empty because Snakemake's plugin asks Slurm on import and waits 10 s for one that is not there.
        """
        self.folder = folder
        temporary = folder / "tmp"
        temporary.mkdir(exist_ok=True)
        own = {"PYTHONPATH": "", "SLURM_CONF": os.devnull} | dict.fromkeys(["TMPDIR", "WARPATH_LOCKS"], str(temporary))
        self.environment = {**os.environ, **own}

    def start(self, *arguments, **environment):
        """Start the workflow in a process group of its own, with stderr joined to stdout."""
        command = [sys.executable, "-m", "snakemake", *arguments]
        own = {"cwd": self.folder, "env": {**self.environment, **environment}}
        return subprocess.Popen(command, start_new_session=True, **own, **JOINED)

    def snakemake(self, *arguments, check=True, **environment):
        """Run the workflow to its end. Targets come before options: some options take every word that follows."""
        process = self.start(*arguments, *LOCAL, **environment)
        output, _ = process.communicate()
        result = subprocess.CompletedProcess(process.args, process.returncode, output)
        assert not check or result.returncode == 0, result.stdout
        return result

    def warpath(self, *arguments):
        """Run one command of the package."""
        command = [sys.executable, "-m", "warpath", *arguments]
        own = {"cwd": self.folder, "env": {**self.environment, "PYTHONPATH": "workflow"}}
        return subprocess.run(command, check=False, **own, **JOINED)

    def dry_run(self, *arguments, **environment):
        """Return the exit status of a dry run, and what it writes."""
        options = ["--dry-run", *LOCAL]
        return dry_runs.run([*arguments, *options], self.folder, {**self.environment, **environment})

    def jobs(self, *arguments):
        """How often each rule would run, by a dry run."""
        status, output = self.dry_run(*arguments, "--quiet", "reason")
        assert status == 0, output
        lines = output.splitlines()
        counts = [line.split() for line in lines if len(line.split()) == 2 and line.split()[1].isdigit()]
        return {rule: int(count) for rule, count in counts if rule != "total"}

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def append(self, name, text):
        with open(self.folder / name, "a") as file:
            file.write(text)

    def restore(self, *names):
        """Undo what was done to files of the repository."""
        for name in names:
            shutil.copy(ROOT / name, self.folder / name)

    def remove(self, *names):
        for name in names:
            path = self.folder / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def read(self, name):
        return (self.folder / name).read_text()

    def summary(self):
        return pd.read_csv(self.folder / TABLE)

    def statuses(self):
        """The set of statuses in the summary for each algorithm."""
        return self.summary().groupby("algorithm")["status"].agg(set).to_dict()

    def table(self):
        """The rows of the summary without the columns that differ between two runs of the same study."""
        summary = self.summary()[LASTING]
        return summary.astype(object).where(summary.notna(), None).values.tolist()

    def processes(self):
        """Ids of the processes whose working directory is this folder or in it."""
        ids = []
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if (process / "cwd").readlink().is_relative_to(self.folder) and process.name != str(os.getpid()):
                    ids.append(int(process.name))
        return ids

    def ended(self, seconds=60):
        """Whether every process in this folder ends within this time."""
        return waits.within(lambda: not self.processes(), seconds)

    def end(self):
        for process in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def make(folder):
    """Copy the repository to `folder` and add the tiny study, unless it is there already."""
    if not (folder / "tiny.yaml").exists():
        for name in NEEDED:
            source, target = ROOT / name, folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, target, ignore=ignored) if source.is_dir() else shutil.copy2(source, target)
        (folder / "tiny-graphs.yaml").write_text(GRAPHS)
        (folder / "config/config.yaml").write_text(SETTINGS)
        (folder / "tiny.yaml").write_text(TINY)
    return Checkout(folder)


def copy(checkout, folder):
    """A copy of a checkout with all of its results; dates are kept, so that nothing is out of date."""
    shutil.copytree(checkout.folder, folder, symlinks=True)
    return Checkout(folder)
