"""Processes that end with the one that they work for: commands with their workflow, children with their parents."""

import contextlib
import ctypes
import os
import select
import signal
import sys
import threading
import time
import traceback
from pathlib import Path

from warpath.base.files import started
from warpath.warm import address

job_started = None  # when the job began whose command this process runs, in seconds since boot; None: with the process

_SET_PARENT_DEATH_SIGNAL, _SET_CHILD_SUBREAPER = 1, 36


def end_with_workflow():
    """End this process when the workflow that started it ends: a rerun may already be making the same file."""
    number = os.environ.get(address.WORKFLOW)
    if not number:
        return
    try:
        workflow = os.pidfd_open(int(number))
    except ProcessLookupError:
        sys.exit("warpath: the workflow that started this command has ended")
    except OSError:
        return  # Linux before 5.3
    threading.Thread(target=_end_with, args=(workflow,), daemon=True).start()


def _end_with(workflow):
    with contextlib.suppress(OSError):
        select.select([workflow], [], [])
        os._exit(1)


def fork(work):
    """Run `work` in a child of a group of its own that is killed with this process; return the child's number.

    `work` returns the exit status. The child ends without the handlers of this process, nor a teardown of a context
    that may be poisoned.
    """
    parent = os.getpid()
    process = os.fork()
    with contextlib.suppress(OSError):
        os.setpgid(process, process)  # here and in the child: the group must exist before it is killed
    if process:
        return process
    status = 1
    try:
        die_with(parent)
        status = work() or 0
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(status)


def die_with(parent):
    """Ask Linux to kill this process when `parent`, which has forked it, ends, even by SIGKILL."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:  # the parent ended before Linux was asked
        os._exit(1)


def kill(process, by=signal.SIGKILL):
    """Kill a process and all of its group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, by)


@contextlib.contextmanager
def shielded():
    """Ignore Ctrl-C, and what a workflow that ends sends to its jobs, for a moment in which a result is written."""
    before = [(each, signal.signal(each, signal.SIG_IGN)) for each in (signal.SIGINT, signal.SIGTERM)]
    try:
        yield
    finally:
        for each, handler in before:
            signal.signal(each, handler)


def adopt():
    """From now on, what a child of this process leaves behind is a child of this process."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1)


def children():
    """The children of this process; none where Linux does not list them."""
    numbers = set()
    for file in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):  # of a thread that has just ended
            numbers |= set(map(int, file.read_text().split()))
    return numbers


def end_children(but=()):
    """Kill every child of this process except these, and what they leave to it."""
    known = set(but)
    while left := children() - known:
        known |= left
        for process in left:
            with contextlib.suppress(ProcessLookupError, PermissionError, ChildProcessError):
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)


def age():
    """Return the age of this job in seconds: the start of an interpreter is part of its overhead."""
    began = job_started or started("self") / os.sysconf("SC_CLK_TCK")
    return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - began)
