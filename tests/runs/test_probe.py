"""The probe leases its device as a run does."""

import fcntl

import pytest

from warpath import cli
from warpath.devices import driver
from warpath.runs import lease, probe


@pytest.fixture(autouse=True)
def own_locks(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_LOCKS", str(tmp_path))


def test_a_probe_takes_a_gpu_that_is_free_and_keeps_it_while_it_measures(tmp_path, monkeypatch):
    monkeypatch.setattr(driver, "uuids", lambda: ["a", "b"])
    assert lease.gpu(["a"])[0] == 0
    seen = []

    def measure(kind, number):
        with open(tmp_path / "warpath-gpu-b.lock") as lock, pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        seen.append((kind, number))
        return {"copy_bytes_per_s": 1.0, "link_bytes_per_s": 1.0, "relaxations_per_s": 1.0}

    monkeypatch.setattr(probe, "measure", measure)
    assert cli.main(["probe", "--device", "cuda", "--output", str(tmp_path / "probe.json")]) == 0
    assert seen == [("cuda", 1)]
