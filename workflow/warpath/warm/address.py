"""The socket of a workflow's server, in a folder that only its owner may enter, and the environment of jobs."""

import os
import stat
import sys
from pathlib import Path

from warpath.base.files import started

BASE = Path(f"/tmp/warpath-{os.getuid()}")
WORKFLOW = "WARPATH_WORKFLOW"  # the process that waits for the job
ISOLATION = "WARPATH_ISOLATION"  # "process" where no worker may be used


def prepare_jobs(isolation):
    """Set what jobs of this process inherit: its Python and package, its number, and how they are isolated."""
    for name, first in (("PATH", Path(sys.executable).parent), ("PYTHONPATH", Path(__file__).absolute().parents[2])):
        os.environ[name] = os.pathsep.join([str(first), *filter(None, [os.environ.get(name)])])
    os.environ |= {WORKFLOW: str(os.getpid()), ISOLATION: isolation}


def workflow():
    """The number of the workflow's process; None where no such process runs or workers are not wanted."""
    number = os.environ.get(WORKFLOW)
    return int(number) if number and os.environ.get(ISOLATION) != "process" and started(number) else None


def folder(workflow):
    """Make the server's folder, named with its start, as numbers recur; an error if others could write there."""
    for path in (BASE, place := BASE / f"{workflow}-{started(workflow)}"):
        try:
            path.mkdir(0o700)
        except FileExistsError:
            status = path.lstat()
            if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
                raise PermissionError(f"{path}: must be a folder of yours that nobody else may enter") from None
    return place
