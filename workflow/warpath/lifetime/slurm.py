"""Workarounds for Snakemake's Slurm plugin."""

import contextlib
import json
import os
import subprocess
from pathlib import Path

from warpath.foundation.errors import UserError
from warpath.lifetime import folder


def become_array_task(arguments):
    """In a task of a job array other than the first, replace this process by the task's own command.

    The plugin runs that command within a Snakemake for the first task, which waits for the first task's files. When
    that task failed, all would fail and lose what they measured.
    """
    option, task = "--slurm-jobstep-array-execs=", os.environ.get("SLURM_ARRAY_TASK_ID")
    payload = next((argument.removeprefix(option) for argument in arguments if argument.startswith(option)), None)
    if payload and task != os.environ.get("SLURM_ARRAY_TASK_MIN"):
        import base64
        import zlib

        command = zlib.decompress(bytes.fromhex(json.loads(base64.b64decode(payload))[task])).decode()
        os.execvp("sh", ["sh", "-c", command])


def check(workflow):
    """Refuse, before any job is submitted, what the plugin would get wrong."""
    if workflow.local_exec:
        return
    if set(str(Path.cwd())) & set("$`\"'\\"):
        raise UserError(f"{Path.cwd()}: jobs of a cluster need a folder without quotes, $ or \\ in its path; rename it")
    _refuse_limited_arrays(workflow)


def _refuse_limited_arrays(workflow):
    """Refuse limits on submitted jobs: the plugin then forgets jobs that do not fill an array, and waits for ever."""
    arrays = getattr(workflow.executor_settings, "array_jobs", None)
    scheduling, jobs = workflow.scheduling_settings, len(workflow.dag)
    limits = {
        "jobs": workflow.nodes < jobs,
        "max-jobs-per-timespan": scheduling.max_jobs_per_timespan.max_jobs < jobs,
        "scheduler-subsample": scheduling.subsample and scheduling.subsample < jobs,
        "resources": any(not name.startswith("_") for name in workflow.global_resources),
    }
    for option in (option for option, limited in limits.items() if arrays and limited):
        raise UserError(
            f"{option} and slurm-array-jobs exclude each other: docs/cluster.md says how to limit job arrays"
        )


def cancel_leftovers(workflow):
    """Cancel jobs that a killed workflow submitted from this folder; to be called before any job is submitted.

    Where the folder cannot be locked, the jobs may belong to a running workflow: cancel nothing.
    """
    prefix = getattr(workflow.executor_settings, "jobname_prefix", None)
    if workflow.local_exec or not prefix or not folder.lock():
        return
    leftovers = set()
    for job in _output_of("squeue", "--me", "--noheader", "--format=%F|%j|%Z").splitlines():
        number, name, submitted_from = job.split("|", 2)
        if name.startswith(f"{prefix}_") and submitted_from == str(Path.cwd()):
            leftovers.add(number)
    if leftovers:
        _output_of("scancel", *sorted(leftovers))
        print(f"warpath: cancelled jobs of a workflow that was killed: {', '.join(sorted(leftovers))}")


def _output_of(*command):
    """The output of a Slurm command; empty where it fails."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    return ""
