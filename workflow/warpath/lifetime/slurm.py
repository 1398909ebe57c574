"""What Snakemake's plugin for Slurm needs help with."""

import contextlib
import json
import os
import subprocess
from pathlib import Path

from warpath.foundation.errors import UserError
from warpath.lifetime import folder


def become_own_task(arguments):
    """Slurm's plugin runs every task of a job array within a Snakemake that takes itself for the first task: it waits
    for that one's files, and when it fails all fail and lose what they measured. Become the task's own command."""
    option, task = "--slurm-jobstep-array-execs=", os.environ.get("SLURM_ARRAY_TASK_ID")
    payload = next((argument.removeprefix(option) for argument in arguments if argument.startswith(option)), None)
    if payload and task != os.environ.get("SLURM_ARRAY_TASK_MIN"):
        import base64
        import zlib

        command = zlib.decompress(bytes.fromhex(json.loads(base64.b64decode(payload))[task])).decode()
        os.execvp("sh", ["sh", "-c", command])


def refuse_what_slurm_would_break(workflow):
    """Two things that Snakemake's plugin for Slurm gets wrong, said before a job is submitted."""
    if workflow.local_exec:
        return
    if set(str(Path.cwd())) & set("$`\"'\\"):
        raise UserError(f"{Path.cwd()}: a name with quotes, $ or \\ does not reach the jobs of a cluster; rename it")
    _refuse_limited_arrays(workflow)


def _refuse_limited_arrays(workflow):
    """Where only some of the ready jobs may be submitted, Slurm's plugin forgets those that do not fill an array: the
    workflow would wait for them for ever."""
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


def cancel_what_a_killed_workflow_left(workflow):
    """Jobs of ours in Slurm's queue that were submitted from this folder: nobody waits for them, since this workflow
    has the folder to itself and has submitted none yet. It will submit what they would have done."""
    prefix = getattr(workflow.executor_settings, "jobname_prefix", None)
    if workflow.local_exec or not prefix or not folder.alone():
        return
    left = set()
    for job in _output_of("squeue", "--me", "--noheader", "--format=%F|%j|%Z").splitlines():
        number, name, place = job.split("|", 2)
        if name.startswith(f"{prefix}_") and place == str(Path.cwd()):
            left.add(number)
    if left:
        _output_of("scancel", *sorted(left))
        print(f"warpath: cancelled what a killed workflow had left in Slurm's queue: jobs {', '.join(sorted(left))}")


def _output_of(*command):
    """What a command of Slurm's says; nothing where it cannot be asked."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    return ""
