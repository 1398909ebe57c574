"""What a measuring process keeps between runs: an open device, graphs, right answers, and their copies there."""

import contextlib
import ctypes
import gc
import os
from pathlib import Path

from warpath import devices
from warpath.base import processor
from warpath.base.files import state
from warpath.graphs import csr
from warpath.runs import oracle, proof

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
        self.locks = []  # that the current run holds until it ends
        self._files = _Cache(int(ON_HOST * processor.free_bytes()))  # what was read, by path and state of the files
        self._device = self._arrays = self._digest = None  # arrays with their digests, by owner and name
        self._least = None  # memory in use on the host beyond what is kept, at the end of a run
        self._before = self._left = 0  # bytes in use on the device when the run began, and that runs have left there

    def begin(self):
        self._proven = False
        self._files.in_use.clear()
        if self._device:
            self._arrays.in_use.clear()
            self._device.begin()

    def device(self, kind, number):
        if self._device is None:
            self._device = devices.open(kind, number)
            self._arrays = _Cache(int(ON_DEVICE * self._device.memory), self._device.trim)
            self._digest = proof.digester(self._device)
            self.gpu = number
        self._before = self._in_use()
        return self._device

    def graph(self, folder):
        """Return the graph in that folder, or what an earlier run has read of it."""
        return self._files.get((folder, state(Path(folder, csr.VERTICES))), lambda: csr.read(folder))

    def answers(self, path):
        """Return the right answers in that file, or what an earlier run has read of it."""
        return self._files.get((path, state(Path(path))), lambda: oracle.read(path))

    def array(self, owner, name, make):
        """Return the array of that name on the device, uploaded by `make` unless it is there."""

        def upload():
            with self._device.keeping():
                array = make()
            return array, self._digest(array)

        return self._arrays.get((owner, name), upload)[0]

    def free_bytes(self):
        """Return the bytes that a run may take on the device, those of kept arrays included."""
        return self._device.free_bytes() + self._arrays.bytes

    @property
    def memory_used(self):
        """Bytes of device memory that the current run uses, its graph included."""
        uploaded = sum(self._arrays.in_use.values()) if self._device.kind == "cuda" else 0
        return self._device.memory_used() + uploaded

    def prove(self):
        """Raise Changed unless every array that is kept is what was uploaded."""
        self._proven = True
        if self._device is None:
            return
        uploaded = self._arrays.items()
        changed = [f"{name} of {owner}" for (owner, name), (array, before) in uploaded if self._digest(array) != before]
        if changed:
            raise Changed(f"the run changed memory that is not its own: {', '.join(changed[:3])}")

    def make_room(self):
        """Drop what only earlier runs have used, so that this run may try again; whether there was any."""
        if self._device is None or not self._arrays.shrink():
            return False
        self._device.begin()
        return True

    def end(self):
        """End a run; return why this process must not measure another, or None."""
        self.runs += 1
        gc.collect()
        if self.runs == 1:
            gc.freeze()  # what was imported needs no second look
        try:
            if not self._proven:
                self.prove()
            left = self._device.end() if self._device else 0
            return f"the run left {left} bytes in use on the device" if left else self._grown()
        except Exception as error:  # of the device
            return str(error) or type(error).__name__
        finally:
            while self.locks:
                os.close(self.locks.pop())

    def _grown(self):
        """Say where more memory is in use than before; on the device, what runs left while they had the lease."""
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
        on_host = processor.memory("RssAnon") - self._files.bytes
        self._least = min(on_host, self._least or on_host)
        if self.runs > 1:  # the first one loads what all need
            self._left += self._in_use() - self._before
        sizes = {"host": on_host - self._least, "device": self._left}
        grown = [place for place, size in sizes.items() if size > TOLERANCE]
        return f"more memory is in use than before on the {grown[0]}" if grown else None

    def _in_use(self):
        """Bytes of the device that are in use, beyond what is kept."""
        if self._device is None or self._device.kind not in devices.ON_GPU:
            return 0
        free, total = self._device.runtime.memGetInfo()
        return total - free - self._arrays.bytes


class _Cache:
    """Values by key, within a limit of bytes: the least recently used go first, but those of the current run stay."""

    def __init__(self, limit, free=lambda: None):
        self.limit, self.bytes = limit, 0
        self.in_use = {}  # key -> bytes, of the current run
        self._values = {}  # key -> (value, bytes), the last used one at the end
        self._free = free  # called when values were dropped

    def get(self, key, make):
        """Return the value, made if it is missing."""
        if key not in self._values:
            value = make()
            self._values[key] = value, _bytes(value)
            self.bytes += _bytes(value)
        value, self.in_use[key] = self._values[key] = self._values.pop(key)
        self.shrink(self.limit)
        return value

    def shrink(self, limit=0):
        """Drop what the current run does not use, until the limit holds; return how many values were dropped."""
        dropped = 0
        for key in [key for key in self._values if key not in self.in_use]:
            if self.bytes <= limit:
                break
            self.bytes -= self._values.pop(key)[1]
            dropped += 1
        if dropped:
            self._free()
        return dropped

    def items(self):
        return [(key, value) for key, (value, _) in self._values.items()]


def _bytes(value):
    """The bytes of the arrays in a graph, or in a tuple such as an oracle."""
    fields = value if isinstance(value, tuple) else getattr(value, "__dict__", {}).values()
    return sum(getattr(field, "nbytes", 0) for field in fields)
