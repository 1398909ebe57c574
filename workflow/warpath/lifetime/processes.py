"""Ties between a workflow and its jobs: what they inherit, and that none outlives it."""

import contextlib
import json
import os
import select
import signal
import sys
import threading
from pathlib import Path

GRAPHS = "WARPATH_GRAPHS"  # in the environment of a job: what its --catalogue and --mirror are
started = None  # when the job began of which this process does the command, in ticks since boot; None: with itself

WORKFLOW = "WARPATH_WORKFLOW"  # in the environment of a job: the number of the process that waits for it


def prepare_jobs(package, catalogues, mirrors):
    """From here on, `python -m warpath` in a rule is this Python with this package; it knows the same graphs and ends
    with this process.
    """
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    os.environ["PYTHONPATH"] = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
    os.environ[WORKFLOW] = str(os.getpid())
    os.environ[GRAPHS] = json.dumps({"catalogue": catalogues, "mirror": mirrors})


def let_sigterm_wait():
    """Snakemake's handler takes a lock that the thread it interrupts may hold, and would wait for ever.

    In a thread of its own it waits until that one goes on. To be called when Snakemake has set its handler.
    """
    theirs = signal.getsignal(signal.SIGTERM)
    if callable(theirs):
        signal.signal(signal.SIGTERM, lambda *told: threading.Thread(target=theirs, args=told).start())


def die_with(parent):
    """Ask Linux to kill this process, which `parent` has forked, when that is gone, even by SIGKILL: no orphans."""
    import ctypes

    set_parent_death_signal = 1
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
    if os.getppid() != parent:  # it was gone before Linux was asked
        os._exit(1)


def end_with_workflow():
    """Watch the workflow that started this command, and end when it is gone: nobody waits for the result any more, and
    a rerun may be making it anew already."""
    number = os.environ.get(WORKFLOW)
    if not number:
        return
    try:
        workflow = os.pidfd_open(int(number))
    except ProcessLookupError:
        sys.exit("warpath: the workflow that started this command is gone")
    except OSError:
        return  # Linux before 5.3
    threading.Thread(target=_end_with, args=(workflow,), daemon=True).start()


def _end_with(workflow):
    with contextlib.suppress(OSError):
        select.select([workflow], [], [])
        os._exit(1)
