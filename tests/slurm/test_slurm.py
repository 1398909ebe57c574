"""Real jobs of a real Slurm, with profiles/slurm: a study from end to end, and what goes wrong on clusters."""

import collections
import json
import re
import shutil
import signal
import time
from pathlib import Path

import pytest
from slurm.cluster import Cluster, reason_against

from warpath.graphs import memory

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(reason_against()), reason=str(reason_against())),
    pytest.mark.timeout(400),
]

STUDY = """
title: A tiny study
runs:
  - graphs: [tiny-path]
    algorithms: [bfs/spy, bfs/cpu_queue]
    launches: {block: [64, 128, 256, 512]}
figures: [time_by_algorithm]
"""
RUNS, BASELINES = 4, 1
SNAKEMAKE = 164  # MB that a Snakemake process takes, measured; a job has two of them

# Options that a profile for a real cluster does not have: there is no accounting here, and tests should not wait long.
IMPATIENT = [
    *("--workflow-profile", "profiles/slurm", "--slurm-status-command", "squeue"),
    *("--slurm-init-seconds-before-status-checks", "1", "--seconds-between-status-checks", "1", "--latency-wait", "5"),
]
QUICK = [*IMPATIENT, "--set-resources", "measure_run:gpu=1", "--config", "device=host"]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("slurm"))
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


def plan_on(cluster, checkout):
    """Give the checkout a study whose runs tell where they were, and commands that reach the test's cluster."""
    shutil.copy(Path(__file__).with_name("spy.py"), checkout.folder / "kernels/bfs/spy.py")
    checkout.write("seconds", "0")
    checkout.write("tiny.yaml", STUDY)
    checkout.environment |= {name: cluster.environment[name] for name in ("SLURM_CONF", "PATH")}
    return checkout


@pytest.fixture
def new_study(checkout, cluster):
    """A study on the cluster of which nothing has been run."""
    yield plan_on(cluster, checkout)
    cluster.run("scancel", "--user", "root")


@pytest.fixture
def study(finished, cluster):
    """A study on the cluster whose graph, oracle and probe are there and whose runs are missing."""
    shutil.rmtree(finished.folder / "results/runs")
    yield plan_on(cluster, finished)
    cluster.run("scancel", "--user", "root")


def submit(study, *arguments):
    workflow = study.start("results/summary.csv", *QUICK, *arguments)
    output, _ = workflow.communicate(timeout=200)
    return workflow.returncode, output


def statuses(study):
    return collections.Counter(row[4] for row in study.table())


def wait(condition, workflow, seconds=90):
    end = time.monotonic() + seconds
    while not (met := condition()):
        assert workflow.poll() is None, workflow.communicate()[0]
        if time.monotonic() > end:
            workflow.kill()
            pytest.fail("this took too long:\n" + workflow.communicate()[0])
        time.sleep(0.1)
    return met


def test_a_study_becomes_job_arrays_and_no_two_runs_share_a_gpu(new_study, cluster):
    study = new_study
    study.write("seconds", "1.5")
    code, output = submit(study)
    assert code == 0, output
    assert statuses(study) == {"ok": RUNS + BASELINES}

    places = [json.loads(line) for line in study.read("places.jsonl").splitlines()]
    assert len(places) == RUNS
    assert {device for device, *_ in places} == {"0", "1"}
    for device, begin, end, _ in places:
        beside = [other for other in places if other[1] < end and begin < other[2]]
        assert len(beside) <= 2
        assert [other[0] for other in beside].count(device) == 1
    assert all(task for *_, task in places)
    assert len(re.findall("Submitted array job", output)) <= 2 + 2
    asked = re.findall(r"MinMemoryNode=(\d+)M", cluster.run("scontrol", "show", "job"))
    assert min(map(int, asked)) >= memory.INTERPRETER + 2 * SNAKEMAKE
    assert "Nothing to be done" in submit(study)[1]


