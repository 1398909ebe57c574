"""Runs one after the other in a resident: none harms the next, whatever it does."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from small_graphs import from_edges

from warpath.base import places
from warpath.graphs import csr
from warpath.runs import oracle
from warpath.warm import address

RIGHT = np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]], "int32")
CLIENT = "import sys; from warpath.warm import client; sys.exit(client.hand_over(sys.argv[1:], 'warm_entry'))"

ALGORITHM = """
import gc, os, signal, time
from warpath.algorithms import Solution, algorithm
from warpath.devices import errors

KEPT = []

@algorithm(launches=[{"block": 64}])
def %s(device, graph, launch):
    distance = device.xp.zeros(3, "uint32")
    targets, calls = graph.targets, []
    def solve(source):
        calls.append(source)
        distance[:] = device.xp.asarray({0: [0, 1, 2], 1: [1, 0, 1], 2: [2, 1, 0]}[source])
        %s
        return Solution(distance, iterations=2)
    return solve
"""
BODIES = {
    "good": "pass",
    "writes": "targets[0] = 2 if len(calls) == 1 else targets[0]",
    "writes_at_last": "targets[1:2] = 1 - targets[1:2] if len(calls) == 6 else targets[1:2]",
    "leaks": "KEPT.append(device.xp.ones(1 << 26, 'uint8'))",
    "spins": "time.sleep(600)",
    "dies": "os.kill(os.getpid(), signal.SIGKILL)",
    "faults": "raise errors.KernelFault('an illegal memory access')",
    "wrong": "distance[0] += 1",
    "unsupported": "raise errors.UnsupportedLaunch('not here')",
}


class Study:
    """A folder with a graph, right answers and an algorithm for each of BODIES, and the jobs of a workflow there."""

    def __init__(self, folder, device):
        self.folder, self.device = folder, device
        self.workflow = subprocess.Popen(["sleep", "600"])
        own = {address.WORKFLOW: str(self.workflow.pid), "WARPATH_LOCKS": str(folder)}
        own["PYTHONPATH"] = f"{places.WORKFLOW}:{Path(__file__).parent}"
        self.environment = os.environ | own
        kernels = folder / "kernels" / "sssp"
        kernels.mkdir(parents=True)
        for name, body in BODIES.items():
            (kernels / f"{name}.py").write_text(ALGORITHM % (name, body))
        csr.write(from_edges("path", [0, 1], [1, 2], np.array([1, 1])), folder / places.graph("path"))
        self.write_oracle(RIGHT)

    def write_oracle(self, answers=None):
        """Write the right answers, or leave them to a certificate."""
        graph = csr.read(self.folder / places.graph("path"))
        oracle.write(self.folder / places.oracle("path", "sssp"), graph, "sssp", [0, 1, 2], answers, 2)

    def run(self, name, isolation="", time_limit=100, process=1):
        """Run the job of an algorithm, of which no record is kept; the new record."""
        path = places.record("path", "sssp", name, places.part("b64", process))
        options = ["--device", self.device, "--kernels", "kernels", "--warmup", "0", "--repetitions", "2"]
        options += ["--budget", "20", "--time-limit", str(time_limit)]
        shutil.rmtree(self.folder / places.KEPT, ignore_errors=True)
        client = ["-m", "warpath"] if isolation else ["-c", CLIENT]
        subprocess.run(
            [sys.executable, *client, "run", path, *options],
            cwd=self.folder,
            env=self.environment | {address.ISOLATION: isolation},
            check=False,
            timeout=120,
        )
        return json.loads((self.folder / path).read_text())


@pytest.fixture(scope="module", params=["host", pytest.param("cuda", marks=pytest.mark.gpu)])
def study(request, tmp_path_factory):
    made = Study(tmp_path_factory.mktemp("study"), request.param)
    yield made
    made.workflow.kill()
    made.workflow.wait()


def _worker(record):
    return record["environment"]["worker"]["process"], record["environment"]["worker"]["runs_before"]


@pytest.mark.parametrize(
    ("name", "status", "error", "sound"),
    [
        ("writes", "failed", "the run changed memory that is not its own: targets of ", False),
        ("writes_at_last", "failed", "the run changed memory that is not its own: targets of ", False),
        ("leaks", "ok", None, False),
        ("spins", "timeout", "not finished after 2 s", False),
        ("dies", "failed", "the measuring process was ended by SIGKILL", False),
        ("faults", "failed", "an illegal memory access", False),
        ("wrong", "wrong", "wrong vertices", True),
        ("unsupported", "unsupported", "not here", True),
    ],
)
def test_a_run_costs_its_own_result_alone(study, name, status, error, sound):
    time_limit = 2 if name == "spins" else 100
    before, record, after = study.run("good"), study.run(name, time_limit=time_limit), study.run("good")
    assert record["status"] == status
    assert error is None or error in record["error"]
    assert (before["status"], after["status"]) == ("ok", "ok")
    assert len(before["samples"]) == len(after["samples"]) == 6
    assert _worker(record) == (_worker(before)[0], _worker(before)[1] + 1)
    assert (_worker(after)[0] == _worker(before)[0]) == sound


@pytest.mark.parametrize("isolation", ["", "process"])
def test_a_proved_answer_serves_the_runs_after_it_in_the_same_process(study, isolation):
    study.write_oracle()
    good, wrong, writes, last = (study.run(name, isolation) for name in ("good", "wrong", "writes", "good"))
    study.write_oracle(RIGHT)
    assert [record["status"] for record in (good, wrong, writes, last)] == ["ok", "wrong", "failed", "ok"]
    assert [record["judge"] for record in (good, wrong, last)] == ["certificate"] * 3
    assert {sample["arcs_visited"] for sample in good["samples"]} == {4}
    assert {sample["arcs_visited"] for sample in wrong["samples"]} == {None if isolation == "process" else 4}
    assert _worker(last)[0] != _worker(writes)[0]
    assert _worker(wrong)[1] == (_worker(good)[1] + 1 if not isolation else 0)


def test_processes_of_a_run_differ(study):
    first, second, other = study.run("good"), study.run("good", process=2), study.run("wrong")
    assert [record["process"] for record in (first, second)] == [1, 2] and first["launch"] == second["launch"]
    assert first["key"] != second["key"]
    assert _worker(second)[0] != _worker(first)[0] and _worker(second)[1] == 0
    assert _worker(other) == (_worker(second)[0], 1)  # which other runs share


def test_memory_is_that_of_the_run(study):
    study.run("leaks")
    used = [study.run("good")["memory_bytes"] for _ in range(2)]
    assert max(used) <= 1.2 * min(used) + (4 << 20)
