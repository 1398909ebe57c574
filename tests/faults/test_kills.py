"""SIGKILL at random moments; `python tests/faults/storm.py --kills 50` is the long version."""

import os
import signal
import time

import pytest
from faults.storm import VICTIMS, Storm


@pytest.mark.timeout(1200)
def test_after_every_kill_a_plain_rerun_completes_what_is_missing_and_repeats_nothing(checkout):
    storm = Storm(checkout, seed=1)
    storm.rage(2 * len(VICTIMS))
    assert {victim: storm.hits[victim] for victim in VICTIMS} == dict.fromkeys(VICTIMS, 2), storm.told()
    assert storm.redone <= 4, storm.told()


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_every_job_and_a_rerun_goes_on(checkout, ending):
    workflow = checkout.start("results/summary.csv", "--cores", "1", "--resources", "gpu=1")
    while not list(checkout.folder.glob("results/runs/*/*/*/*.json")):
        assert workflow.poll() is None, workflow.communicate()[0]
        time.sleep(0.05)
    os.killpg(workflow.pid, ending) if ending == signal.SIGINT else workflow.terminate()
    workflow.communicate(timeout=60)
    assert workflow.returncode != 0
    assert checkout.ended(), checkout.processes()
    kept = {path: path.stat().st_mtime_ns for path in checkout.folder.glob("results/runs/*/*/*/*.json")}

    checkout.snakemake("results/summary.csv")
    assert {row[4] for row in checkout.table()} == {"ok"}
    again = [path for path, date in kept.items() if path.stat().st_mtime_ns != date]
    assert len(again) <= 1


def test_a_second_workflow_in_the_same_folder_is_refused_in_one_line_and_disturbs_nothing(checkout):
    first = checkout.start("results/summary.csv", "--cores", "1", "--resources", "gpu=1")
    lock = checkout.folder / ".snakemake/warpath.lock"
    while not (lock.exists() and lock.read_text()):
        assert first.poll() is None, first.communicate()[0]
        time.sleep(0.02)
    os.killpg(first.pid, signal.SIGSTOP)  # however slow the second one is, the first is still at it
    second = checkout.snakemake("results/summary.csv", check=False)
    assert second.returncode != 0
    line = second.stdout.strip().splitlines()[-1]
    assert line.startswith(f"warpath: a workflow is running in {checkout.folder} (process {first.pid} on ")
    assert line.endswith("; wait until it ends")
    assert checkout.snakemake("results/summary.csv", "--dry-run").returncode == 0
    os.killpg(first.pid, signal.SIGCONT)
    output, _ = first.communicate()
    assert first.returncode == 0, output
    assert "Nothing to be done" in checkout.snakemake("results/summary.csv").stdout
