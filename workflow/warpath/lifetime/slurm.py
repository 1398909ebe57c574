"""Workarounds for Snakemake's Slurm plugin."""

import contextlib
import subprocess
from pathlib import Path

from warpath.base import places
from warpath.base.errors import UserError
from warpath.lifetime import folder

# What the plugin appends to the command of a job: a Snakemake that starts another one by `srun`.
NESTED = "--executor slurm-jobstep --jobs 1"


def run_without_nesting(executor):
    """Let the Snakemake that a Slurm job starts run the job's commands itself, which saves the start of another one.

    Members of a group have the same number of threads, so that it runs them one after the other.
    """
    nested = executor.format_job_exec

    def direct(job):
        return nested(job).replace(NESTED, f"--executor local --cores {job.threads} --keep-going")

    executor.format_job_exec = direct


def check(workflow):
    """Refuse, before any job is submitted, what the plugin would get wrong."""
    if workflow.local_exec:
        return
    if set(str(Path.cwd())) & set("$`\"'\\"):
        raise UserError(f"{Path.cwd()}: jobs of a cluster need a folder without quotes, $ or \\ in its path; rename it")
    if getattr(workflow.executor_settings, "array_jobs", None):
        raise UserError(
            "slurm-array-jobs: warpath submits groups of runs instead; take `groups` and `group-components` from "
            f"{places.ROOT}/profiles/slurm/config.yaml"
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
