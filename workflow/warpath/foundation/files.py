"""Files that are either whole or absent."""

import contextlib
import fcntl
import glob
import hashlib
import json
import os
import secrets
from pathlib import Path


def _host():
    """Where a process number means one process: containers may share the name of their machine, not its numbers."""
    numbers = Path("/proc/self/ns/pid")
    return f"{os.uname().nodename}-{numbers.stat().st_ino if numbers.exists() else 0}"


HOST = _host()


@contextlib.contextmanager
def atomic(path):
    """Yield a temporary path beside `path`; it takes the place of `path` only if the block succeeds.

    The data reach the disk before the name does, so that neither a kill nor a power cut leaves half a file
    under a name that a later run would trust. What a killed process left beside `path` is removed.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(path)
    temporary = path.with_name(f".{path.name}.{HOST}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        yield temporary
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        error.filename = error.filename or str(path)  # a write to a full disk does not say where
        raise
    finally:
        temporary.unlink(missing_ok=True)


def _remove_leftovers(path):
    """Temporary files whose process on this machine, or in this container, is gone; of others nothing is known."""
    for leftover in path.parent.glob(f".{glob.escape(path.name)}.{HOST}.*-*.tmp"):
        process = leftover.name.rpartition("-")[0].rpartition(".")[2]
        if process.isdigit() and not Path("/proc", process).exists():
            leftover.unlink(missing_ok=True)


@contextlib.contextmanager
def locked(path):
    """One process at a time; on a file system without locks all at once, and then the last that is done has its way."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w") as lock:
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def write_json(path, value):
    with atomic(path) as temporary:
        temporary.write_text(json.dumps(value, indent=1, allow_nan=False) + "\n")


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
