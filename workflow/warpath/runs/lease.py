"""Leases of devices: file locks, which the kernel releases when their holder dies, even by SIGKILL.

Snakemake counts GPUs without assigning them, and a second workflow on the machine counts separately. So each run locks
one physical GPU, by its UUID, for as long as it lives. A run on the CPU locks the whole machine exclusively, a run on a
GPU in shared mode: no baseline is timed beside another run.
"""

import contextlib
import fcntl
import os
import time
from pathlib import Path

from warpath.base import variables
from warpath.devices import driver

POLL = 0.05  # seconds between attempts while all of several locks are taken


def device(kind):
    """Lease a device of this kind, as a run does; return its number, and the locks."""
    if kind != "cuda":
        return 0, [machine()]
    uuids = driver.uuids()
    locks = [machine(exclusive=False)] if uuids else []
    number, own = gpu(uuids)
    return number, locks + own


def gpu(uuids, on_wait=lambda: None):
    """Lock one of these GPUs, calling `on_wait` once if all are taken; return its position, and the locks."""
    if not uuids:
        return 0, []
    number, file = _lock_one([f"gpu-{uuid}" for uuid in uuids], fcntl.LOCK_EX, on_wait)
    return number, [file]


def machine(on_wait=lambda: None, exclusive=True):
    """Lock the machine against every other timed run, or if not `exclusive` against those on the CPU; return the lock.

    Wait behind those that wait for the machine already; otherwise a stream of GPU runs would starve a baseline.
    """
    _, turn = _lock_one(["turn"], fcntl.LOCK_EX, on_wait)
    try:
        return _lock_one(["machine"], fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH, on_wait)[1]
    finally:
        os.close(turn)


def _lock_one(names, kind, on_wait):
    """Wait until one of these locks is free; return its position and its open file, which holds it until closed."""
    files = [_open(name) for name in names]
    announced = False
    while True:
        for position, file in enumerate(files):
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(file, kind | fcntl.LOCK_NB)
                for other in files[:position] + files[position + 1 :]:
                    os.close(other)
                return position, file
        if not announced:
            on_wait()
            announced = True
        if len(files) == 1:
            fcntl.flock(files[0], kind)
            return 0, files[0]
        time.sleep(POLL)


def _open(name):
    """Open the lock file, readable for all; not in TMPDIR, of which many sites give each job its own."""
    path = Path(variables.value("WARPATH_LOCKS") or "/tmp", f"warpath-{name}.lock")
    with contextlib.suppress(FileExistsError):
        file = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_EXCL, 0o644)
        os.fchmod(file, 0o644)  # regardless of the umask
        return file
    return os.open(path, os.O_RDONLY)
