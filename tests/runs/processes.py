"""Helpers for tests of processes that end."""

import os
import signal
import time
from pathlib import Path


def gone(pid, seconds=60):
    """Whether the process ends in time, as a zombie or altogether; otherwise kill it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.02)
    os.kill(pid, signal.SIGKILL)
    return False
