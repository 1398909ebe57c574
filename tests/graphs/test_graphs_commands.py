"""The sub-commands as a person calls them."""

import gzip
import hashlib
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


@pytest.mark.parametrize("published", ["", "published: {edges: 3}, "])
def test_a_download_that_came_by_hand_and_is_another_file_is_put_aside(tmp_path, warpath, published):
    whole = b"1 2\n2 3\n3 1\n"
    url = f"url: 'http://127.0.0.1:9/x/r.txt', {published}sha256: {hashlib.sha256(whole).hexdigest()}"
    (tmp_path / "c.yaml").write_text(f"remote: {{{url}}}\n")
    file = tmp_path / "resources/downloads/remote/r.txt"
    file.parent.mkdir(parents=True)
    file.write_bytes(whole[:8])
    done = warpath("prepare", "remote")
    assert (done.returncode != 0, done.stderr.count("\n")) == (True, 1)
    assert "r.txt: not whole or another file" in done.stderr
    assert "put aside as r.txt.damaged, running again makes it anew" in done.stderr
    assert not file.exists()
    assert not (tmp_path / "resources/graphs/remote/vertices.parquet").exists()
    file.write_bytes(whole)
    assert warpath("prepare", "remote").returncode == 0


def test_a_download_that_cannot_be_unpacked_is_put_aside_and_a_file_of_ones_own_is_not(tmp_path, warpath):
    (tmp_path / "c.yaml").write_text("remote: {url: 'http://127.0.0.1:9/x/r.txt.gz'}\nmine: {path: r.txt.gz}\n")
    file = tmp_path / "resources/downloads/remote/r.txt.gz"
    file.parent.mkdir(parents=True)
    for path in (file, tmp_path / "r.txt.gz"):
        path.write_bytes(gzip.compress(b"1 2\n2 3\n" * 99)[:-12])
    for arguments in (["prepare", "mine"], ["prepare", "remote", "r.txt.gz"]):
        done = warpath(*arguments)
        assert "r.txt.gz: cut off, its packed data end too early; delete it" in done.stderr
        assert (tmp_path / "r.txt.gz").exists()
    assert "put aside as r.txt.gz.damaged" in warpath("prepare", "remote").stderr
    assert not file.exists()


def test_what_is_said_to_be_read_need_not_be_what_the_catalogue_means(tmp_path, warpath):
    (tmp_path / "c.yaml").write_text(f"remote: {{url: 'http://127.0.0.1:9/x/r.txt', sha256: {'a' * 64}}}\n")
    (tmp_path / "plain.txt").write_text("1 2\n2 3\n")
    assert warpath("prepare", "remote", "plain.txt").returncode == 0


def test_neither_coordinates_of_ones_own_nor_the_right_download_are_put_aside(tmp_path, warpath):
    graph, own = b"p sp 2 1\na 1 2 3\n", gzip.compress(b"p aux sp co 2\nv 1 1 1\nv 2 2 2\n" * 50)[:-12]
    files = {name: tmp_path / f"resources/downloads/{name}/r.gr" for name in ("mixed", "right")}
    for name, content in (("mixed", graph), ("right", own)):
        files[name].parent.mkdir(parents=True)
        files[name].write_bytes(content)
    (tmp_path / "own.co.gz").write_bytes(own)
    files["right"] = files["right"].rename(files["right"].with_suffix(".gr.gz"))
    (tmp_path / "c.yaml").write_text(
        "mixed: {url: 'http://127.0.0.1:9/x/r.gr', directed: true, coordinates: {path: own.co.gz}}\n"
        f"right: {{url: 'http://127.0.0.1:9/x/r.gr.gz', sha256: {hashlib.sha256(own).hexdigest()}}}\n"
    )
    assert "own.co.gz: cut off" in warpath("prepare", "mixed").stderr
    assert "r.gr.gz: cut off" in warpath("prepare", "right").stderr
    assert not list(tmp_path.rglob("*.damaged"))
