"""What `warpath progress` tells while a workflow runs, from files alone."""

import os
import socket
import time
from pathlib import Path

import pytest
import synthetic

from warpath.base import places
from warpath.lifetime import folder
from warpath.results import progress

RECORDS = [synthetic.record(launch=f"b{block}") for block in (32, 64, 128, 256)]


@pytest.fixture
def study(tmp_path, monkeypatch):
    """Four runs of ten seconds each, of which one is done; nothing runs."""
    monkeypatch.chdir(tmp_path)
    first = RECORDS[0] | {"costs": {"total_s": 11.0, "lease_s": 1.0}}
    synthetic.write(tmp_path / "results/runs", first)
    return synthetic.study(*RECORDS)


@pytest.fixture
def begin():
    """Have a workflow running since so many seconds ago."""

    def begun(ago, process=None):
        folder_lock = Path(folder.LOCK)
        folder_lock.parent.mkdir(exist_ok=True)
        folder_lock.write_text(f"process {process or os.getpid()} on {socket.gethostname()} since today\n")
        os.utime(folder_lock, (time.time() - ago,) * 2)

    return begun


def write(path, text="", ago=0.0):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (time.time() - ago,) * 2)


def test_what_is_done_and_what_the_rest_takes(study, begin):
    begin(ago=30)
    write(study.runs[0].record, Path(study.runs[0].record).read_text(), ago=5)
    now = progress.of(study)
    assert [len(part) for part in (now.done, now.running, now.failed, now.waiting)] == [1, 0, 0, 3]
    # The first run took 10 of the 15 seconds since it began: half as much again as the runs themselves.
    assert now.rest_s == pytest.approx(3 * 10 * 1.5, rel=0.02)
    first, second, *_ = progress.lines(study, now)
    assert first == "synthetic on host: 1 of 4 runs done (1 ok)"
    assert second == "a workflow has been running for 30 s; 3 runs to go, about 45 s at this pace"


def test_a_run_that_is_under_way_or_has_failed_is_named(study, begin):
    begin(ago=60)
    write(places.log("runs", "rome99", "bfs/level", "b64"), ago=7)
    write(study.runs[2].failure, "{}", ago=20)
    write(places.log("runs", "rome99", "bfs/level", "b256"), ago=600)  # of an earlier workflow
    lines = list(progress.lines(study, progress.of(study)))
    assert "running  bfs/level b64 on rome99, for 7 s" in lines
    assert any(line.startswith("failed   bfs/level b128 on rome99: ") for line in lines)
    assert "1 failed or held up by a failure" in lines[0] and "2 runs to go" in lines[1]
    assert lines[-1] == "graph    rome99: 1 of 4 runs"


def test_what_failed_before_this_workflow_began_is_to_be_done(study, begin):
    begin(ago=60)
    write(study.runs[2].failure, "{}", ago=600)
    write(places.previous(study.runs[0].record), "{}", ago=600)  # due again
    now = progress.of(study)
    assert (len(now.done), len(now.failed), len(now.waiting)) == (0, 0, 4) and now.rest_s is None


def test_a_step_that_failed_counts_for_all_runs_behind_it_and_is_named_once(study, begin):
    begin(ago=60)
    write(places.log("prepare", "rome99"), "warpath: rome99: damaged\n", ago=3)
    lines = list(progress.lines(study, progress.of(study)))
    assert "3 failed or held up" in lines[0] and sum(line.startswith("failed ") for line in lines) == 1


def test_without_a_workflow_it_says_so(study, begin):
    assert "no workflow is running here; 3 runs to go" in list(progress.lines(study, progress.of(study)))[1]
    begin(ago=5, process=2**22 + 1)  # one that was killed
    assert progress.of(study).since is None


def test_records_are_read_once(study, begin, monkeypatch):
    known = {}
    progress.of(study, known)
    monkeypatch.setattr(progress.json, "loads", lambda text: pytest.fail("read again"))
    assert len(progress.of(study, known).done) == 1


@pytest.mark.parametrize(("seconds", "words"), [(4.4, "4 s"), (61, "1 min 01 s"), (3725, "1 h 02 min")])
def test_durations_are_short(seconds, words):
    assert progress._duration(seconds) == words
