"""A folder is one workflow's, and so are the jobs that were submitted from it."""

import fcntl
import signal
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from warpath.foundation.errors import UserError
from warpath.lifetime import folder, processes, slurm

CLUSTER = SimpleNamespace(executor_settings=SimpleNamespace(jobname_prefix="warpath"), local_exec=False)


@pytest.fixture
def cancelled(tmp_path, monkeypatch):
    """The jobs that are cancelled, of one that was left here, one of another folder and one of the user's own."""
    monkeypatch.chdir(tmp_path)
    folder.alone.cache_clear()
    numbers = []

    def output_of(command, *arguments):
        if command == "scancel":
            numbers.extend(arguments)
        return f"7|warpath_1|{tmp_path}\n8|warpath_1|/elsewhere\n9|own|{tmp_path}\n"

    monkeypatch.setattr(slurm, "_output_of", output_of)
    yield numbers
    folder.alone.cache_clear()


def test_whoever_holds_the_folder_cancels_what_was_left_there(cancelled):
    assert folder.alone()
    slurm.cancel_what_a_killed_workflow_left(CLUSTER)
    assert cancelled == ["7"]


def test_where_nothing_can_be_locked_another_workflow_may_wait_for_its_jobs(cancelled, monkeypatch, capsys):
    def flock(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", flock)
    assert not folder.alone()
    slurm.cancel_what_a_killed_workflow_left(CLUSTER)
    assert cancelled == []
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1 and "cannot be locked" in said[0]


def test_a_folder_that_is_held_is_refused_to_others(cancelled):
    lock = Path(folder.LOCK)
    lock.parent.mkdir()
    with lock.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(UserError, match="a workflow is running in"):
            folder.alone()


def test_a_sigterm_that_meets_the_lock_of_its_handler_waits_for_it():
    lock, ended = threading.Lock(), threading.Event()

    def handler(*told):
        with lock:
            ended.set()

    earlier = signal.signal(signal.SIGTERM, handler)
    try:
        processes.let_sigterm_wait()
        with lock:
            signal.raise_signal(signal.SIGTERM)  # the handler itself would never come back from here
            assert not ended.is_set()
        assert ended.wait(10)
    finally:
        signal.signal(signal.SIGTERM, earlier)
