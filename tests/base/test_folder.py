"""One workflow at a time in a folder."""

import fcntl
import os
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

import pytest

from warpath.base import folder
from warpath.base.errors import UserError


@pytest.fixture
def other(tmp_path, monkeypatch):
    """A process of another workflow."""
    monkeypatch.chdir(tmp_path)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.communicate()


def test_a_folder_belongs_to_one_workflow_until_it_ends(other):
    assert folder.running_since() is None
    for _ in range(2):  # every job of a workflow asks for it
        folder.own(other.pid)
    owner = Path(folder.OWNER).read_text()
    assert owner.startswith(f"process {other.pid} on ") and time.time() - folder.running_since() < 60
    with pytest.raises(UserError, match=r"a workflow is running in .* \(process \d+ on .*\); wait until it ends"):
        folder.own(os.getpid())
    other.communicate()
    assert folder.running_since() is None
    folder.own(other.pid)  # as a job on another machine does: nothing of that number runs here
    assert Path(folder.OWNER).read_text() == owner
    folder.own(os.getpid())
    assert folder.running_since()


@pytest.mark.parametrize(
    "owner", ["", "x", "process {pid} on elsewhere since today, {started}", "process {pid} on {here} since today, 7"]
)
def test_what_names_no_running_process_owns_nothing(other, owner):
    Path(folder.OWNER).parent.mkdir()
    Path(folder.OWNER).write_text(
        owner.format(pid=other.pid, started=folder.started(other.pid), here=os.uname().nodename)
    )
    assert folder.running_since() is None
    folder.own(os.getpid())
    assert folder.running_since()


def test_without_locks_a_folder_is_owned_as_well(other, monkeypatch):
    monkeypatch.setattr(fcntl, "flock", mock.Mock(side_effect=OSError(95, "Operation not supported")))
    folder.own(other.pid)
    with pytest.raises(UserError, match="a workflow is running"):
        folder.own(os.getpid())


def test_a_folder_that_cannot_be_written_to_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder.require_writable()
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write everywhere
    with pytest.raises(UserError, match=f"{tmp_path}: cannot be written to"):
        folder.require_writable()
