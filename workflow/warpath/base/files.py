"""Files that are either complete or absent."""

import contextlib
import fcntl
import json
import os
from pathlib import Path

# The scope in which process numbers are unique: containers may share a machine's name but not its processes.
_NUMBERS = Path("/proc/self/ns/pid")
HOST = f"{os.uname().nodename}-{_NUMBERS.stat().st_ino if _NUMBERS.exists() else 0}"


@contextlib.contextmanager
def atomic(path):
    """Yield a temporary path beside `path`, and rename it to `path` if the block succeeds.

    The content is on the disk before the rename, so that neither a kill nor a power cut leaves a partial file under
    the name. Temporary files of killed processes are removed.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(path)
    temporary = path.with_name(f".{path.name}.{HOST}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    try:
        yield temporary
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        error.filename = error.filename or str(path)  # the error of a write to a full disk names no file
        raise
    finally:
        temporary.unlink(missing_ok=True)


def _remove_leftovers(path):
    """Remove temporary files of processes that have ended. Those of other hosts stay: their state is unknown."""
    beginning = f".{path.name}.{HOST}."
    for leftover in path.parent.iterdir():
        if leftover.name.startswith(beginning) and leftover.name.endswith(".tmp"):
            process = leftover.name.removeprefix(beginning).partition("-")[0]
            if process.isdigit() and started(process) is None:
                leftover.unlink(missing_ok=True)


def started(process):
    """When a process started, in clock ticks since boot; None if it has ended, or is a zombie nobody waits for."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else int(fields[19])


@contextlib.contextmanager
def locked(path):
    """Let one process at a time in, and yield the open file; where there are no locks, let in every process."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "a+", encoding="utf-8") as file:
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        yield file


def write_json(path, value):
    with atomic(path) as temporary:
        temporary.write_text(json.dumps(value, indent=1, allow_nan=False) + "\n")


def read_json(path):
    """The mapping in a JSON file; empty if there is none."""
    with contextlib.suppress(OSError, ValueError, RecursionError):
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        return content if isinstance(content, dict) else {}
    return {}


def state(path):
    """What is another value once the file has changed."""
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


def sha256(path):
    import hashlib  # loads OpenSSL, which a job's client does without

    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
