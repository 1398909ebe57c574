"""The sub-commands graphs, download and prepare."""

import gzip
import hashlib
from pathlib import Path
from types import SimpleNamespace

import pytest

from warpath import cli
from warpath.graphs import csr


@pytest.fixture
def warpath(tmp_path, monkeypatch, capsys):
    """Run a command in the folder of the test; return its exit status, output and errors."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        capsys.readouterr()
        status = cli.main([*arguments, "--catalogue", "c.yaml"])
        return SimpleNamespace(returncode=status, stdout=(noted := capsys.readouterr()).out, stderr=noted.err)

    return run


def downloaded(name, content):
    file = Path("resources/downloads", name)
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    return file


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


def test_the_list_has_the_state_of_each_graph(tmp_path, warpath):
    (tmp_path / "g.txt").write_text("1 2\n2 3\n7 8\n")
    (tmp_path / "c.yaml").write_text(
        "mine: {path: g.txt, directed: true}\nother: {path: g.txt}\nabsent: {path: absent.txt}\n"
        "remote: {url: 'http://127.0.0.1:9/x/r.gz'}\nstar: {generator: {kind: star, vertices: 4}}\n"
    )
    assert warpath("prepare", "mine").returncode == 0
    header, *lines = warpath("graphs").stdout.splitlines()
    assert header.split() == ["graph", "source", "|V|", "|E|", "state", "vertices", "arcs"]
    assert lines[0].split()[2:] == ["prepared", "5", "3"]
    assert {line.split()[0]: line.split("  ")[-1].strip() for line in lines[1:]} == {
        "other": "to prepare",
        "absent": "missing",
        "remote": "to download",
        "star": "to generate",
    }
    (tmp_path / "g.txt").write_text("1 2\n")
    assert warpath("prepare", "mine").returncode == 0
    assert warpath("graphs", "mine").stdout.split()[-2:] == ["2", "1"]


def test_the_list_has_graphs_of_collections(tmp_path, warpath):
    (tmp_path / "g.txt").write_text("1 2\n")
    (tmp_path / "c.yaml").write_text("mine: {path: g.txt}\n")
    assert warpath("prepare", "snap:web-Google", "g.txt").returncode == 0
    _, *lines = warpath("graphs").stdout.splitlines()
    assert [line.split()[:3] for line in lines] == [["mine", "local", "to"], ["snap.web-Google", "SNAP", "prepared"]]
    _, line = warpath("graphs", "konect:enron").stdout.splitlines()
    assert line.split() == ["konect.enron", "KONECT", "to", "download"]
    assert "no catalogue has a graph 'mien'. Did you mean mine" in warpath("graphs", "mien").stderr


def test_a_damaged_graph_does_not_end_the_list(tmp_path, warpath):
    star = "{generator: {kind: star, vertices: 4}}"
    (tmp_path / "c.yaml").write_text(f'a: {star}\nb: {star[:-1]}, source: "\\e[2J"}}\n')
    assert warpath("prepare", "a").returncode == 0
    (tmp_path / "resources/graphs/a/vertices.parquet").write_bytes(b"PAR1")
    done = warpath("graphs")
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 3) and "b      \\x1b[2J" in done.stdout
    assert "vertices.parquet" in done.stderr and done.stderr.count("\n") == 1


def test_a_prepared_graph_is_exported(tmp_path, warpath):
    (tmp_path / "c.yaml").write_text("star: {generator: {kind: star, vertices: 4}}\n")
    assert "run `.venv/bin/warpath prepare star` first" in warpath("export", "star", "star.tsv").stderr
    assert warpath("prepare", "star").returncode == warpath("export", "star", "star.tsv").returncode == 0
    begin = "# Undirected graph: star\n# Nodes: 4 Edges: 3\nsource\ttarget\tweight\n"
    assert (tmp_path / "star.tsv").read_text().startswith(begin)


def test_mistakes_end_in_one_line(tmp_path, warpath):
    (tmp_path / "c.yaml").write_text("mine: {path: g.txt}\nremote: {url: 'http://127.0.0.1:9/x/r.gz'}\n")
    for arguments, words in [
        (["prepare", "mine"], "g.txt: not found, or not a file"),
        (["prepare", "remote"], "warpath download remote"),
        (["download", "mine"], "mine has no file to download"),
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
    (tmp_path / "c.yaml").write_text(f"other: {{url: 'http://127.0.0.1:9/x/r.txt', sha256: {'a' * 64}}}\n")
    assert warpath("prepare", "other", "mirror/127.0.0.1:9/x/r.txt").returncode == 0  # named: it needs no checksum


@pytest.mark.parametrize("published", ["", "published: {edges: 3}, "])
def test_another_file_in_place_of_a_download_is_put_aside(tmp_path, warpath, published):
    whole = b"1 2\n2 3\n3 1\n"
    url = f"url: 'http://127.0.0.1:9/x/r.txt', {published}sha256: {hashlib.sha256(whole).hexdigest()}"
    (tmp_path / "c.yaml").write_text(f"remote: {{{url}}}\n")
    file = downloaded("remote/r.txt", whole[:8])
    done = warpath("prepare", "remote")
    assert (done.returncode != 0, done.stderr.count("\n")) == (True, 1)
    assert "r.txt: incomplete or another file" in done.stderr
    assert "put aside as r.txt.damaged, run again to replace it" in done.stderr
    assert not file.exists()
    assert not (tmp_path / "resources/graphs/remote/vertices.parquet").exists()
    file.write_bytes(whole)
    assert warpath("prepare", "remote").returncode == 0


def test_a_damaged_download_is_put_aside_but_not_a_users_file(tmp_path, warpath):
    (tmp_path / "c.yaml").write_text("remote: {url: 'http://127.0.0.1:9/x/r.txt.gz'}\nmine: {path: r.txt.gz}\n")
    cut_off = gzip.compress(b"1 2\n2 3\n" * 99)[:-12]
    file = downloaded("remote/r.txt.gz", cut_off)
    (tmp_path / "r.txt.gz").write_bytes(cut_off)
    for arguments in (["prepare", "mine"], ["prepare", "remote", "r.txt.gz"]):
        done = warpath(*arguments)
        assert "r.txt.gz: cut off: its packed data end too early; delete it" in done.stderr
        assert (tmp_path / "r.txt.gz").exists()
    assert "put aside as r.txt.gz.damaged" in warpath("prepare", "remote").stderr
    assert not file.exists()


def test_a_damaged_download_of_the_right_checksum_stays(tmp_path, warpath):
    cut_off = gzip.compress(b"p sp 2 1\na 1 2 3\n" * 50)[:-12]
    downloaded("right/r.gr.gz", cut_off)
    digest = hashlib.sha256(cut_off).hexdigest()
    (tmp_path / "c.yaml").write_text(f"right: {{url: 'http://127.0.0.1:9/x/r.gr.gz', sha256: {digest}}}\n")
    assert "r.gr.gz: cut off" in warpath("prepare", "right").stderr
    assert not list(tmp_path.rglob("*.damaged"))


def test_by_hand_the_graphs_are_those_of_the_settings(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config").mkdir()
    (tmp_path / "config/config.yaml").write_text("catalogues: [c.yaml]\n")
    (tmp_path / "c.yaml").write_text("mine: {path: folder}\n")
    assert cli.main(["graphs", "mine"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("mine ")
    (tmp_path / "folder").mkdir()
    assert cli.main(["prepare", "mine"]) == 2
    assert capsys.readouterr().err == "warpath: folder: not found, or not a file\n"
