"""A copy of the repository in which the real Snakemake runs, as a user would run it."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
NEEDED = ["Snakefile", "config", "kernels", "profiles", "resources/bundled", "workflow"]

TINY = """
title: A tiny study
runs:
  - graphs: [tiny-path, tiny-star]
    algorithms: [bfs/level, bfs/cpu_queue]
    launches: {block: [64, 128]}
figures: [time_by_algorithm]
"""
GRAPHS = """
tiny-path: {generator: {kind: path, vertices: 9}}
tiny-star: {generator: {kind: star, vertices: 7}}
"""
SETTINGS = """
study: tiny.yaml
device: host
catalogues: [tiny-graphs.yaml]
timing: {sources: 2, repetitions: 2, warmup: 0, time_limit: 60}
"""
TABLE = "results/summary.csv"  # a target that leaves out figures and page, for tests that run the workflow often

# What a table says that another run of the same study says too.
LASTING = ["graph", "algorithm", "launch", "device", "status", "error", "vertices", "arcs", "samples", "wrong_vertices"]


class Checkout:
    def __init__(self, folder, **environment):
        """Leases are the checkout's own: what runs here is no measurement that others must wait for. No Slurm is asked:
        Snakemake's plugin does so whenever it is imported, and waits 10 s for a controller that does not answer."""
        self.folder = folder
        temporary = folder / "tmp"
        temporary.mkdir(exist_ok=True)
        own = {"PYTHONPATH": "", "SLURM_CONF": os.devnull} | dict.fromkeys(["TMPDIR", "WARPATH_LOCKS"], str(temporary))
        self.environment = {**os.environ, **own, **environment}

    def start(self, *arguments, **environment):
        """Start the workflow in a process group of its own; what a user sees comes through its stdout."""
        command = [sys.executable, "-m", "snakemake", *arguments]
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env={**self.environment, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def snakemake(self, *arguments, check=True, **environment):
        """Run the workflow to its end; targets come first, for some options swallow what follows."""
        process = self.start(*arguments, "--cores", "1", "--resources", "gpu=1", **environment)
        output, _ = process.communicate()
        result = subprocess.CompletedProcess(process.args, process.returncode, output)
        assert not check or result.returncode == 0, result.stdout
        return result

    def warpath(self, *arguments):
        """One command of the package, by hand."""
        return subprocess.run(
            [sys.executable, "-m", "warpath", *arguments],
            cwd=self.folder,
            env={**self.environment, "PYTHONPATH": "workflow"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def jobs(self, *arguments):
        """How often each rule would run: the counts of a dry run."""
        lines = self.snakemake(*arguments, "--dry-run", "--quiet", "reason").stdout.splitlines()
        counts = [line.split() for line in lines if len(line.split()) == 2 and line.split()[1].isdigit()]
        return {rule: int(count) for rule, count in counts if rule != "total"}

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def read(self, name):
        return (self.folder / name).read_text()

    def table(self):
        """What the summary says apart from times, as a list of rows."""
        summary = pd.read_csv(self.folder / TABLE)[LASTING]
        return summary.astype(object).where(summary.notna(), None).values.tolist()

    def processes(self):
        """Numbers of the processes that work in this folder."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if (process / "cwd").readlink() == self.folder and process.name != str(os.getpid()):
                    found.append(int(process.name))
            except OSError:
                continue
        return found

    def ended(self, seconds=10):
        """Whether every process in this folder ends within so many seconds."""
        end = time.monotonic() + seconds
        while self.processes() and time.monotonic() < end:
            time.sleep(0.02)
        return not self.processes()

    def end(self):
        for process in self.processes():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue


def make(folder, **environment):
    folder.mkdir(parents=True, exist_ok=True)
    for name in NEEDED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(source, target, ignore=ignored) if source.is_dir() else shutil.copy2(source, target)
    made = Checkout(folder, **environment)
    made.write("tiny.yaml", TINY)
    made.write("tiny-graphs.yaml", GRAPHS)
    made.write("config/config.yaml", SETTINGS)
    return made
