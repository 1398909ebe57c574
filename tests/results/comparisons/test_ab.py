"""Two folders of kernels, measured in turns: on the host device, with kernels in Python; statistics by themselves."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from results import synthetic
from small_graphs import from_edges

from warpath import cli
from warpath.base import places, settings
from warpath.base.errors import UserError
from warpath.graphs import csr
from warpath.results.comparisons import ab, verdicts
from warpath.runs import oracle, plan, turns
from warpath.runs.plan import Run

KERNEL = """
import time
import numpy as np
from warpath.algorithms import Solution, algorithm

@algorithm(launches=[{"block": 64}])
def mine(device, graph, launch):
    open("order", "a").write("%s")
    def solve(source):
        time.sleep(%s)
        return Solution(np.array(%s, "uint32"), iterations=2)  # of a path
    return solve
"""
RUN = Run("path", "bfs", "mine", "b64", "host", 1)


def ended(milliseconds):
    """A record of one solve, as far as it is looked at."""
    return {"status": "ok", "environment": {"uuid": None}, "samples": [{"source": 0, "solve_ms": milliseconds}]}


def write(name, seconds=0.001, answer="abs(np.arange(3) - source)", extra=""):
    """Write a folder of one algorithm, which takes so long for its answer."""
    Path(name, "kernels/bfs").mkdir(parents=True, exist_ok=True)
    Path(name, "kernels/bfs/mine.py").write_text(extra + KERNEL % (name, seconds, answer))
    return Path(name, "kernels")


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    """A folder with a graph, its right answers and a folder A of kernels."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WARPATH_LOCKS", str(tmp_path))
    monkeypatch.setenv("WARPATH_DEVICE", "host")
    csr.write(from_edges("path", [0, 1], [1, 2]), places.graph("path"))
    answers = np.array([[0, 1, 2]], "int32")
    oracle.write(places.oracle("path", "bfs"), csr.read(places.graph("path")), "bfs", [0], answers, 2)
    write("A")
    (tmp_path / "config").mkdir()
    (tmp_path / "config/config.yaml").write_text("timing: { repetitions: 1, warmup: 0 }")
    return tmp_path


def test_a_process_has_the_turns_of_both_sides_and_the_next_begins_with_the_other(workplace):
    specs = [ab._spec(RUN, write(name), settings.read()["timing"]) for name in "AB"]
    for is_swapped, order in enumerate(("ABBA", "BAAB")):
        found = turns.pair(specs, is_swapped)
        assert Path("order").read_text() == order * (sum(map(len, found)) // 4)
        assert {record["status"] for records in found for record in records} == {"ok"}
        workers = [{record["environment"]["worker"]["process"] for record in records} for records in found]
        assert [len(each) for each in workers] == [1, 1] and workers[0] == workers[1]
        Path("order").unlink()


@pytest.fixture
def command(workplace, monkeypatch, capsys):
    """A function that compares A with B by the command; it returns the exit code, the lines and the table."""
    monkeypatch.setattr(places, "KERNELS", workplace / "B/kernels")
    study = replace(synthetic.study(), name="tiny", runs=(RUN,))
    monkeypatch.setattr(plan, "load", lambda config: study)
    monkeypatch.setattr(ab, "PROCESSES", 2)

    def compared(*options, **of_b):
        write("B", **of_b)
        code = cli.main(["ab", "A", "--budget", "0.1", *options])
        streams = capsys.readouterr()
        return code, streams.out.splitlines() + streams.err.splitlines(), pd.read_csv("results/ab/ab.csv")

    return compared


def test_what_is_broken_is_told_by_line_table_and_exit_code(command):
    code, lines, table = command(answer="np.arange(3) * 2")
    assert code == verdicts.ONE_BROKEN and table["verdict"].tolist() == ["control", "broken"]
    assert lines[1:2] == ["code of 1 run: changed"] and lines[2].startswith("control   ")
    assert lines[3].startswith("broken    ok → wrong: bfs/mine b64 on path; ") and "wrong vertices" in lines[3]
    assert table["b_status"].iloc[1] == "wrong"
    assert not Path(places.KEPT).exists() and not Path(places.RECORDS).exists()


@pytest.fixture
def quick(monkeypatch):
    """Kernels of B take 1.2 times as long as those of A, and nothing is measured."""

    def pair(specs, is_swapped):
        return [[ended(1.2 if spec.kernels.endswith("B/kernels") else 1)] for spec in specs]

    monkeypatch.setattr(turns, "pair", pair)


def test_what_is_slower_is_told_and_the_same_code_is_measured_against_itself_alone(command, quick):
    code, lines, table = command(seconds=2)
    assert code == verdicts.ONE_SLOWER and table["verdict"].tolist() == ["control", "slower"]
    assert lines[3].startswith("slower    1.2× (1.2× to 1.2×): bfs/mine b64 on path; 2 processes, 4 turns, ")
    Path("A/kernels/bfs/mine.py").write_text("# a comment\n" + Path("B/kernels/bfs/mine.py").read_text())
    code, lines, table = command(seconds=2)
    assert code == 0 and table["verdict"].tolist() == ["control"] and lines[1] == "code of 1 run: same, skipped"


def test_kernels_that_cannot_be_loaded_are_told_in_one_line(command, capsys):
    write("A", extra="from warpath.algorithms import gone\n")
    assert cli.main(["ab", "A"]) == verdicts.CANNOT_TELL
    out, err = capsys.readouterr()
    assert "code of 1 run: cannot be loaded by the interface of today (A/kernels/bfs/mine.py: " in out
    assert err == "warpath: A: no run of study tiny can be compared\n"


def test_kernels_of_a_commit_are_in_a_folder_that_is_removed(repository, tmp_path, monkeypatch):
    monkeypatch.setattr(places, "ROOT", tmp_path)
    write("A")
    (tmp_path / "A/kernels").rename(tmp_path / "kernels")
    repository()
    (tmp_path / "kernels/bfs/mine.py").write_text("changed")
    with pytest.raises(KeyboardInterrupt), ab.kernels("HEAD") as (_, folder):
        assert (folder / "bfs/mine.py").read_text().startswith("\nimport time")
        raise KeyboardInterrupt
    assert not folder.exists()
    with pytest.raises(UserError, match="nothing: neither a folder with kernels nor"), ab.kernels("nothing"):
        pass


def test_a_slowdown_of_7_percent_is_found_and_the_same_code_is_not_called_different(monkeypatch):
    """Processes take 3 s, and the ratio in each differs by 3 %, as Student's t: with outliers; turns add 1 %."""
    random, now, timing = np.random.default_rng(3), [0.0], settings.defaults()["timing"]
    monkeypatch.setattr(ab.time, "monotonic", lambda: now[0])

    def pair(specs, is_swapped):
        now[0] += 3
        noise = np.exp(0.02 * random.standard_t(5, 2) + 0.01 * random.normal(size=2))
        return [[ended(time)] for time in noise * [float(spec.kernels) for spec in specs]]

    monkeypatch.setattr(turns, "pair", pair)

    def verdict(slower):
        own, row = (ab.measured(RUN, factors, timing, 1.03, 60) for factors in ((1, 1), (1, slower)))
        assert row["seconds"] <= 60
        return ab.verdict(row, ab.mark(own, 1.03), 1.03)

    found = {slower: [verdict(slower) for _ in range(60)] for slower in (1, 1.07)}
    assert found[1.07].count("slower") >= 57
    assert sum(one in verdicts.STEPS for one in found[1]) <= 3
