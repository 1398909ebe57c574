"""Leases: one process per GPU, no run beside a CPU baseline, and nothing to clean up after a SIGKILL."""

import fcntl
import os
import signal
import time

import pytest

from warpath import cli
from warpath.base.errors import UserError
from warpath.runs import lease, probe
from warpath.warm import processes

TWO = ["a", "b"]


class WaitsError(Exception):
    """A lease is not to be had now."""


def wait():
    raise WaitsError


@pytest.fixture(autouse=True)
def locks(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_LOCKS", str(tmp_path))
    return tmp_path


def lease_gpu(uuids, wait=None):
    """Lease one of these GPUs as a run does."""
    wait = wait or (lambda: None)
    shared = lease.machine(wait, exclusive=False)
    number, locks = lease.gpu(uuids, wait)
    return number, [shared, *locks]


def release(files):
    for file in files:
        os.close(file)


def test_each_run_gets_a_gpu_of_its_own_whatever_slurm_calls_them(monkeypatch):
    monkeypatch.setenv("SLURM_JOB_GPUS", "3,5")
    first, second = lease_gpu(TWO, wait), lease_gpu(TWO, wait)
    assert [first[0], second[0]] == [0, 1]
    with pytest.raises(WaitsError):
        lease_gpu(TWO, wait)
    release(first[1])
    assert lease_gpu(TWO, wait)[0] == 0


def test_a_run_gets_the_gpu_of_one_that_was_killed():
    def hold():
        lease_gpu(["a"])
        os.write(ready, b"x")
        time.sleep(600)

    reader, ready = os.pipe()
    holder = processes.fork(hold)
    os.read(reader, 1)
    with pytest.raises(WaitsError):
        lease_gpu(["a"], wait)
    killed = []
    assert lease_gpu(["a"], lambda: killed.append(os.kill(holder, signal.SIGKILL)))[0] == 0
    assert len(killed) == 1, "it says once that it waits"
    os.waitpid(holder, 0)
    release([reader, ready])


def test_a_cpu_baseline_waits_for_the_gpu_runs_and_they_for_it():
    _, held = lease_gpu(TWO, wait)
    with pytest.raises(WaitsError):
        lease.machine(wait)
    release(held)
    held = lease.machine(wait)
    with pytest.raises(WaitsError):
        lease_gpu(TWO, wait)
    release([held])


def test_a_gpu_run_that_comes_later_does_not_overtake_a_waiting_baseline():
    def come_later():
        with pytest.raises(WaitsError):
            lease_gpu(TWO, wait)
        release(held)

    _, held = lease_gpu(TWO, wait)
    assert lease.machine(come_later)


def test_a_wait_that_fails_gives_the_turn_back():
    assert lease_gpu(["a"], wait)[0] == 0
    with pytest.raises(WaitsError):
        lease.machine(wait)
    assert lease.machine(wait, exclusive=False)


def test_without_a_gpu_no_run_waits_for_one(monkeypatch):
    monkeypatch.setattr(lease.driver, "uuids", list)
    held = lease.machine(wait)
    assert lease.device("cuda") == (0, [])
    release([held])


def test_by_default_locks_are_in_the_machines_tmp_and_not_in_a_private_one(monkeypatch, tmp_path):
    def fail(path, *_):
        raise UserError(path)

    monkeypatch.delenv("WARPATH_LOCKS", raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(lease.os, "open", fail)
    with pytest.raises(UserError, match=r"^/tmp/warpath-turn\.lock$"):
        lease.machine()


def test_locks_are_readable_for_all_whatever_the_umask(locks):
    before = os.umask(0o077)
    try:
        lease_gpu(["a"], wait)
    finally:
        os.umask(before)
    names = ["warpath-gpu-a.lock", "warpath-machine.lock", "warpath-turn.lock"]
    assert [(path.name, path.stat().st_mode & 0o777) for path in sorted(locks.iterdir())] == [(n, 0o644) for n in names]


def test_a_probe_takes_a_gpu_that_is_free_and_keeps_it_while_it_measures(locks, monkeypatch):
    def measure(kind, number):
        with open(locks / "warpath-gpu-b.lock") as lock, pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        seen.append((kind, number))
        return {"copy_bytes_per_s": 1.0, "link_bytes_per_s": 1.0, "relaxations_per_s": 1.0}

    seen = []
    monkeypatch.setattr(lease.driver, "uuids", lambda: TWO)
    monkeypatch.setattr(probe, "measure", measure)
    assert lease.gpu(["a"])[0] == 0
    assert cli.main(["probe", "--device", "cuda", "--output", str(locks / "probe.json")]) == 0
    assert seen == [("cuda", 1)]
