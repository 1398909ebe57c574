"""The failures of a study: runs, the steps before them, and the results made from them."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import synthetic

from warpath.base import outcome, places
from warpath.results import failures

RUN, LOG = "bfs/level b64 on rome99", places.log("runs/rome99/bfs/level/b64")


@pytest.fixture
def study(begin):
    """Two runs with valid records, prepared from one download, and all results."""
    planned = begin(*(synthetic.record(launch=launch) for launch in ("b64", "b256")), figures=["speedup"])
    for file in (places.TIMINGS, places.SUMMARY, places.REPORT, *places.figure_files("speedup")):
        Path(file).parent.mkdir(exist_ok=True)
        Path(file).touch()
    return replace(planned, runs=tuple(replace(run, downloads=(("base", "rome99.gr"),)) for run in planned.runs))


def log(step, *lines):
    file = Path(places.log(step))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines) + "\n")


def test_complete_study_has_no_failures(study):
    log("download/base/rome99.gr", "warpath: first address: not found")  # the second address had it
    for made in (places.download("base", "rome99.gr"), places.prepared("rome99"), places.PROBE):
        outcome.write(places.outcome(made), None)
    outcome.write(places.outcome(places.download("base", "old-name.gr")), "nothing needs it any more")
    assert failures.find(study) == []


@pytest.mark.parametrize(
    ("made", "what", "step"),
    [
        (places.download("base", "rome99.gr"), "graph rome99", "download/base/rome99.gr"),
        (places.prepared("rome99"), "graph rome99", "prepare/rome99"),
        (places.oracle("rome99", "bfs"), "bfs answers for rome99", "oracle/rome99/bfs"),
        (places.PROBE, "the probe", "probe"),
        (places.figure("speedup", "svg"), "figure speedup", "figures/speedup"),
    ],
)
def test_failed_step_is_listed_once_with_its_error(study, made, what, step):
    outcome.write(places.outcome(made), "the disk is full")
    assert failures.find(study) == [(what, "the disk is full", places.log(step))]


def test_failed_run_is_listed_with_the_error_of_its_record(study):
    failed = synthetic.record(launch="b64", status="failed", error="boom")
    synthetic.write(places.RECORDS, failed)
    outcome.write(places.outcome(places.figure("speedup", "svg")), "no run to draw")
    assert failures.find(study) == [(RUN, "boom", LOG)]


def test_only_what_should_be_exact_is_wrong(study):
    synthetic.write(places.RECORDS, synthetic.record(launch="b64", status="wrong", exact=False))
    assert failures.find(study) == [] and failures.wrong(study) == ""
    synthetic.write(places.RECORDS, synthetic.record(launch="b64", status="wrong", error="17 wrong vertices"))
    assert failures.find(study) == [(RUN, "17 wrong vertices", LOG)]
    assert failures.wrong(study) == "bfs/level (1)"


def test_record_of_another_run_or_a_damaged_one_is_a_failure_on_any_device(study):
    first, second = (run.record for run in study.runs)
    elsewhere = tuple(replace(run, device="cuda") for run in study.runs)
    assert failures.find(replace(study, runs=elsewhere)) == []
    shutil.copy(first, second)
    (failure,) = failures.find(study)
    assert "is about launch" in failure.why
    Path(second).write_text(Path(first).read_text()[:100])
    (failure,) = failures.find(study)
    assert failure.what == RUN.replace("b64", "b256") and "not valid JSON" in failure.why


@pytest.mark.parametrize(
    ("what", "file", "step"),
    [
        ("the tables", places.SUMMARY, "gather"),
        ("figure speedup", places.figure("speedup", "csv"), "figures/speedup"),
        ("the report", places.REPORT, "report"),
    ],
)
def test_result_that_is_missing_is_listed_with_the_last_error_in_its_log(study, what, file, step):
    log(step, "Traceback (most recent call last):", '  File "x.py", line 1', "ValueError: no ink")
    assert failures.find(study) == []  # repeated by hand since
    Path(file).unlink()
    assert failures.find(study) == [(what, "ValueError: no ink", places.log(step))]
    log(step, "warpath: the disk is full", "and more")
    assert failures.find(study) == [(what, "the disk is full", places.log(step))]
    log(step, "2 runs, 40 samples: 2 ok")
    assert failures.find(study) == [(what, "not made yet", "")]


def test_job_that_never_began_refers_to_the_log_of_the_workflow(study):
    """Its own log is of an earlier run, which succeeded."""
    Path(study.runs[0].record).unlink()
    log("runs/rome99/bfs/level/b64", "bfs/level rome99 b64 on host: ok, median 1.000 ms of 20")
    newest = ".snakemake/log/2026-11-22T013105.272937.snakemake.log"
    for name in (newest, newest.replace("T01", "T00")):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).touch()
    assert failures.find(study) == [(RUN, "not run yet", newest)]
