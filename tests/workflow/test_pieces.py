"""Studies are measured in pieces: each leaves out what has a record elsewhere."""

import sys
from types import SimpleNamespace

import pytest
from checkouts import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))
import studies


@pytest.fixture
def options(monkeypatch, tmp_path):
    monkeypatch.setattr(studies, "ROOT", tmp_path)
    monkeypatch.setattr(studies, "as_configured", lambda name, _: {"study": name, "device": "host"})
    return SimpleNamespace(known=[], graphs=[], gpus=1, baseline_limit=None, config=[])


def missing(options, on_gpu=True):
    return [path.removeprefix("results/runs/") for path in studies.missing("singh2017", options, on_gpu)]


def test_a_piece_is_what_has_no_record_here_or_elsewhere(options, tmp_path):
    every = missing(options)
    assert len(every) == 6 * 44 and not any("cpu_queue" in name for name in every)
    for folder, name in (("results/runs", every[0]), ("elsewhere", every[1])):
        (tmp_path / folder / name).parent.mkdir(parents=True)
        (tmp_path / folder / name).touch()
    assert missing(options) == every[1:]
    options.known = [tmp_path / "elsewhere"]
    assert missing(options) == every[2:]


def test_baselines_are_a_piece_of_their_own(options):
    names = [f"default{process}.json" for process in ("", ".p2", ".p3", ".p4", ".p5", ".p6")]
    expected = [f"singh-{n}/bfs/cpu_queue/{name}" for name in names for n in (5, 10, 22, 64)]
    assert missing(options, on_gpu=False) == expected
    options.graphs = ["singh-5", "singh-64"]
    assert {name.split("/")[0] for name in missing(options)} == {"singh-5", "singh-64"}
    options.baseline_limit = 0
    assert missing(options) and not missing(options, on_gpu=False)
    options.baseline_limit, options.gpus = None, 0
    assert not missing(options) and missing(options, on_gpu=False)


@pytest.mark.parametrize("restriction", [["--known", "x", "--"], ["--graphs", "g", "--"], ["--gpus", "0"]])
def test_what_is_published_is_whole(monkeypatch, capsys, restriction):
    monkeypatch.setattr(sys, "argv", ["studies.py", "--output", "pages", *restriction, "singh2017"])
    with pytest.raises(SystemExit):
        studies.main()
    assert "--output publishes whole studies" in capsys.readouterr().err
