"""One workflow at a time in a folder; jobs that a killed one left in Slurm's queue; SIGTERM."""

import fcntl
import signal
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from warpath.base.errors import UserError
from warpath.lifetime import folder, processes, slurm

CLUSTER = SimpleNamespace(executor_settings=SimpleNamespace(jobname_prefix="warpath"), local_exec=False)


@pytest.fixture
def cancelled(tmp_path, monkeypatch):
    """The jobs that are cancelled, out of one left here, one of another folder and one of the user's own."""
    monkeypatch.chdir(tmp_path)
    folder.lock.cache_clear()
    numbers = []

    def output_of(command, *arguments):
        if command == "scancel":
            numbers.extend(arguments)
        return f"7|warpath_1|{tmp_path}\n8|warpath_1|/elsewhere\n9|own|{tmp_path}\n"

    monkeypatch.setattr(slurm, "_output_of", output_of)
    yield numbers
    folder.lock.cache_clear()


def test_only_jobs_left_in_this_folder_are_cancelled(cancelled):
    assert folder.lock()
    slurm.cancel_leftovers(CLUSTER)
    assert cancelled == ["7"]


def test_without_a_lock_no_job_is_cancelled(cancelled, monkeypatch, capsys):
    def flock(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", flock)
    assert not folder.lock()
    slurm.cancel_leftovers(CLUSTER)
    assert cancelled == []
    (line,) = capsys.readouterr().err.splitlines()
    assert "cannot be locked" in line


def test_a_locked_folder_is_refused(cancelled):
    lock = Path(folder.LOCK)
    lock.parent.mkdir()
    with lock.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(UserError, match="a workflow is running in"):
            folder.lock()


def test_sigterm_waits_for_the_lock_that_its_handler_takes():
    lock, ended = threading.Lock(), threading.Event()

    def handler(*_):
        with lock:
            ended.set()

    earlier = signal.signal(signal.SIGTERM, handler)
    try:
        processes.defer_sigterm()
        with lock:
            signal.raise_signal(signal.SIGTERM)  # called here, the handler would never return
            assert not ended.is_set()
        assert ended.wait(10)
    finally:
        signal.signal(signal.SIGTERM, earlier)


def test_results_are_refused_where_a_file_is_in_the_way(tmp_path):
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file/results/deep"):
        with pytest.raises(UserError, match="file is not a folder; set WARPATH_RESULTS to one"):
            folder.require(path)
    folder.require(tmp_path / "new/results")
