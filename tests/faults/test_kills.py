"""Kills and signals at any moment: no process goes on, and a rerun completes what is missing and repeats nothing."""

import os
import re
import shutil
import signal

import pytest
from checkouts import LOCAL, RECORD, RECORDS, TABLE
from faults.storm import VICTIMS, Storm
from waits import while_running

from warpath.base import folder


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_rerun_after_every_kill_completes_what_is_missing_and_repeats_nothing(checkout):
    """The short version of `python tests/faults/storm.py --kills 50`."""
    storm = Storm(checkout, seed=1)
    storm.rage(2 * len(VICTIMS))
    assert {victim: storm.hits[victim] for victim in VICTIMS} == dict.fromkeys(VICTIMS, 2), storm.account()
    assert storm.redone <= 4, storm.account()


@pytest.mark.parametrize("ending", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_signal_ends_every_job_and_a_rerun_goes_on(finished, ending):
    for measured in ("runs", "kept"):
        shutil.rmtree(finished.folder / "results" / measured)
    finished.remove(TABLE)
    workflow = finished.start(TABLE, *LOCAL)
    while_running(workflow, lambda: list(finished.folder.glob(RECORDS)))
    os.killpg(workflow.pid, ending) if ending == signal.SIGINT else workflow.terminate()
    output, _ = workflow.communicate(timeout=60)
    assert workflow.returncode != 0
    assert re.search(r"\d+ of \d+ runs are kept; the same command goes on with the other \d+\.", output), output
    assert finished.ended(), finished.processes()
    kept = {path: path.stat().st_mtime_ns for path in finished.folder.glob(RECORDS)}

    finished.snakemake(TABLE)
    assert {row[4] for row in finished.table()} == {"ok"}
    repeated = [path for path, date in kept.items() if path.stat().st_mtime_ns != date]
    assert len(repeated) <= 1


def test_a_second_workflow_in_the_same_folder_is_refused_in_one_line_and_disturbs_nothing(finished):
    finished.remove(RECORD, TABLE, folder.OWNER)
    lock = finished.folder / folder.OWNER
    first = finished.start(TABLE, *LOCAL)
    while_running(first, lambda: lock.exists() and lock.read_text())
    os.killpg(first.pid, signal.SIGSTOP)  # however slow the second one is, the first has not ended
    second = finished.snakemake(TABLE, check=False)
    assert second.returncode != 0
    line = second.stdout.strip().splitlines()[-1]
    assert line.startswith(f"warpath: a workflow is running in {finished.folder} (process {first.pid} on ")
    assert line.endswith("; wait until it ends")
    assert finished.dry_run(TABLE)[0] == 0
    os.killpg(first.pid, signal.SIGCONT)
    output, _ = first.communicate()
    assert first.returncode == 0, output
    assert not finished.jobs(TABLE)
