"""Leases: one process a GPU, nobody beside a CPU baseline, and nothing to clean up after a SIGKILL."""

import select
import signal
import subprocess
import sys

import pytest

HOLD = """
import sys, time
from warpath.runs import lease
found = {call}
print(found[0], flush=True)
time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path, monkeypatch):
    """Start processes that hold a lease until they are killed."""
    monkeypatch.delenv("SLURM_JOB_GPUS", raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    started = []

    def start(call):
        process = subprocess.Popen([sys.executable, "-c", HOLD.format(call=call)], stdout=subprocess.PIPE, text=True)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


def place(process):
    """What the lease returned, once it has."""
    line = process.stdout.readline()
    return int(line) if line.strip().isdigit() else line


def waits(process):
    readable, _, _ = select.select([process.stdout], [], [], 0.5)
    return not readable


TWO_GPUS = "lease.gpu(['a', 'b'])"


def test_each_process_gets_a_gpu_of_its_own(holder):
    assert sorted(place(holder(TWO_GPUS)) for _ in range(2)) == [0, 1]


def test_a_third_waits_until_one_is_free_even_after_sigkill(holder):
    first, second = holder(TWO_GPUS), holder(TWO_GPUS)
    taken = [place(first), place(second)]
    third = holder(TWO_GPUS)
    assert waits(third)
    first.send_signal(signal.SIGKILL)
    assert place(third) == taken[0]


def test_a_cpu_baseline_waits_for_the_gpu_runs_and_they_for_it(holder):
    gpu = holder(TWO_GPUS)
    place(gpu)
    baseline = holder("lease.machine()")
    assert waits(baseline)
    gpu.kill()
    place(baseline)
    assert waits(holder(TWO_GPUS))


def test_a_gpu_run_that_comes_later_does_not_overtake_a_waiting_baseline(holder):
    first = holder(TWO_GPUS)
    place(first)
    baseline = holder("lease.machine()")
    assert waits(baseline)
    later = holder(TWO_GPUS)
    assert waits(later)
    first.kill()
    place(baseline)
    assert waits(later)
    baseline.kill()
    place(later)


def test_under_slurm_the_allocation_is_the_lease(holder, monkeypatch):
    place(holder("lease.gpu(['a'])"))
    monkeypatch.setenv("SLURM_JOB_GPUS", "3")
    assert place(holder("lease.gpu(['a'])")) == 0
