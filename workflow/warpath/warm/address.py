"""The socket of a workflow's server, in a folder that only its owner may enter, and the environment of jobs."""

import os
import stat
import sys

WORKFLOW = "WARPATH_WORKFLOW"  # the process that waits for the job
ISOLATION = "WARPATH_ISOLATION"  # "process" where no worker may be used


def prepare_jobs(isolation):
    """Set what jobs of this process inherit: its Python and package, its number, and how they are isolated."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for name, first in (("PATH", os.path.dirname(sys.executable)), ("PYTHONPATH", package)):
        os.environ[name] = os.pathsep.join([first, *filter(None, [os.environ.get(name)])])
    os.environ |= {WORKFLOW: str(os.getpid()), ISOLATION: isolation}


def workflow():
    """The number of the workflow's process, or None outside a workflow and where workers are not wanted."""
    number = os.environ.get(WORKFLOW)
    return int(number) if number and os.environ.get(ISOLATION) != "process" else None


def folder(workflow):
    """Make the folder of that workflow's server; an error if somebody else could write there.

    Its name has the start time too: process numbers are used again.
    """
    for path in (base(), place := f"{base()}/{workflow}-{started(workflow)}"):
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            status = os.lstat(path)
            if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
                raise PermissionError(f"{path}: must be a folder of yours that nobody else may enter") from None
    return place


def base():
    return f"/tmp/warpath-{os.getuid()}"


def started(process):
    """When a process started, in clock ticks since boot."""
    with open(f"/proc/{process}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[19])
