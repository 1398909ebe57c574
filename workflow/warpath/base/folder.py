"""The working folder: one workflow at a time."""

import contextlib
import os
import re
import time
from pathlib import Path

from warpath.base import slurm
from warpath.base.errors import UserError
from warpath.base.files import locked, started

OWNER = ".snakemake/warpath.lock"  # says which workflow works in the folder; one that has ended counts as none


def own(workflow):
    """Let the process `workflow` own this folder; refuse it while another one that owns it is running."""
    if started(workflow) is None:
        return  # it has ended, or this is a job on another machine
    with locked(Path(OWNER)) as file:  # without locks, two workflows that begin at one moment are not told apart
        file.seek(0)
        holder = file.read(200)
        owner = _running(holder)
        if owner == workflow:
            return
        if owner:
            raise UserError(f"a workflow is running in {Path.cwd()} ({holder.strip()}); wait until it ends")
        file.truncate(0)
        file.write(f"process {workflow} on {os.uname().nodename} since {time.strftime('%F %T')}, {started(workflow)}\n")


def running_since():
    """When the workflow began that runs in this folder and on this machine, in seconds since 1970; None without one."""
    with contextlib.suppress(OSError):
        if _running(Path(OWNER).read_text(encoding="utf-8", errors="replace")):
            return Path(OWNER).stat().st_mtime
    return None


def _running(holder):
    """The process that an owner's text names, if it is running on this machine."""
    found = re.match(rf"process (\d+) on {re.escape(os.uname().nodename)} since .*, (\d+)$", holder.strip())
    return int(found[1]) if found and str(started(found[1])) == found[2] else None


def require_writable():
    """Raise a UserError where Snakemake could not make its own folder."""
    there = ".snakemake" if Path(".snakemake").exists() else "."
    if not os.access(there, os.W_OK):
        can = "cannot be written to; `snakemake --directory FOLDER` works in one of yours"
        raise UserError(f"{Path(there).absolute()}: {can}")


def require_no_jobs():
    """Refuse a folder from which a killed workflow has submitted jobs that Slurm still has."""
    left = sorted({job for job, *_ in slurm.jobs(slurm.QUEUE)})
    if left:
        raise UserError(f"Slurm has jobs of a workflow that was killed here; first: scancel {' '.join(left)}")


def require_plain():
    """Refuse a folder whose name Snakemake's Slurm plugin would not quote for a shell."""
    if set(str(Path.cwd())) & set("$`\"'\\"):
        raise UserError(f"{Path.cwd()}: jobs of a cluster need a folder without quotes, $ or \\ in its path; rename it")
