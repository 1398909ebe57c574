"""The sub-commands as a person calls them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from warpath.graphs import csr

WORKFLOW = Path(csr.__file__).parents[2]


@pytest.fixture
def warpath(tmp_path):
    def run(*arguments):
        environment = os.environ | {"PYTHONPATH": str(WORKFLOW), "WARPATH_CACHE": str(Path("results/.cache").resolve())}
        command = [sys.executable, "-m", "warpath", *arguments, "--catalogue", "c.yaml"]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return run


def test_from_a_file_to_parquet(tmp_path, warpath):
    (tmp_path / "g.txt").write_text("1 2\n2 2\n2 1\n")
    (tmp_path / "c.yaml").write_text("mine: {path: g.txt}\nmade: {generator: {kind: star, vertices: 4}}\n")
    done = warpath("prepare", "mine", "--threads", "1")
    assert done.stdout == (
        "mine: read 3 edges (snap); 1 self-loops dropped; 1 duplicates merged; 1 edges stored in both directions; "
        "2 vertices, 2 arcs; weights 1..10 seed 7\n"
    ), done.stderr
    assert csr.read(tmp_path / "resources/graphs/mine").arcs == 2
    assert warpath("prepare", "made", "--output", "there").returncode == 0
    assert csr.read(tmp_path / "there").arcs == 6
    listed = warpath("graphs").stdout.splitlines()
    assert listed[0].split() == ["graph", "source", "|V|", "|E|", "state"]
    assert [line.split()[0] + " " + line.split("  ")[-1].strip() for line in listed[1:]] == [
        "mine prepared",
        "made made here",
    ]


def test_mistakes_end_in_one_line(tmp_path, warpath):
    (tmp_path / "c.yaml").write_text("mine: {path: g.txt}\nremote: {url: 'http://127.0.0.1:9/x/r.gz'}\n")
    for arguments, words in [
        (["prepare", "mien"], "Did you mean mine"),
        (["prepare", "mine"], "g.txt: no such file"),
        (["prepare", "remote"], "warpath download remote"),
        (["download", "remote", "other.gz"], "has no file 'other.gz'; it has r.gz"),
    ]:
        done = warpath(*arguments)
        assert done.returncode != 0
        assert done.stderr.count("\n") == 1 and words in done.stderr, done.stderr


def test_download_from_a_folder(tmp_path, warpath):
    mirror = tmp_path / "mirror" / "127.0.0.1:9" / "x"
    mirror.mkdir(parents=True)
    (mirror / "r.txt").write_text("1 2\n")
    (tmp_path / "c.yaml").write_text("remote: {url: 'http://127.0.0.1:9/x/r.txt'}\n")
    assert warpath("download", "remote", "--mirror", "mirror").returncode == 0
    assert warpath("prepare", "remote").returncode == 0
