"""Keep a program of others from harming what runs beside it: its memory and its files have an end."""

import contextlib
import os
import resource
import shutil
import signal
import tempfile
import threading
from pathlib import Path

import psutil

from warpath.base import processor

EVERY = 0.1  # seconds between two looks
SHARE = 0.9  # of the memory and the disk that are free when it begins


class Guard:
    """Of one measuring process."""

    def __init__(self):
        self.excess = None  # the status and the reason with which the process was ended
        self._over = threading.Event()
        self._folder = tempfile.mkdtemp(prefix="warpath-")
        self._memory, self._disk = SHARE * processor.free_bytes(), SHARE * shutil.disk_usage(self._folder).free

    def enter(self):
        """In the measuring process: temporary files go to a folder that is removed, and a crash leaves none."""
        os.environ["TMPDIR"] = tempfile.tempdir = self._folder
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def watch(self, process):
        own = psutil.Process(process)
        self._memory += _resident(own)  # what it has from this process
        threading.Thread(target=self._watch, args=(own,), daemon=True).start()

    def _watch(self, own):
        with contextlib.suppress(psutil.NoSuchProcess):
            while not self._over.wait(EVERY):
                memory = sum(map(_resident, (own, *own.children(recursive=True))))
                disk = sum(map(_size, Path(self._folder).rglob("*")))
                for used, most, what in ((memory, self._memory, "memory"), (disk, self._disk, "disk")):
                    if used > most and not self.excess:
                        reason = f"took {used / 1e9:.3g} GB of {what}, where {most / 1e9:.3g} were left for it"
                        self.excess = ("out_of_memory" if what == "memory" else "failed", reason)
                        os.killpg(own.pid, signal.SIGKILL)

    def end(self):
        self._over.set()
        shutil.rmtree(self._folder, ignore_errors=True)


def _resident(process):
    with contextlib.suppress(psutil.NoSuchProcess):
        return process.memory_info().rss
    return 0


def _size(file):
    with contextlib.suppress(OSError):
        return file.stat().st_blocks * 512
    return 0
