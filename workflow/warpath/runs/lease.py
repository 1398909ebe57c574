"""Who may use which device: file locks that the kernel releases when their holder dies, even by SIGKILL.

Snakemake counts GPUs and gives out no index, and a second workflow on the same machine counts for itself. So each run
takes the lock of one physical GPU, by its UUID, for as long as it lives. A run on the CPU takes the machine for itself
and a run on a GPU shares it, so that no baseline is timed beside anything else that is.
"""

import contextlib
import fcntl
import os
import time
from pathlib import Path

from warpath.foundation.errors import UserError

POLL = 0.05  # seconds between two looks at locks that are all taken


def gpu(uuids, waiting=lambda: None):
    """Lock one of these GPUs: its place in the list, and the locks. Calls `waiting` once if all are taken.

    Where there are none, nothing is locked: whoever opens the device is told what is missing.
    """
    if not uuids:
        return 0, []
    with _turn(waiting):
        _, machine = _take(["machine"], fcntl.LOCK_SH, waiting)
    place, file = _take([f"gpu-{uuid}" for uuid in uuids], fcntl.LOCK_EX, waiting)
    return place, [machine, file]


def machine(waiting=lambda: None):
    """Lock the machine against every other timed run; the lock."""
    with _turn(waiting):
        return [_take(["machine"], fcntl.LOCK_EX, waiting)[1]]


@contextlib.contextmanager
def _turn(waiting):
    """Whoever waits for the machine goes before those who come later: GPU runs never cease where there are many."""
    _, file = _take(["turn"], fcntl.LOCK_EX, waiting)
    yield
    os.close(file)


def _take(names, kind, waiting):
    files = [_open(name) for name in names]
    told = False
    while True:
        for place, file in enumerate(files):
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(file, kind | fcntl.LOCK_NB)
                for other in files[:place] + files[place + 1 :]:
                    os.close(other)
                return place, file  # it stays open, and so locked, until all who have it end
        if not told:
            waiting()
            told = True
        time.sleep(POLL)


def _open(name):
    """Everyone on the machine opens the same file; whoever comes first makes it, readable for all.

    Not where TMPDIR says: many sites give each job a TMPDIR of its own, and nobody would know of anybody.
    """
    folder = Path(os.environ.get("WARPATH_LOCKS") or "/tmp")
    if not folder.is_dir():
        raise UserError(f"WARPATH_LOCKS: {folder}: no such folder")
    path = folder / f"warpath-{name}.lock"
    with contextlib.suppress(FileNotFoundError):
        return os.open(path, os.O_RDONLY)
    with contextlib.suppress(FileExistsError):
        file = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_EXCL, 0o644)
        os.fchmod(file, 0o644)  # whatever the umask
        return file
    return os.open(path, os.O_RDONLY)
