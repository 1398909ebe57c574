"""What is said of runs that lack something, whatever their records say."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import synthetic

from warpath.results import failures


@pytest.fixture
def study(tmp_path, monkeypatch):
    """Two runs with believable records, whose graph and right answers are there."""
    monkeypatch.chdir(tmp_path)
    made = [synthetic.record(launch=launch) for launch in ("b64", "b256")]
    synthetic.write(tmp_path / "results/runs", *made)
    for file in ("graphs/rome99/vertices", "oracles/rome99/bfs"):
        (tmp_path / f"resources/{file}.parquet").parent.mkdir(parents=True)
        (tmp_path / f"resources/{file}.parquet").touch()
    return synthetic.study(*made)


def log(step, *lines):
    file = Path("logs", step)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines) + "\n")


def test_nothing_failed_where_all_is_there(study):
    log("download/rome99/rome99.gr.log", "warpath: first address: not found")  # the second had it
    Path("resources/downloads/rome99").mkdir(parents=True)
    Path("resources/downloads/rome99/rome99.gr").touch()
    assert failures.of(study) == []


def test_a_download_that_failed_behind_old_records_is_told_once(study):
    log("download/rome99/rome99.gr.log", "warpath: rome99: no address gave the file")
    (told,) = failures.of(study)
    assert told == ("graph rome99", "rome99: no address gave the file", "logs/download/rome99/rome99.gr.log")


def test_files_that_several_graphs_share_are_looked_for_where_they_are(study):
    log("download/base/rome99.gr.log", "warpath: base: no address gave the file")
    assert failures.of(study) == []
    runs = tuple(replace(run, downloads="base") for run in study.runs)
    (told,) = failures.of(replace(study, runs=runs))
    assert told[0] == "graph rome99" and told[2] == "logs/download/base/rome99.gr.log"


def test_a_step_that_crashed_tells_its_last_line(study):
    Path("resources/oracles/rome99/bfs.parquet").unlink()
    log("oracle/rome99/bfs.log", "Traceback (most recent call last):", '  File "x.py", line 1', "MemoryError", "")
    (told,) = failures.of(study)
    assert told == ("bfs answers for rome99", "MemoryError", "logs/oracle/rome99/bfs.log")


def test_a_record_of_another_run_is_a_failure_whatever_device_made_it(study):
    first, second = (run.record for run in study.runs)
    elsewhere = tuple(replace(run, device="cuda") for run in study.runs)
    assert failures.of(replace(study, runs=elsewhere)) == []
    shutil.copy(first, second)
    (told,) = failures.of(study)
    assert "is about launch" in told[1]
