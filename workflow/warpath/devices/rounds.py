"""Rounds of kernel launches that a native loop makes and times (native/rounds.cpp)."""

import ctypes
import functools
from pathlib import Path

from warpath.base import compiler

FOLDER = Path(__file__).with_name("native")
_OPTIONS = ("-std=c++17", "-O2", "-Wall", "-Wextra")


class _Rounds(ctypes.Structure):
    _fields_ = (("count", ctypes.c_longlong), ("total_ms", ctypes.c_double), ("last_ms", ctypes.c_double))


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


class Loop:
    """Makes rounds of some launches each, in turn, until one leaves the flag at 0.

    `run(launches, count, of_a_round, most, rounds)` returns an error of the device, which `check` raises.
    """

    def __init__(self, device, bound, of_a_round, run, check):
        self._device, self._run, self._check = device, run, check
        self._of_a_round = of_a_round
        self._bound = bound  # keeps arguments alive
        self._launches = (type(bound[0].launch) * len(bound))(*(each.launch for each in bound))
        self._rounds = _Rounds()

    def __call__(self, most=0):
        """Make rounds, `most` at most if that is positive; return their number."""
        counts = map(ctypes.c_longlong, (len(self._launches), self._of_a_round, most))
        error = self._run(self._launches, *counts, self._rounds)
        self._device.launches += self._rounds.count * self._of_a_round
        self._check(error)
        return self._rounds.count

    def milliseconds(self):
        """The time of the last call's rounds, from each launch until the flag was read."""
        return self._rounds.total_ms

    def last_round_milliseconds(self):
        return self._rounds.last_ms


class Repeat:
    """Makes launches in turn, again and again, without a look at the device."""

    PORTION = 4096  # repetitions between which Python handles signals

    def __init__(self, device, bound, run, check):
        self._device, self._run, self._check = device, run, check
        self._bound = bound  # keeps arguments alive
        self._launches = (type(bound[0].launch) * len(bound))(*(each.launch for each in bound))

    def __call__(self, times):
        for done in range(0, times, self.PORTION):
            portion = min(self.PORTION, times - done)
            error = self._run(self._launches, *map(ctypes.c_longlong, (len(self._launches), portion)))
            self._check(error)
            self._device.launches += portion * len(self._launches)


class Bound:
    """A launch with its arguments; `error` is the buffer for the message of a fault on the host device."""

    def __init__(self, launch, error, *kept):
        self.launch, self.error, self._kept = launch, error, kept


@functools.cache
def native(name):
    """The library of native/<name>.cpp, compiled on first use."""
    file = FOLDER / f"{name}.cpp"
    return compiler.load(compiler.library(name, _OPTIONS, [file], [file.read_bytes()]))
