"""Leases: one process per GPU, no run beside a CPU baseline, and nothing to clean up after a SIGKILL."""

import select
import signal
import subprocess
import sys

import pytest

from warpath.base.errors import UserError
from warpath.runs import lease

HOLD = """
import sys, time
from warpath.runs import lease
leased = {call}
print(leased[0], flush=True)
time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path, monkeypatch):
    """Start processes that hold a lease until they are killed."""
    monkeypatch.setenv("WARPATH_LOCKS", str(tmp_path))
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
    """Wait for the lease and return the number of its GPU, or what else the process printed."""
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


def test_a_wait_that_fails_gives_the_turn_back(holder, monkeypatch, tmp_path):
    monkeypatch.setenv("WARPATH_LOCKS", str(tmp_path))
    assert place(holder("lease.gpu(['a'])")) == 0

    def fail():
        raise UserError("nobody listens")

    with pytest.raises(UserError):
        lease.machine(fail)
    assert lease.shared(lambda: pytest.fail("waits"))


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


def test_in_an_allocation_of_slurm_several_runs_share_no_gpu_either(holder, monkeypatch):
    monkeypatch.setenv("SLURM_JOB_GPUS", "3,5")
    assert sorted(place(holder(TWO_GPUS)) for _ in range(2)) == [0, 1]
    assert waits(holder(TWO_GPUS))


def test_without_a_gpu_no_run_waits_for_one(holder):
    assert place(holder("lease.gpu([])")) == 0


def test_a_private_tmpdir_does_not_bypass_the_locks(holder, tmp_path, monkeypatch):
    place(holder("lease.gpu(['a'])"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert waits(holder("lease.gpu(['a'])"))


def test_by_default_locks_are_in_the_machines_tmp(monkeypatch, tmp_path):
    def fail(path, *_):
        raise UserError(path)

    monkeypatch.delenv("WARPATH_LOCKS", raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(lease.os, "open", fail)
    with pytest.raises(UserError, match=r"^/tmp/warpath-turn\.lock$"):
        lease.machine()


def test_locks_are_readable_for_all_whatever_the_umask(holder, tmp_path):
    place(holder("(__import__('os').umask(0o077), *lease.gpu(['a']))[1:]"))
    assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob("*.lock")} == {
        "warpath-turn.lock": 0o644,
        "warpath-machine.lock": 0o644,
        "warpath-gpu-a.lock": 0o644,
    }


def test_a_missing_folder_for_locks_is_reported(monkeypatch, tmp_path):
    monkeypatch.setenv("WARPATH_LOCKS", str(tmp_path / "nowhere"))
    with pytest.raises(UserError, match=f"WARPATH_LOCKS is '{tmp_path}/nowhere'; it must be a folder that exists"):
        lease.machine()
