"""What tests of other processes wait for."""

import time

from warpath.base import files


def within(true, seconds=60):
    """Whether this becomes true in time."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.01)
    return true()


def gone(process):
    """Whether the process ends in time."""
    return within(lambda: files.started(process) is None)


def while_running(process, true):
    """Wait until this becomes true; fail with what the process wrote if it ends before."""
    while not true():
        assert process.poll() is None, process.communicate()[0]
        time.sleep(0.02)
