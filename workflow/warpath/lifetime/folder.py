"""The working folder: one workflow at a time, and no files from the future.

Snakemake's own lock is a file that outlives a killed owner and then refuses every rerun. The kernel releases a lock of
this kind when its holder ends, however that ends.
"""

import contextlib
import fcntl
import functools
import itertools
import os
import re
import sys
import time
from pathlib import Path

from warpath.base.errors import UserError

LOCK = ".snakemake/warpath.lock"


@functools.cache
def lock(path=LOCK):
    """Lock this folder until this process ends; child processes do not inherit the lock.

    Return False on a file system without locks, where another workflow may be running.
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
        print(f"warpath: {Path.cwd()} cannot be locked: make sure that no other workflow runs there", file=sys.stderr)
        return False
    os.ftruncate(file, 0)
    os.pwrite(file, f"process {os.getpid()} on {os.uname().nodename} since {time.strftime('%F %T')}\n".encode(), 0)
    return True


def running_since(path=LOCK):
    """When the workflow began that runs in this folder and on this machine, in seconds since 1970; None without one.

    Taking the lock, if only to try, might refuse a workflow that begins at that moment.
    """
    try:
        holder = re.match(r"process (\d+) on (\S+) ", Path(path).read_text(encoding="utf-8", errors="replace"))
        is_running = holder and holder[2] == os.uname().nodename and Path(f"/proc/{holder[1]}").exists()
        return Path(path).stat().st_mtime if is_running else None
    except OSError:
        return None


def require(path):
    """Refuse a folder that cannot be made, because a part of its path is a file."""
    with contextlib.suppress(PermissionError):
        existing = next(part for part in [Path(path), *Path(path).absolute().parents] if part.exists())
        if not existing.is_dir():
            raise UserError(f"{path}: {existing} is not a folder; set WARPATH_RESULTS to one, or move the file away")


def repair_dates(*paths):
    """Set dates in the future to now, of files and of everything in folders.

    They come from a clock that was wrong. Snakemake would delete new outputs as older than their inputs.
    """
    now = time.time()
    for file in itertools.chain.from_iterable([Path(path), *Path(path).rglob("*")] for path in paths):
        with contextlib.suppress(OSError):
            if file.stat().st_mtime > now:
                os.utime(file, (now, now))
