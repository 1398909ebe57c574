"""Host loops: the flag that they go on by, and rounds of launches that native code makes and times (rounds.cpp)."""

import ctypes
import functools
from pathlib import Path

from warpath.base import compiler

SOURCE = Path(__file__).parent / "native/rounds.cpp"


@functools.cache
def native():
    options = ("-std=c++17", "-O2", "-Wall", "-Wextra")
    return compiler.load(compiler.library("rounds", options, [SOURCE], [SOURCE.read_bytes()]))


class Flag:
    """A number that kernels set and the host loop reads each round, as an integer and without NumPy's indexing."""

    def __init__(self, device, dtype):
        """Take the number's type, int32 or int64."""
        self._count = {"int32": 1, "int64": 2}[dtype]
        self._words = device.words(self._count)
        self.array, self.address = self._words.array.view(dtype), self._words.address
        self._value = getattr(ctypes, f"c_{dtype}").from_address(self.address)

    def clear(self):
        self._words.clear()

    def set(self, value):
        self.array.fill(value)

    def read(self):
        self._words.fetch(self._count)
        return self._value.value


class CudaLaunch(ctypes.Structure):
    _fields_ = (
        ("function", ctypes.c_void_p),
        ("arguments", ctypes.c_void_p),
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared_bytes", ctypes.c_uint),
    )


class HostLaunch(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_void_p) for name in ("launch", "kernel", "configuration", "dynamic_shared"))


class Bound:
    """A launch with its arguments; `error` is the buffer for the message of a fault on the host device."""

    def __init__(self, launch, error, *kept):
        self.launch, self.error, self._kept = launch, error, kept


class Rounds(ctypes.Structure):
    _fields_ = (("count", ctypes.c_longlong), ("total_ms", ctypes.c_double), ("last_ms", ctypes.c_double))


class Loop:
    """Makes rounds of launches, in turn, until one leaves the flag at 0; `check` raises what `run` returns."""

    def __init__(self, device, bound, of_a_round, run, check):
        self._device, self._run, self._check = device, run, check
        self._of_a_round = of_a_round
        self._bound = bound  # keeps arguments alive
        self._launches = (type(bound[0].launch) * len(bound))(*(each.launch for each in bound))
        self._rounds = Rounds()

    def __call__(self, most=0):
        """Make rounds, `most` at most if that is positive; return their number."""
        counts = map(ctypes.c_longlong, (len(self._launches), self._of_a_round, most))
        error = self._run(self._launches, *counts, ctypes.byref(self._rounds))
        self._device.launches += self._rounds.count * self._of_a_round
        self._check(error)
        return self._rounds.count

    def milliseconds(self):
        """The time of the last call's rounds, from each launch until the flag was read."""
        return self._rounds.total_ms

    def last_round_milliseconds(self):
        return self._rounds.last_ms


def flag(device, dtype="int32"):
    return Flag(device, dtype)


def repeat(device, *bound):
    """Return a native loop that makes these launches in turn, as often as it is told, without a look at the device."""
    return device.loop(None, *bound, of_a_round=len(bound))
