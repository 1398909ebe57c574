"""A copy of the repository in which the real Snakemake runs, as a user would run it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
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


class Checkout:
    def __init__(self, folder):
        self.folder = folder

    def snakemake(self, *arguments, check=True, **environment):
        """Run the workflow; the result has returncode, stdout and, merged, what a user sees."""
        command = [sys.executable, "-m", "snakemake", "--cores", "1", "--resources", "gpu=1", *arguments]
        result = subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": "", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert not check or result.returncode == 0, result.stdout
        return result

    def jobs(self, *arguments):
        """How often each rule would run: the counts of a dry run."""
        lines = self.snakemake("--dry-run", "--quiet", "reason", *arguments).stdout.splitlines()
        counts = [line.split() for line in lines if len(line.split()) == 2 and line.split()[1].isdigit()]
        return {rule: int(count) for rule, count in counts if rule != "total"}

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def read(self, name):
        return (self.folder / name).read_text()


@pytest.fixture(scope="session")
def kernel_cache(tmp_path_factory):
    """One cache of compiled kernels for all checkouts: what is tested here is the workflow, not the compiler."""
    return tmp_path_factory.getbasetemp().parent / "kernel-cache"


@pytest.fixture
def checkout(tmp_path, kernel_cache, monkeypatch):
    monkeypatch.setenv("WARPATH_CACHE", str(kernel_cache))
    monkeypatch.delenv("WARPATH_DEVICE", raising=False)
    for name in NEEDED:
        source, target = ROOT / name, tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(source, target, ignore=ignored) if source.is_dir() else shutil.copy2(source, target)
    made = Checkout(tmp_path)
    made.write("tiny.yaml", TINY)
    made.write("tiny-graphs.yaml", GRAPHS)
    made.write("config/config.yaml", SETTINGS)
    return made
