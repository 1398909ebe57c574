import json
import subprocess
import sys
from pathlib import Path

import pytest

from warpath import cli
from warpath.base import places
from warpath.graphs import csr


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    """A folder to work in, with locks of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WARPATH_LOCKS", str(tmp_path))
    return tmp_path


@pytest.fixture
def prepared(workplace):
    """Store a graph, and its right answers by the command `oracle` with these options."""

    def store(graph, problem, *options):
        folder, answers = places.graph(graph.name), places.oracle(graph.name, problem)
        csr.write(graph, folder)
        assert cli.main(["oracle", folder, problem, "--output", answers, *options]) == 0

    return store


def command(*words):
    """Run a command of the package; one that uses a GPU in a process of its own, as CUDA does not survive a fork."""
    if {"cuda", "peer_gpu"}.isdisjoint(words):
        return cli.main([*words])
    return subprocess.run([sys.executable, "-m", "warpath", *words], check=False).returncode


@pytest.fixture
def measured(workplace):
    """Return the record of an algorithm on a stored graph, measured by the command `run` with these options."""

    def run(graph, id, launch, *options, status=0):
        path = places.record(graph, *id.split("/"), launch)
        assert command("run", path, *options) == status or status is None
        return json.loads(Path(path).read_text())

    return run
