"""What a measuring process keeps between runs: an open device, graphs, right answers, and their copies on the device.

A process that measures a single run uses the same code, and keeps nothing longer than that.
"""

import contextlib
import ctypes
import gc
import hashlib
import os
from pathlib import Path

from warpath.base import processor
from warpath.runs.shelf import Shelf

# Shares of the memory: what is left is for the run itself.
ON_HOST, ON_DEVICE = 0.25, 0.5

# Bytes by which memory in use may grow in a run, beyond what is kept: libraries and drivers take some for themselves.
TOLERANCE = 128 << 20


class Changed(Exception):
    """A run wrote to memory that is kept."""


class Kept:
    def __init__(self):
        self.runs = 0  # that this process has measured
        self.gpu = None  # the number of the GPU that it is bound to
        self._files = Shelf(int(ON_HOST * processor.free_bytes()))  # what was read, by path and state of the files
        self._device = self._arrays = self._proof = None
        self._digests = {}  # of the arrays on the device, as they were uploaded
        self._numbers = {}
        self.locks = []  # that the current run holds
        self._baseline = {}  # memory in use on "host" and "device", beyond what is kept

    def begin(self):
        """Begin a run."""
        self._proven = False
        self._files.begin()
        if self._device:
            self._arrays.begin()
            self._device.begin()

    def device(self, kind, number):
        """Return the open device."""
        from warpath import devices
        from warpath.runs import proof

        if self._device is None:
            self._device = devices.open(kind, number)
            self._arrays = Shelf(int(ON_DEVICE * self._device.memory))
            self._proof = proof.of(self._device)
            self.gpu = number
        return self._device

    def file(self, read, path, *files):
        """Return `read(path, key)`, which is read again when one of its files, and so the key, has changed."""
        key = (str(path), *((status.st_ino, status.st_size, status.st_mtime_ns) for status in map(os.stat, files)))
        return self._files.get(key, lambda: read(path, key), _bytes)

    def graph(self, folder):
        from warpath.graphs import csr
        from warpath.runs import shared

        return self.file(shared.graph, folder, Path(folder, csr.VERTICES))

    def answers(self, path):
        from warpath.runs import oracle

        return self.file(lambda path, _: oracle.read(path), path, path)

    def number(self, key, count):
        """Return a number that takes long to count."""
        if key not in self._numbers:
            self._numbers[key] = count()
        return self._numbers[key]

    def array(self, owner, name, make):
        """Return the array of that name on the device, uploaded by `make` unless it is there."""
        key = (owner, name)
        if key not in self._digests:
            self._free()
        return self._arrays.get(key, lambda: self._uploaded(key, make), lambda array: array.nbytes)

    def _uploaded(self, key, make):
        with self._device.keeping():
            array = make()
        (self._digests[key],) = self._proof.digests([array])
        return array

    def _free(self):
        """Forget the digests of arrays that were dropped, and give their memory back."""
        there = dict(self._arrays.items())
        dropped = [key for key in self._digests if key not in there]
        for key in dropped:
            del self._digests[key]
        if dropped:
            self._device.trim()

    def differences(self, answer, owner, name, expected):
        """Count the wrong entries of an answer on the device; None if it has to be fetched to be checked."""
        if self._device.kind != "cuda":
            return None
        there = self.array(owner, name, lambda: self._device.put(expected.astype("uint32")))
        self._arrays.release((owner, name))  # answers from many sources may take more than the graph
        return self._proof.differences(answer, there)

    def digest(self, answer):
        """Return a number or bytes that change with the answer, which is on the device or in the host's memory."""
        import numpy as np

        if isinstance(answer, np.ndarray):
            return hashlib.sha256(np.ascontiguousarray(answer)).digest()
        return self._proof.digests([answer])[0]

    def free_bytes(self):
        """Return the bytes that a run may take on the device, those of kept arrays included."""
        return self._device.free_bytes() + self._arrays.bytes

    @property
    def memory_used(self):
        """Bytes of device memory that the current run uses, its graph included."""
        uploaded = sum(size for (_, name), size in self._arrays.in_use.items() if not name.startswith("answer"))
        return self._device.memory_used() + (uploaded if self._device.kind == "cuda" else 0)

    def prove(self):
        """Raise Changed unless every array that is kept is what was uploaded."""
        self._proven = True
        if self._device is None:
            return
        kept = self._arrays.items()
        changed = [
            f"{name} of {owner}"
            for ((owner, name), _), digest in zip(kept, self._proof.digests([array for _, array in kept]), strict=True)
            if digest != self._digests[owner, name]
        ]
        if changed:
            raise Changed(f"the run changed memory that is not its own: {', '.join(changed[:3])}")

    def make_room(self):
        """Drop what only earlier runs have used, so that this run may try again; whether there was any."""
        if self._device is None or not self._arrays.shrink():
            return False
        self._free()
        self._device.begin()
        return True

    def hold(self, locks):
        """Hold the locks until the run ends."""
        self.locks += locks

    def end(self):
        """End a run; return why this process must not measure another, or None."""
        self.runs += 1
        gc.collect()
        if self.runs == 1:
            gc.freeze()  # what was imported needs no second look
        try:
            if not self._proven:
                self.prove()
            return self._leaked() or self._grown()
        except Exception as error:  # of the device
            return str(error) or type(error).__name__
        finally:
            while self.locks:
                os.close(self.locks.pop())

    def _leaked(self):
        left = self._device.end() if self._device else 0
        return f"the run left {left} bytes in use on the device" if left else None

    def _grown(self):
        """Say where more memory is in use than before, beyond what is kept."""
        in_use = {"host": _private_bytes() - self._files.bytes}
        if self._device is not None and self._device.kind == "cuda":
            free, total = self._device.runtime.memGetInfo()
            in_use["device"] = total - free - self._arrays.bytes
        grown = [place for place in in_use if in_use[place] > self._baseline.get(place, in_use[place]) + TOLERANCE]
        self._baseline = {place: min(size, self._baseline.get(place, size)) for place, size in in_use.items()}
        return f"more memory is in use than before on the {grown[0]}" if grown else None


def _bytes(value):
    """The bytes of the arrays in a graph or an oracle."""
    fields = vars(value) if hasattr(value, "__dict__") else value._asdict()
    return sum(getattr(field, "nbytes", 0) for field in fields.values())


def _private_bytes():
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    return processor.private_bytes()
