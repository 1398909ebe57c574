"""What ties a process to the one that started it."""

import contextlib
import os
import signal

job_started = None  # when the job began whose command this process runs, in ticks since boot; None: with the process


def die_with(parent):
    """Ask Linux to kill this process when `parent`, which has forked it, ends, even by SIGKILL."""
    import ctypes

    set_parent_death_signal = 1
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
    if os.getppid() != parent:  # the parent ended before Linux was asked
        os._exit(1)
