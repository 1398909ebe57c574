"""One workflow at a time in a folder, and no job that outlives it.

Snakemake's own lock is a file: it stays when its owner is killed, and every rerun is refused until somebody removes it.
A lock of the kernel's ends with its holder, however that ends.
"""

import contextlib
import fcntl
import functools
import itertools
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from warpath.errors import UserError

LOCK = ".snakemake/warpath.lock"
GRAPHS = "WARPATH_GRAPHS"  # in the environment of a job: what its --catalogue and --mirror are
WORKFLOW = "WARPATH_WORKFLOW"  # in the environment of a job: the number of the process that waits for it


@functools.cache
def alone(path=LOCK):
    """Hold this folder until this process ends. Processes that it starts do not inherit the lock.

    False where the file system has no locks: another workflow may be running here. Whoever asks again is told the same.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(file, 200, 0).decode(errors="replace").strip()
        raise UserError(f"a workflow is running in {Path.cwd()} ({holder}); wait until it ends") from None
    except OSError:
        print(f"warpath: {Path.cwd()} cannot be locked: see to it that no other workflow runs there", file=sys.stderr)
        return False
    os.ftruncate(file, 0)
    os.pwrite(file, f"process {os.getpid()} on {os.uname().nodename} since {time.strftime('%F %T')}\n".encode(), 0)
    return True


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


def date_to_now(*places):
    """Files, and all that is in folders, from the future, made while a clock was wrong: Snakemake would refuse and
    remove all that comes of them."""
    now = time.time()
    for file in itertools.chain.from_iterable([Path(place), *Path(place).rglob("*")] for place in places):
        with contextlib.suppress(OSError):
            if file.stat().st_mtime > now:
                os.utime(file, (now, now))


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


def cancel_what_a_killed_workflow_left(workflow):
    """Jobs of ours in Slurm's queue that were submitted from this folder: nobody waits for them, since this workflow
    has the folder to itself and has submitted none yet. It will submit what they would have done."""
    prefix = getattr(workflow.executor_settings, "jobname_prefix", None)
    if workflow.local_exec or not prefix or not alone():
        return
    left = set()
    for job in _output_of("squeue", "--me", "--noheader", "--format=%F|%j|%Z").splitlines():
        number, name, folder = job.split("|", 2)
        if name.startswith(f"{prefix}_") and folder == str(Path.cwd()):
            left.add(number)
    if left:
        _output_of("scancel", *sorted(left))
        print(f"warpath: cancelled what a killed workflow had left in Slurm's queue: jobs {', '.join(sorted(left))}")


def _output_of(*command):
    """What a command of Slurm's says; nothing where it cannot be asked."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    return ""


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
