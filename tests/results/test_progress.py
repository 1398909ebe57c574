"""What `warpath progress` tells while a workflow runs, from files alone."""

import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
import synthetic

from warpath.base import folder, outcome, places
from warpath.results import progress

RECORDS = [synthetic.record(launch=f"b{block}") for block in (32, 64, 128, 256)]


@pytest.fixture
def study(tmp_path, monkeypatch):
    """Four runs of ten seconds each, of which one is done; nothing runs."""
    monkeypatch.chdir(tmp_path)
    finish(ago=0)
    return synthetic.study(*RECORDS)


def finish(ago):
    """Write the record of a run that ended so many seconds ago."""
    ended = datetime.fromtimestamp(time.time() - ago, UTC).isoformat()
    synthetic.write(places.RECORDS, RECORDS[0] | {"costs": {"total_s": 11.0, "lease_s": 1.0}, "finished": ended})


def begin(ago):
    """Have this process be a workflow that works in the folder since so many seconds ago."""
    folder.own(os.getpid())
    date_back(folder.OWNER, ago)


def date_back(path, ago):
    os.utime(path, (time.time() - ago,) * 2)


def log(ago, *step):
    path = Path(places.log(*step))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    date_back(path, ago)


def test_what_is_done_and_what_the_rest_takes(study):
    begin(ago=30)
    finish(ago=5)
    now = progress.measure(study)
    assert [len(part) for part in (now.done, now.running, now.failed, now.waiting)] == [1, 0, 0, 3]
    # The first run took 10 of the 15 seconds since it began: half as much again as the runs themselves.
    assert now.rest_s == pytest.approx(3 * 10 * 1.5, rel=0.1)
    first, second, *_ = progress.lines(study, now)
    finish(ago=600)
    assert progress.measure(study).rest_s == pytest.approx(3 * 10), "a kept record tells nothing of the pace"
    assert first == "synthetic on host: 1 of 4 runs done (1 ok)"
    assert second.startswith("a workflow has been running for 3") and "; 3 runs to go, about 4" in second


def test_a_run_that_is_under_way_or_has_failed_is_named(study):
    begin(ago=3725)
    log(61, "runs", "rome99", "bfs/level", "b64")
    log(6000, "runs", "rome99", "bfs/level", "b256")  # of an earlier workflow
    synthetic.write(places.RECORDS, RECORDS[2] | {"status": "failed", "error": "boom", "samples": []})
    lines = list(progress.lines(study, progress.measure(study)))
    assert any(line.startswith("running  bfs/level b64 on rome99, for 1 min 0") for line in lines)
    assert any(line.startswith("failed   bfs/level b128 on rome99: boom") for line in lines)
    assert "1 failed or held up by a failure" in lines[0] and "for 1 h 02 min; 2 runs to go" in lines[1]
    assert lines[-1] == "graph    rome99: 1 of 4 runs"


def test_what_failed_before_this_workflow_began_is_to_be_done(study):
    synthetic.write(places.RECORDS, RECORDS[0] | {"status": "failed", "error": "boom", "samples": []})
    date_back(study.runs[0].record, 600)
    assert len(progress.measure(study).failed) == 1
    begin(ago=60)
    now = progress.measure(study)
    assert (len(now.done), len(now.failed), len(now.waiting)) == (0, 0, 4) and now.rest_s is None


def test_a_step_that_failed_counts_for_all_runs_behind_it_and_is_named_once(study):
    begin(ago=60)
    outcome.write(places.outcome(places.prepared("rome99")), "rome99: damaged")
    lines = list(progress.lines(study, progress.measure(study)))
    assert "3 failed or held up" in lines[0] and sum(line.startswith("failed ") for line in lines) == 1


def test_without_a_workflow_it_says_so(study):
    assert "no workflow is running here; 3 runs to go" in list(progress.lines(study, progress.measure(study)))[1]
