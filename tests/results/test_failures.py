"""What is said of runs that lack something, whatever their records say, and of what should have come of them."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import synthetic

from warpath.results import failures


@pytest.fixture
def study(tmp_path, monkeypatch):
    """Two runs with believable records, whose graph and right answers are there, and all that comes of them."""
    monkeypatch.chdir(tmp_path)
    made = [synthetic.record(launch=launch) for launch in ("b64", "b256")]
    synthetic.write(tmp_path / "results/runs", *made)
    for file in ("graphs/rome99/vertices", "oracles/rome99/bfs"):
        (tmp_path / f"resources/{file}.parquet").parent.mkdir(parents=True)
        (tmp_path / f"resources/{file}.parquet").touch()
    for file in ("probe.json", "timings.parquet", "summary.csv", "report.html"):
        Path("results", file).touch()
    Path("results/figures").mkdir()
    for suffix in ("svg", "png", "csv"):
        Path(f"results/figures/speedup.{suffix}").touch()
    date_back(-1, "timings.parquet", "summary.csv", "figures/speedup.*", "report.html")
    return synthetic.study(*made, figures=["speedup"])


def date_back(seconds, *patterns):
    """Make results older than the oldest record by so many seconds."""
    date = min(path.stat().st_mtime for path in Path("results/runs").rglob("*.json")) - seconds
    for file in (file for pattern in patterns for file in Path("results").glob(pattern)):
        os.utime(file, (date, date))


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


def test_a_probe_that_failed_is_told_beside_the_runs(study):
    Path("results/probe.json").unlink()
    Path(study.runs[0].record).unlink()
    log("probe.log", "warpath: kernels/probe.cu:1:1: expected unqualified-id")
    date_back(1, "timings.parquet", "summary.csv", "figures/*", "report.html")
    run, probe = failures.of(study)
    assert run[1] == "not run yet"
    assert probe == ("the probe", "kernels/probe.cu:1:1: expected unqualified-id", "logs/probe.log")


@pytest.mark.parametrize(
    "what, file, step",
    [
        ("the tables", "summary.csv", "gather.log"),
        ("figure speedup", "figures/speedup.svg", "figures/speedup.log"),
        ("the report", "report.html", "report.log"),
    ],
)
def test_a_table_figure_or_page_that_failed_tells_its_last_line(study, what, file, step):
    log(step, "Traceback (most recent call last):", '  File "x.py", line 1', "ValueError: no ink")
    assert failures.of(study) == []  # made since, by hand
    date_back(1, "timings.parquet", "summary.csv", "figures/*", "report.html")  # as what is salvaged is
    assert failures.of(study) == [(what, "ValueError: no ink", f"logs/{step}")]
    Path("results", file).unlink()
    assert failures.of(study) == [(what, "ValueError: no ink", f"logs/{step}")]


def test_results_that_were_salvaged_are_told_though_no_log_says_why(study):
    log("gather.log", "2 runs, 40 samples: 2 ok")
    date_back(1, "timings.parquet", "summary.csv", "figures/*", "report.html")
    assert failures.of(study) == [("the tables", "missing or out of date", "")]


def test_a_job_that_never_began_has_its_reason_in_the_log_of_the_workflow(study):
    """Its own log is of an earlier time, when it went well."""
    Path(study.runs[0].record).unlink()
    log("runs/rome99/bfs/level/b64.log", "bfs/level rome99 b64 on host: ok, median 1.000 ms of 20")
    newest = ".snakemake/log/2026-11-22T013105.272937.snakemake.log"
    for name in (newest, newest.replace("T01", "T00")):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).touch()
    assert failures.of(study) == [("bfs/level b64 on rome99", "not run yet", newest)]
    Path("resources/graphs/rome99/vertices.parquet").unlink()
    assert failures.of(study) == [("graph rome99", "not made yet", newest)]
