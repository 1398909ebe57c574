"""Files are complete or absent, with several writers in a folder."""

import errno
import os
import subprocess
import sys

import pytest

from warpath.base import files


def test_temporary_files_of_another_container_stay(tmp_path):
    """A container with the name of this machine has no process of our number."""
    program = f"from warpath.base import files; files.write_json({str(tmp_path / 'some.json')!r}, 1)"
    alone = ["unshare", "--pid", "--fork", "--mount-proc", sys.executable, "-c"]
    if subprocess.run([*alone, "pass"], capture_output=True, check=False).returncode:
        pytest.skip("needs root, for a process namespace")
    with files.atomic(tmp_path / "some.json") as temporary:
        temporary.write_text("half")
        subprocess.run([*alone, program], check=True)
        assert temporary.read_text() == "half"


def test_a_full_disk_names_the_file(tmp_path):
    with pytest.raises(OSError, match="No space left") as caught, files.atomic(tmp_path / "table.csv"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.filename == str(tmp_path / "table.csv")


def test_the_leftover_of_a_process_that_nobody_waits_for_is_removed(tmp_path):
    zombie = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
    leftover = tmp_path / f".table.csv.{files.HOST}.{zombie.pid}-00.tmp"
    own = tmp_path / f".table.csv.{files.HOST}.{os.getpid()}-00.tmp"
    for file in (leftover, own):
        file.touch()
    with files.atomic(tmp_path / "table.csv") as temporary:
        temporary.touch()
    assert [leftover.exists(), own.exists()] == [False, True]
    zombie.wait()
