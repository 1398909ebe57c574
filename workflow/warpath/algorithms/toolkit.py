"""What the author of an algorithm writes with, beside @algorithm and sweeps."""

from collections.abc import Callable
from typing import Any, NamedTuple

from warpath.foundation import processor

# The largest int32. Distances are uint32, so UNREACHABLE + UNREACHABLE still fits: no kernel needs a guard.
UNREACHABLE = 2**31 - 1

NOBODY = -1  # the parent of a vertex that has none


class Solution(NamedTuple):
    """What a solve returns. `phases`, asked later, splits its time in milliseconds where a paper reports it split."""

    distance: Any
    iterations: int
    parents: Any = None
    phases: Callable | None = None


def blocks_for(threads, block):
    """How many blocks of `block` threads hold `threads`: at least one, for no device launches none."""
    return max(1, -(-threads // block))


def reset(array, source, there=0, elsewhere=UNREACHABLE):
    """What a solve begins with: one value at the source, another everywhere else."""
    array.fill(elsewhere)
    array[source] = there


def rounds_until_unchanged(flag, one_round, most=None):
    """Does rounds, which get their number, until one leaves the flag as it was. Returns how many there were."""
    number, changing = 0, True
    while changing and number != most:
        flag.clear()
        one_round(number)
        changing = flag.read()
        number += 1
    return number


class Laps:
    """Device time of what is done many times, added up at the end: to read a timer is to wait for the device."""

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
    """Room for all pairs on the host, or MemoryError at once: Linux promises pages that it does not have."""
    import numpy as np

    wanted, free = 4 * vertices**2, processor.free_bytes()
    if wanted > free:
        raise MemoryError(f"the answer takes {wanted / 1e9:.3g} GB and the host has {free / 1e9:.3g} GB free")
    return np.empty((vertices, vertices), "uint32")