def test_a_site_that_wants_gres_gets_it_for_the_probe_too(study, cluster):
    """By the lines of the profile, uncommented; the test's GPUs have no type."""
    study.remove("results/probe.json")
    profile = study.read("profiles/slurm/config.yaml").replace("gpu:h200:1'\"", "gpu:1'\"")
    for line in ("measure_run: &one_gpu", "  gpu: 0", "  gres: ", "probe_device: *one_gpu"):
        profile = profile.replace(f"  # {line}", f"  {line}", 1)
    study.write("profiles/slurm/config.yaml", profile)
    targets = "results/probe.json", "results/runs/tiny-path/bfs/spy/b64.json"
    output, _ = study.start(*targets, *IMPATIENT, "--config", "device=host").communicate(timeout=200)
    jobs = cluster.run("scontrol", "show", "job", "--oneliner").splitlines()
    ours = [job for job in jobs if f"WorkDir={study.folder} " in job]
    for rule in ("probe_device", "measure_run"):
        (asked,) = (re.findall(r"TresPer(\w+)=gres.gpu:1 ", job) for job in ours if f"Comment=rule_{rule}" in job)
        assert asked == ["Node"], output  # with --gpus it would be "Job"
    assert all((study.folder / target).exists() for target in targets), output


def test_lost_jobs_cost_only_themselves_and_a_rerun_does_only_them(study, cluster):
    """First a task is cancelled and slurmd is killed and started again; then the node fails."""
    study.write("seconds", "2")
    workflow = study.start("results/summary.csv", *QUICK)
    running = wait(lambda: [job for job in cluster.queue("RUNNING") if "_" in job], workflow)
    cluster.run("scancel", running[0])
    cluster.kill("slurmd")
    cluster.daemon("slurmd")
    output, _ = workflow.communicate(timeout=200)
    assert workflow.returncode != 0
    assert statuses(study) == {"ok": RUNS + BASELINES - 1, "missing": 1}, output
    study.write("config/config.yaml", study.read("config/config.yaml").replace("device: auto", "device: cuda"))
    assert "--workflow-profile profiles/slurm" in study.warpath("failures", "--study", "tiny.yaml").stdout

    workflow = study.start("results/summary.csv", *QUICK)
    wait(lambda: cluster.queue("RUNNING"), workflow)
    cluster.node("down")
    output, _ = workflow.communicate(timeout=200)
    cluster.node("resume")
    assert workflow.returncode != 0
    assert statuses(study) == {"ok": RUNS + BASELINES - 1, "missing": 1}, output

    code, output = submit(study)
    assert code == 0, output
    assert len(re.findall("Job .* has been submitted", output)) == 1
    assert statuses(study) == {"ok": RUNS + BASELINES}


def test_jobs_of_a_killed_workflow_are_cancelled_by_the_next(study, cluster, tmp_path):
    """Neither the user's own job from this folder nor a workflow's job from another folder is cancelled."""
    sleep = ["sbatch", "--wrap=sleep 100", "--hold"]
    own = cluster.run(*sleep, "--parsable", f"--chdir={study.folder}", "--job-name=my-own").strip()
    other = cluster.run(*sleep, "--parsable", f"--chdir={tmp_path}", "--job-name=warpath_other").strip()
    study.write("seconds", "100")
    workflow = study.start("results/summary.csv", *QUICK)
    wait(lambda: [job for job in cluster.queue("RUNNING") if "_" in job], workflow)
    workflow.kill()
    workflow.communicate()
    assert [job for job in cluster.queue() if "_" in job]

    study.write("seconds", "0")
    code, output = submit(study)
    assert code == 0, output
    assert "cancelled jobs of a workflow that was killed" in output
    assert statuses(study) == {"ok": RUNS + BASELINES}
    assert set(cluster.queue()) == {own, other}


def test_limits_under_which_arrays_would_wait_for_ever_are_refused(study):
    for limit in (["--jobs", "3"], ["--resources", "gpu=2"], ["--max-jobs-per-timespan", "5/1s"]):
        code, output = submit(study, *limit)
        assert code != 0
        assert "slurm-array-jobs exclude each other" in output.splitlines()[-1]


def test_ctrl_c_cancels_submitted_jobs(study, cluster):
    study.write("seconds", "60")
    workflow = study.start("results/summary.csv", *QUICK)
    wait(lambda: [job for job in cluster.queue("RUNNING") if "_" in job], workflow)
    workflow.send_signal(signal.SIGINT)
    workflow.communicate(timeout=100)
    assert workflow.returncode != 0
    end = time.monotonic() + 30
    while cluster.queue() and time.monotonic() < end:
        time.sleep(0.2)
    assert not cluster.queue()
