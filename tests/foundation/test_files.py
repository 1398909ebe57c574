"""Files that are whole or absent, whoever else works in the folder and whatever its file system can do."""

import errno
import fcntl
import subprocess
import sys
from types import SimpleNamespace

import pytest

from warpath.foundation import files
from warpath.graphs import download


def test_what_another_container_is_writing_is_left_alone(tmp_path):
    """Within a container of the machine's name: there the number of our process means nobody."""
    program = f"from warpath.foundation import files; files.write_json({str(tmp_path / 'some.json')!r}, 1)"
    alone = ["unshare", "--pid", "--fork", "--mount-proc", sys.executable, "-c"]
    if subprocess.run([*alone, "pass"], capture_output=True, check=False).returncode:
        pytest.skip("needs root, to number processes anew")
    with files.atomic(tmp_path / "some.json") as temporary:
        temporary.write_text("half")
        subprocess.run([*alone, program], check=True)
        assert temporary.read_text() == "half"


@pytest.fixture
def no_locks(monkeypatch):
    def flock(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", flock)


def test_a_full_disk_names_the_file(tmp_path):
    with pytest.raises(OSError, match="No space left") as caught, files.atomic(tmp_path / "table.csv"):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.filename == str(tmp_path / "table.csv")


def test_without_locks_a_file_is_fetched_all_the_same(tmp_path, no_locks):
    (tmp_path / "mirror.txt").write_text("1 2\n")
    source = SimpleNamespace(file="some.txt", addresses=lambda _: [(str(tmp_path / "mirror.txt"), None)])
    fetched = download.fetch(SimpleNamespace(name="some", sources=[source]), "some.txt", tmp_path / "new" / "some.txt")
    assert fetched.read_text() == "1 2\n"
