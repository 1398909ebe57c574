"""One workflow at a time in a folder, whose files are not from the future.

Snakemake's own lock is a file that outlives a killed owner and then refuses every rerun. A kernel lock ends with its
holder, however that ends.
"""

import contextlib
import fcntl
import functools
import itertools
import os
import sys
import time
from pathlib import Path

from warpath.foundation.errors import UserError

LOCK = ".snakemake/warpath.lock"


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


def date_to_now(*places):
    """Files, and all that is in folders, from the future, made while a clock was wrong: Snakemake would refuse and
    remove all that comes of them."""
    now = time.time()
    for file in itertools.chain.from_iterable([Path(place), *Path(place).rglob("*")] for place in places):
        with contextlib.suppress(OSError):
            if file.stat().st_mtime > now:
                os.utime(file, (now, now))
