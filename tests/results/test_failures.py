"""The failures of a study: runs, the steps before them, and the results made from them."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import synthetic

from warpath.results import failures


@pytest.fixture
def study(tmp_path, monkeypatch):
    """Two runs with valid records, their graph, their oracle, and all results."""
    monkeypatch.chdir(tmp_path)
    records = [synthetic.record(launch=launch) for launch in ("b64", "b256")]
    synthetic.write(tmp_path / "results/runs", *records)
    for file in ("graphs/rome99/vertices", "oracles/rome99/bfs"):
        (tmp_path / f"resources/{file}.parquet").parent.mkdir(parents=True)
        (tmp_path / f"resources/{file}.parquet").touch()
    for file in ("probe.json", "timings.parquet", "summary.csv", "report.html"):
        Path("results", file).touch()
    Path("results/figures").mkdir()
    for suffix in ("svg", "png", "csv"):
        Path(f"results/figures/speedup.{suffix}").touch()
    date_back(-1, "timings.parquet", "summary.csv", "figures/speedup.*", "report.html")
    return synthetic.study(*records, figures=["speedup"])


def date_back(seconds, *patterns):
    """Date results this many seconds before the oldest record."""
    date = min(path.stat().st_mtime for path in Path("results/runs").rglob("*.json")) - seconds
    for file in (file for pattern in patterns for file in Path("results").glob(pattern)):
        os.utime(file, (date, date))


def log(step, *lines):
    file = Path("logs", step)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines) + "\n")


def test_complete_study_has_no_failures(study):
    log("download/rome99/rome99.gr.log", "warpath: first address: not found")  # the second address had it
    Path("resources/downloads/rome99").mkdir(parents=True)
    Path("resources/downloads/rome99/rome99.gr").touch()
    assert failures.of(prepared_from(study, ("rome99", "rome99.gr"))) == []


def prepared_from(study, *downloads):
    """The study with graphs that are prepared from these downloads, each (folder, file)."""
    return replace(study, runs=tuple(replace(run, downloads=downloads) for run in study.runs))


def test_failed_download_behind_old_records_is_listed_once(study):
    study = prepared_from(study, ("rome99", "rome99.gr"))
    log("download/rome99/rome99.gr.log", "warpath: rome99: no address gave the file")
    (failure,) = failures.of(study)
    assert failure == ("graph rome99", "rome99: no address gave the file", "logs/download/rome99/rome99.gr.log")


def test_downloads_that_graphs_share_are_looked_up_in_their_folder(study):
    log("download/base/rome99.gr.log", "warpath: base: no address gave the file")
    (failure,) = failures.of(prepared_from(study, ("base", "rome99.gr")))
    assert failure.what == "graph rome99" and failure.log == "logs/download/base/rome99.gr.log"


def test_a_file_that_nothing_needs_any_more_is_not_listed(study):
    log("download/rome99/old-name.gr.log", "warpath: old-name.gr: damaged")
    assert failures.of(prepared_from(study, ("rome99", "rome99.gr"))) == []


def test_crashed_step_is_listed_with_the_last_line_of_its_log(study):
    Path("resources/oracles/rome99/bfs.parquet").unlink()
    log("oracle/rome99/bfs.log", "Traceback (most recent call last):", '  File "x.py", line 1', "MemoryError", "")
    (failure,) = failures.of(study)
    assert failure == ("bfs answers for rome99", "MemoryError", "logs/oracle/rome99/bfs.log")


def test_record_of_another_run_is_a_failure_on_any_device(study):
    first, second = (run.record for run in study.runs)
    elsewhere = tuple(replace(run, device="cuda") for run in study.runs)
    assert failures.of(replace(study, runs=elsewhere)) == []
    shutil.copy(first, second)
    (failure,) = failures.of(study)
    assert "is about launch" in failure.why


def test_failed_probe_is_listed_beside_the_runs(study):
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
def test_failed_result_is_listed_with_the_last_line_of_its_log(study, what, file, step):
    log(step, "Traceback (most recent call last):", '  File "x.py", line 1', "ValueError: no ink")
    assert failures.of(study) == []  # repeated by hand since
    date_back(1, "timings.parquet", "summary.csv", "figures/*", "report.html")  # as `salvage` does
    assert failures.of(study) == [(what, "ValueError: no ink", f"logs/{step}")]
    Path("results", file).unlink()
    assert failures.of(study) == [(what, "ValueError: no ink", f"logs/{step}")]


def test_salvaged_results_are_listed_without_an_error_in_a_log(study):
    log("gather.log", "2 runs, 40 samples: 2 ok")
    date_back(1, "timings.parquet", "summary.csv", "figures/*", "report.html")
    assert failures.of(study) == [("the tables", "missing or out of date", "")]


def test_job_that_never_began_refers_to_the_log_of_the_workflow(study):
    """Its own log is of an earlier run, which succeeded."""
    Path(study.runs[0].record).unlink()
    log("runs/rome99/bfs/level/b64.log", "bfs/level rome99 b64 on host: ok, median 1.000 ms of 20")
    newest = ".snakemake/log/2026-11-22T013105.272937.snakemake.log"
    for name in (newest, newest.replace("T01", "T00")):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).touch()
    assert failures.of(study) == [("bfs/level b64 on rome99", "not run yet", newest)]
    Path("resources/graphs/rome99/vertices.parquet").unlink()
    assert failures.of(study) == [("graph rome99", "not made yet", newest)]
