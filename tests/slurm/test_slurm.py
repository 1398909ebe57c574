"""Real jobs of a real Slurm, with profiles/slurm: a study from end to end, and what goes wrong on clusters."""

import collections
import json
import re
import signal
import time

import pytest
from slurm.cluster import Cluster, reason_against

from warpath.graphs import memory

pytestmark = [
    pytest.mark.skipif(bool(reason_against()), reason=str(reason_against())),
    pytest.mark.timeout(400),
]

STUDY = """
title: A tiny study
runs:
  - graphs: [tiny-path, tiny-star]
    algorithms: [bfs/level, bfs/cpu_queue]
    launches: {block: [64, 128, 256]}
figures: [time_by_algorithm]
"""
RUNS, BASELINES = 6, 2
SNAKEMAKE = 164  # MB that one takes, measured: there are two around every job

# What a profile for a real cluster would not have: no accounting, and a test that does not wait for the next look.
IMPATIENT = [
    *("--workflow-profile", "profiles/slurm", "--slurm-status-command", "squeue"),
    *("--slurm-init-seconds-before-status-checks", "1", "--seconds-between-status-checks", "1", "--latency-wait", "5"),
]
QUICK = [*IMPATIENT, "--set-resources", "measure_run:gpu=1", "--config", "device=host"]

# Each run says where and when it was, and takes a while, so that two would meet on one GPU if they could.
SPY = """
def level(device, graph, launch):
    import json, os, time
    begin = time.time()
    time.sleep({seconds})
    with open("places.jsonl", "a") as file:
        place = os.environ.get("CUDA_VISIBLE_DEVICES"), begin, time.time(), os.environ.get("SLURM_ARRAY_TASK_ID")
        file.write(json.dumps(place) + chr(10))
    return plain_level(device, graph, launch)

level.described = plain_level.described
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    started = Cluster(tmp_path_factory.mktemp("slurm"))
    yield started
    started.stop()


@pytest.fixture
def study(checkout, cluster):
    """A checkout whose commands reach the test's cluster."""
    checkout.write("tiny.yaml", STUDY)
    checkout.environment |= {name: cluster.environment[name] for name in ("SLURM_CONF", "PATH")}
    yield checkout
    cluster.run("scancel", "--user", "root")


def slowly(study, seconds):
    source = study.read("kernels/bfs/level.py")
    study.write(
        "kernels/bfs/level.py", source.replace("def level(", "def plain_level(", 1) + SPY.format(seconds=seconds)
    )


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


def test_a_study_becomes_job_arrays_and_no_two_runs_share_a_gpu(study, cluster):
    slowly(study, 1.5)
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
    """The lines of the profile, uncommented; the test's GPUs have no type."""
    profile = study.read("profiles/slurm/config.yaml").replace("gpu:h200:1'\"", "gpu:1'\"")
    for line in ("measure_run: &one_gpu", "  gpu: 0", "  gres: ", "probe_device: *one_gpu"):
        profile = profile.replace(f"  # {line}", f"  {line}", 1)
    study.write("profiles/slurm/config.yaml", profile)
    targets = "results/probe.json", "results/runs/tiny-path/bfs/level/b64.json"
    output, _ = study.start(*targets, *IMPATIENT, "--config", "device=host").communicate(timeout=200)
    jobs = cluster.run("scontrol", "show", "job", "--oneliner").splitlines()
    ours = [job for job in jobs if f"WorkDir={study.folder} " in job]
    for rule in ("probe_device", "measure_run"):
        (asked,) = (re.findall(r"TresPer(\w+)=gres.gpu:1 ", job) for job in ours if f"Comment=rule_{rule}" in job)
        assert asked == ["Node"], output  # --gpus is for the Job
    assert all((study.folder / target).exists() for target in targets), output


def test_what_goes_wrong_costs_itself_alone_and_a_rerun_does_only_that(study, cluster):
    """A task is cancelled, slurmd is killed and started again, and the node fails: twice, three kinds of loss."""
    slowly(study, 2)
    workflow = study.start("results/summary.csv", *QUICK)
    spotted = wait(lambda: [job for job in cluster.queue("RUNNING") if "_" in job], workflow)
    cluster.run("scancel", spotted[0])
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


def test_what_a_killed_workflow_left_in_the_queue_is_cancelled_by_the_next(study, cluster, tmp_path):
    """And nothing else is: neither a job of the user's own from this folder nor one of a workflow in another."""
    sleep = ["sbatch", "--wrap=sleep 100", "--hold"]
    own = cluster.run(*sleep, "--parsable", f"--chdir={study.folder}", "--job-name=my-own").strip()
    other = cluster.run(*sleep, "--parsable", f"--chdir={tmp_path}", "--job-name=warpath_other").strip()
    source = study.read("kernels/bfs/level.py")
    slowly(study, 100)
    workflow = study.start("results/summary.csv", *QUICK)
    wait(lambda: [job for job in cluster.queue("RUNNING") if "_" in job], workflow)
    workflow.kill()
    workflow.communicate()
    assert [job for job in cluster.queue() if "_" in job]

    study.write("kernels/bfs/level.py", source)
    code, output = submit(study)
    assert code == 0, output
    assert "cancelled jobs of a workflow that was killed" in output
    assert statuses(study) == {"ok": RUNS + BASELINES}
    assert set(cluster.queue()) == {own, other}


def test_a_limit_that_would_make_arrays_wait_for_ever_is_refused(study):
    for limit in (["--jobs", "3"], ["--resources", "gpu=2"], ["--max-jobs-per-timespan", "5/1s"]):
        code, output = submit(study, *limit)
        assert code != 0
        assert "slurm-array-jobs exclude each other" in output.splitlines()[-1]


def test_ctrl_c_cancels_what_was_submitted(study, cluster):
    slowly(study, 60)
    workflow = study.start("results/summary.csv", *QUICK)
    wait(lambda: [job for job in cluster.queue("RUNNING") if "_" in job], workflow)
    workflow.send_signal(signal.SIGINT)
    workflow.communicate(timeout=100)
    assert workflow.returncode != 0
    end = time.monotonic() + 30
    while cluster.queue() and time.monotonic() < end:
        time.sleep(0.2)
    assert not cluster.queue()
