"""A workflow that is interrupted, and interrupted again; how many jobs it may run at a time."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from warpath.base import places, processor
from warpath.lifetime import supervisor
from warpath.warm import resident


def test_a_second_interrupt_is_one_line(tmp_path):
    code = (
        "from types import SimpleNamespace\n"
        "from warpath.lifetime import supervisor\n"
        "def execute(): raise KeyboardInterrupt\n"
        "workflow = SimpleNamespace(execute=execute)\n"
        "supervisor._wrap_execution(workflow)\n"
        "workflow.execute()\n"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        cwd=tmp_path,
        env={"PYTHONPATH": str(places.WORKFLOW)},
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 130
    assert finished.stderr == ("warpath: interrupted again: ended at once; the same command continues the workflow\n")


@pytest.mark.parametrize(
    ("name", "given", "place"),
    [("", {}, None), ("", {"study": "zoo"}, "config/config.yaml or --config"), ("gpu", {}, "config of module gpu")],
)
def test_an_error_in_the_settings_says_where_they_may_be_from(name, given, place):
    workflow = SimpleNamespace(config_settings=SimpleNamespace(overwrite_config=given))
    assert supervisor._place_of_settings(workflow, SimpleNamespace(name=name)) == place


@pytest.mark.parametrize(
    ("cores", "isolation", "usable", "gpus"),
    [(4, "worker", 8, 4), (3, "worker", 8, 2), (4, "process", 8, 2), (4, "worker", 2, 2)],
)
def test_two_jobs_for_each_gpu_where_there_are_cores_for_them(monkeypatch, cores, isolation, usable, gpus):
    monkeypatch.setattr(processor, "cores", lambda: usable)
    monkeypatch.setenv(resident.MOST, "")
    scheduler = SimpleNamespace(global_resources={"_cores": cores, "gpu": 2}, resources={"_cores": cores, "gpu": 2})
    supervisor._begin_next_runs_early(scheduler, {"isolation": isolation})
    assert scheduler.global_resources == scheduler.resources == {"_cores": cores, "gpu": gpus}
    assert os.environ[resident.MOST] == ("2" if gpus == 4 else "")


def test_a_workflow_without_gpus_has_as_many_jobs_as_before(monkeypatch):
    monkeypatch.setattr(processor, "cores", lambda: 8)
    scheduler = SimpleNamespace(global_resources={"_cores": 8}, resources={"_cores": 8})
    supervisor._begin_next_runs_early(scheduler, {"isolation": "worker"})
    assert "gpu" not in scheduler.resources
