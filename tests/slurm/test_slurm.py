"""Real jobs of a real Slurm, with profiles/slurm: a study from end to end, and what goes wrong on clusters."""

import collections
import json
import os
import re
import shutil
import signal
import time
from pathlib import Path

import checkouts
import pytest
from slurm.cluster import Cluster, reason_against
from waits import while_running, within

from warpath.graphs import memory

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(reason_against()), reason=str(reason_against())),
    pytest.mark.timeout(400),
]

STUDY = checkouts.TINY.replace("bfs/level", "bfs/spy").replace("[64, 128]", "[64, 128, 256, 512]")
RUNS, BASELINES = 8, 2
GROUPS = 4  # runs and baselines, on each of two graphs

# Options that a profile for a real cluster does not have: there is no accounting here, and tests should not wait long.
IMPATIENT = [
    *("--workflow-profile", "profiles/slurm", "--slurm-status-command", "squeue"),
    *("--slurm-init-seconds-before-status-checks", "1", "--latency-wait", "5"),
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
    checkout.environment["SLURM_CONF"] = cluster.environment["SLURM_CONF"]
    checkout.environment["PATH"] = f"{cluster.folder}/bin:{os.environ['PATH']}"
    return checkout


@pytest.fixture
def new_study(checkout, cluster):
    """A study on the cluster of which nothing has been run."""
    yield plan_on(cluster, checkout)
    cluster.run("scancel", "--user", "root")


@pytest.fixture
def study(finished, cluster):
    """A study on the cluster whose graph, oracle and probe are there and whose runs are missing."""
    for measured in ("runs", "kept"):
        shutil.rmtree(finished.folder / "results" / measured)
    yield plan_on(cluster, finished)
    cluster.run("scancel", "--user", "root")


def submit(study):
    workflow = study.start("results/summary.csv", *QUICK)
    output, _ = workflow.communicate(timeout=200)
    return workflow.returncode, output


def complete(study):
    """Submit what is missing, which then takes no time, and see all of it measured; return what the workflow wrote."""
    study.write("seconds", "0")
    code, output = submit(study)
    assert code == 0, output
    assert statuses(study) == {"ok": RUNS + BASELINES}
    return output


def statuses(study):
    return collections.Counter(row[4] for row in study.table())


def records(study):
    return [json.loads(path.read_text()) for path in study.folder.glob(checkouts.RECORDS)]


def submissions(output):
    return len(re.findall("Job .* has been submitted", output))


def test_runs_share_a_job_and_one_that_fails_costs_itself_alone(new_study, cluster):
    study = new_study
    study.write("seconds", "1")
    study.write("broken", "128")
    code, output = submit(study)
    assert code == 0, output
    assert statuses(study) == {"ok": RUNS + BASELINES - 2, "failed": 2}, output
    failures = study.warpath("failures", "--study", "tiny.yaml").stdout
    for graph in ("tiny-path", "tiny-star"):
        assert f"bfs/spy b128 on {graph}: RuntimeError: broken for a test" in failures
    assert submissions(output) == len(["probe", "path", "star", "path/bfs", "star/bfs"]) + GROUPS

    places = [json.loads(line) for line in study.read("places.jsonl").splitlines()]
    shared = collections.Counter(job for job, *_ in places)
    assert list(shared.values()) == [RUNS / 2 - 1] * 2
    for gpu, begin, end in (place[3:] for place in places):  # no two runs share a GPU
        beside = [other for *_, other, begins, ends in places if begins < end and begin < ends]
        assert beside.count(gpu) == 1
        assert sum(begins <= begin < ends for *_, begins, ends in places) <= 2
    first = {record["started"] for record in records(study) if record["status"] == "ok"}

    jobs = cluster.run("scontrol", "show", "job", "--oneliner").splitlines()
    asked = [job for job in jobs if "measure_" in job]
    assert len(asked) == GROUPS
    for job in asked:
        assert f"MinMemoryNode={memory.AROUND + memory.INTERPRETER}M" in job
        assert ("TresPerJob=gres:gpu:1 " in job) == ("measure_run" in job)

    study.remove("broken")
    assert submissions(complete(study)) == 2
    assert first < {record["started"] for record in records(study)}


def test_a_site_that_wants_gres_gets_it_for_the_probe_too(study, cluster):
    """By the lines of the profile, uncommented; the test's GPUs have no type."""
    study.remove("results/probe.json.outcome")
    profile = study.read("profiles/slurm/config.yaml").replace("gpu:h200:1'\"", "gpu:1'\"")
    for line in ("measure_run: &one_gpu", "  gpu: 0", "  gres: ", "probe_device: *one_gpu"):
        profile = profile.replace(f"  # {line}", f"  {line}", 1)
    study.write("profiles/slurm/config.yaml", profile)
    targets = "results/probe.json.outcome", "results/runs/tiny-path/bfs/spy/b64.json"
    output, _ = study.start(*targets, *IMPATIENT, "--config", "device=host").communicate(timeout=200)
    jobs = cluster.run("scontrol", "show", "job", "--oneliner").splitlines()
    ours = [job for job in jobs if f"WorkDir={study.folder} " in job]
    for rule in ("probe_device", "measure_run"):
        (asked,) = (re.findall(r"TresPer(\w+)=gres.gpu:1 ", job) for job in ours if rule in job)
        assert asked == ["Node"], output  # with --gpus it would be "Job"
    assert all((study.folder / target).exists() for target in targets), output


def test_a_killed_node_costs_what_was_running_and_the_rest_is_submitted_again(study, cluster):
    study.write("seconds", "2")
    workflow = study.start("results/summary.csv", *QUICK)
    while_running(workflow, lambda: kept(study))
    cluster.kill("slurmd")  # costs nothing, if it is started again
    cluster.daemon("slurmd")
    time.sleep(0.5)
    cluster.node("down")
    while_running(workflow, lambda: not cluster.queue("RUNNING", "COMPLETING"))
    measured = kept(study)
    cluster.node("resume")
    study.write("seconds", "0")
    output, _ = workflow.communicate(timeout=200)
    assert workflow.returncode == 0, output
    assert statuses(study) == {"ok": RUNS + BASELINES}
    assert measured < {record["started"] for record in records(study)}


def test_a_job_that_cannot_begin_is_told_and_one_that_slurm_killed_stops_no_other(study, cluster):
    study.write("seconds", "4")
    cluster.run("scontrol", "update", "partitionname=gpu", "state=down")
    workflow = study.start("results/summary.csv", *QUICK, "--retries", "0")
    output = ""
    while "may never begin" not in output and workflow.poll() is None:
        output += workflow.stdout.readline()
    cluster.run("scontrol", "update", "partitionname=gpu", "state=up")
    assert re.search(r"Slurm may never begin job \d+: PartitionDown", output), output
    assert "runs go to partition gpu, squeue tells what ended" in output
    while_running(workflow, lambda: kept(study))
    listed = cluster.run("squeue", "-h", "-t", "RUNNING", "-o", "%i|%k").splitlines()
    (killed,) = [line.split("|")[0] for line in listed if "runs-tiny-path" in line]
    cluster.run("scancel", killed)
    workflow.communicate(timeout=200)
    assert workflow.returncode != 0
    failures = study.warpath("failures", "--study", "tiny.yaml").stdout
    assert f"on tiny-path: Slurm job {killed}: CANCELLED" in failures
    assert "tiny-star" not in failures
    assert submissions(complete(study)) == 1


def test_jobs_of_a_killed_workflow_are_named_by_the_next(study, cluster, tmp_path):
    """Neither the user's own job from this folder nor a workflow's job from another folder."""
    sleep = ["sbatch", "--wrap=sleep 100", "--hold"]
    own = cluster.run(*sleep, "--parsable", f"--chdir={study.folder}", "--job-name=my-own").strip()
    other = cluster.run(*sleep, "--parsable", f"--chdir={tmp_path}", "--job-name=warpath_other").strip()
    study.write("seconds", "100")
    workflow = study.start("results/summary.csv", *QUICK)
    while_running(workflow, lambda: cluster.queue("RUNNING"))
    workflow.kill()
    workflow.communicate()
    left = {*cluster.queue()} - {own, other}
    assert left

    study.write("seconds", "0")
    code, output = submit(study)
    assert code != 0
    (named,) = re.findall("jobs of a workflow that was killed here; first: scancel (.*)", output)
    assert {*named.split()} == left
    cluster.run("scancel", *left)
    assert within(lambda: {*cluster.queue()} == {own, other})
    complete(study)
    assert set(cluster.queue()) == {own, other}


def test_ctrl_c_cancels_submitted_jobs_and_keeps_what_they_measured(study, cluster):
    study.write("seconds", "4")
    workflow = study.start("results/summary.csv", *QUICK)
    while_running(workflow, lambda: kept(study))
    workflow.send_signal(signal.SIGINT)
    workflow.communicate(timeout=100)
    assert workflow.returncode != 0
    assert within(lambda: not cluster.queue())
    measured = kept(study)
    complete(study)
    assert measured <= {record["started"] for record in records(study)}


def kept(study):
    """When what is kept was measured."""
    return {json.loads(path.read_text())["started"] for path in study.folder.glob("results/kept/*.json")}
