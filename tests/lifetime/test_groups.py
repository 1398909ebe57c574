"""Runs that share a job of a cluster: what the job requests, and how each run ends when the job does."""

import os
from pathlib import Path
from threading import Lock
from types import SimpleNamespace

import pytest
from snakemake.resources import GroupResources, Resources

from warpath.base.errors import UserError
from warpath.lifetime import groups, slurm


class Run(SimpleNamespace):
    __hash__ = object.__hash__

    def __init__(self, name, **resources):
        files = {"output": [f"results/runs/g/bfs/a/{name}.json"], "log": [f"logs/{name}.log"]}
        super().__init__(**files, name=name, resources=SimpleNamespace(**resources, items=resources.items))
        self.pipe_group = None

    def is_group(self):
        return False

    def log_error(self):
        pass


class Group(list):
    __hash__ = object.__hash__
    groupid, global_resources = "runs-g-bfs", {}

    def is_group(self):
        return True

    def finalize(self):
        pass


@pytest.fixture
def job(tmp_path, monkeypatch):
    """A group of four runs that is running: `ok` is measured, `failed` has begun, `late` and `later` have not."""
    monkeypatch.chdir(tmp_path)
    for folder in ("results/runs/g/bfs/a", "logs"):
        Path(folder).mkdir(parents=True)
    return Group(map(Run, ["ok", "failed", "late", "later"]))


@pytest.fixture
def scheduler(job):
    """Snakemake's scheduler as far as groups need it; `ended` and `ready` are what they make of a job."""
    ended = []
    dag = SimpleNamespace(_group=dict.fromkeys(job, job), _running={job}, _ready_jobs=set())
    dag.group_job_factory = SimpleNamespace(new=lambda _, members, __: Group(members))
    return SimpleNamespace(
        workflow=SimpleNamespace(dag=dag),
        running={job},
        ended=ended,
        finish_callback=lambda member: ended.append((member.name, True)),
        error_callback=lambda member: ended.append((member.name, False)),
        update_available_resources=lambda members: None,
        _free_resources=lambda group: None,
        _executor=SimpleNamespace(print_job_error=None),
        _lock=Lock(),
    )


def touch(file, nanoseconds=1):
    Path(file).touch()
    os.utime(file, ns=(nanoseconds, nanoseconds))


def names(jobs):
    return {job.name for job in jobs}


def test_each_run_ends_for_itself_and_those_that_never_began_are_submitted_again(scheduler, job):
    ok, failed, late, _ = job
    for file in (*ok.output, *failed.output, *late.output, *late.log, *failed.log):
        touch(file)  # of an earlier workflow
    with groups.ending_one_by_one(scheduler):
        for file in (*ok.output, *ok.log, *failed.log):
            touch(file, 2)
        Path(*failed.output).unlink()
        scheduler.error_callback(job)
        assert dict(scheduler.ended) == {"ok": True, "failed": False}
        assert names(scheduler.running) == names(scheduler.workflow.dag._running) == {"ok", "failed"}
        (again,) = scheduler.workflow.dag._ready_jobs
        assert names(again) == {"late", "later"}
        scheduler.running.clear()


def test_a_job_of_which_no_run_began_is_not_submitted_again(scheduler, job):
    with groups.ending_one_by_one(scheduler):
        scheduler.error_callback(job)
        assert scheduler.ended == [(run.name, False) for run in job]
        assert not scheduler.workflow.dag._ready_jobs
        scheduler.running.clear()


def test_all_runs_of_a_job_that_ends_well_succeed(scheduler, job):
    with groups.ending_one_by_one(scheduler):
        scheduler.finish_callback(job)
        assert scheduler.ended == [(run.name, True) for run in job]
        scheduler.running.clear()


def test_groups_of_other_rules_are_left_alone(scheduler, job):
    job[0].output = ["elsewhere.json"]
    job.name = "a group"
    with groups.ending_one_by_one(scheduler):
        scheduler.error_callback(job)
    assert scheduler.ended == [("a group", False)]


@pytest.fixture
def requested(monkeypatch):
    """What Snakemake requests for a group of these jobs."""
    monkeypatch.setattr(GroupResources, "basic_layered", GroupResources.basic_layered)
    groups.request_resources_of_one_run()
    return lambda *jobs: GroupResources.basic_layered(
        toposorted_jobs=[jobs], constraints=Resources(), run_local=False, additive_resources=["runtime"]
    )


def test_a_group_requests_the_most_of_any_run_and_the_time_of_all(requested):
    runs = [Run("a", gpu=1, _cores=1, mem_mb=900, runtime=30), Run("b", gpu=1, _cores=1, mem_mb=700, runtime=40)]
    asked = requested(*runs)
    assert {name: asked[name] for name in ("gpu", "_cores", "mem_mb", "runtime")} == {
        **{"gpu": 1, "_cores": 1, "mem_mb": 900},
        **{"runtime": 70},
    }
    assert asked["slurm_extra"].strip() == "--time-min=40"


def test_the_time_of_a_group_is_limited_unless_one_run_needs_more(requested):
    assert requested(*(Run(str(number), runtime=30) for number in range(40)))["runtime"] == groups.MOST_MINUTES
    assert requested(Run("a", runtime=999), Run("b", runtime=30))["runtime"] == 999


def test_options_of_a_site_are_kept(requested):
    run = Run("a", runtime=30, slurm_extra="--exclusive")
    assert requested(run)["slurm_extra"] == "--exclusive --time-min=30"


def test_job_arrays_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = SimpleNamespace(array_jobs="measure_run")
    with pytest.raises(UserError, match=r"slurm-array-jobs: .* groups of runs instead; take `groups`"):
        slurm.check(SimpleNamespace(local_exec=False, executor_settings=settings))
