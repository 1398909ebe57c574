"""Algorithms, and what their authors import: @algorithm, sweeps, and helpers for host code."""

from collections.abc import Callable
from typing import Any, NamedTuple

from warpath.algorithms.bounds import triples
from warpath.algorithms.description import algorithm
from warpath.algorithms.launches import BLOCK_SIZES, CONFIGURATIONS, configurations, sweep
from warpath.base import processor

# The largest int32. Distances are uint32, so UNREACHABLE + UNREACHABLE still fits: no kernel needs a guard.
UNREACHABLE = 2**31 - 1

NOBODY = -1  # the parent of a vertex without one


class Solution(NamedTuple):
    """The result of a solve; `phases()` splits its time, in milliseconds, where the paper reports it split.

    `reported_ms` is the time by a clock of its own, of which only a program's command is believed.

    Distances and parents are contiguous integer arrays of the device. They are copied, and then overwritten.
    """

    distance: Any
    iterations: int
    parents: Any = None
    phases: Callable | None = None
    reported_ms: float | None = None


def blocks_for(threads, block):
    """Return the number of blocks of `block` threads that hold `threads`; at least one, as a launch needs one."""
    return max(1, -(-threads // block))


def reset(array, source, there=0, elsewhere=UNREACHABLE):
    """Initialise a solve: `there` at the source, `elsewhere` at every other vertex."""
    array.fill(elsewhere)
    array[source] = there


def rounds_until_unchanged(flag, one_round, most=None):
    """Call `one_round(number)`, `most` times at most, until it leaves the flag unset; return the number of rounds."""
    number, changing = 0, True
    while changing and number != most:
        flag.clear()
        one_round(number)
        changing = flag.read()
        number += 1
    return number


class Laps:
    """Total device time of a repeated step. Timers are read at the end only, as reading one waits for the device."""

    def __init__(self, device):
        self._new, self._timers, self._done = device.timer, [], 0

    def begin(self):
        self._done = 0

    def start(self):
        if self._done == len(self._timers):
            self._timers.append(self._new())
        self._timers[self._done].start()

    def stop(self):
        self._timers[self._done].stop()
        self._done += 1

    def milliseconds(self):
        return sum(timer.milliseconds() for timer in self._timers[: self._done])


def answer_matrix(vertices):
    """Allocate the all-pairs matrix on the host; MemoryError if it does not fit, as Linux would overcommit."""
    import numpy as np

    required, free = 4 * vertices**2, processor.free_bytes()
    if required > free:
        raise MemoryError(f"the answer takes {required / 1e9:.3g} GB and the host has {free / 1e9:.3g} GB free")
    return np.empty((vertices, vertices), "uint32")
