"""A device that notes when each round of a solve ends, and how much of it was waiting. Its times are never a run's.

A kernel whose blocks wait for each other is compiled with kernels/include/trace.cuh before it, and a round is what lies
between two waits. Of other algorithms a round ends when the host has read what it goes on by;
events around each launch tell how long kernels ran in it.
"""

import itertools
import re
from typing import NamedTuple

from warpath.base import cache
from warpath.base.errors import UserError
from warpath.base.files import atomic
from warpath.devices import code

HEADERS = ("warpath.cuh", "exchange.cuh", "tally.cuh")  # have the functions that trace.cuh traces
BARRIER = re.compile(r"\bgrid_barrier\(")  # of a kernel, in its file or in a header
MOST_ROUNDS, WORDS = 1 << 16, 6  # barriers that are noted, and words of each in trace.cuh
UNKNOWN, ENDS = 2**32 - 1, 2**31  # numbers of levels
THREADS = 256


class Round(NamedTuple):
    """A round's time, how much of it is waiting, and how much even the last to arrive waits; levels that are then done.

    Levels are None where the kernel does not say. A host loop waits in one way: its GPU is idle.
    """

    levels: int | None
    milliseconds: float
    waiting_ms: float
    least_waiting_ms: float


class Device:
    """The `device` with kernels that are traced; `rounds()` are those of a solve since `clear()`."""

    def __init__(self, device):
        self._device = device
        self._trace = None  # the kernels that clear and copy what trace.cuh notes
        self._rounds = [[]]  # of a host loop: the timers of each launch
        self._timers, self._used = [], 0  # made once: that takes longer than to use them

    def __getattr__(self, name):
        return getattr(self._device, name)

    def kernels(self, stem, *names, **defines):
        files = code.files(stem, ".cu")
        if not any(BARRIER.search(file.read_text()) for file in files if file.name not in HEADERS):
            return tuple(_Kernel(kernel, self._timed) for kernel in self._device.kernels(stem, *names, **defines))
        defines |= {"traced_barriers": f"{MOST_ROUNDS}u"}
        names += "clear_trace", "copy_trace"
        *kernels, clear, copy = self._device.kernels(_with_trace(files[0]), *names, **defines)
        self._trace = trace = clear, copy

        def noted(launch):
            """Read rounds from the trace of the kernel that was launched: an algorithm may prepare several."""

            def noted_launch(*arguments):
                self._trace = trace
                launch(*arguments)

            return noted_launch

        return tuple(_Kernel(kernel, noted) for kernel in kernels)

    def flag(self, dtype="int32"):
        return self._ending_rounds(self._device.flag(dtype))

    def words(self, count):
        return self._ending_rounds(self._device.words(count))

    def loop(self, *_, **__):
        raise UserError("its host loop is native and cannot be traced")

    repeat = loop

    def _ending_rounds(self, words):
        read = words.read

        def read_and_end(*arguments):
            value = read(*arguments)
            if self._rounds[-1]:
                self._rounds.append([])
            return value

        words.read = read_and_end
        return words

    def _timed(self, launch):
        def timed_launch(*arguments):
            if self._used == len(self._timers):
                self._timers.append(self._device.timer())
            timer = self._timers[self._used]
            self._used += 1
            self._rounds[-1].append(timer)
            timer.start()
            launch(*arguments)
            timer.stop()

        return timed_launch

    def clear(self):
        self._rounds, self._used = [[]], 0
        if self._trace:
            self._trace[0][MOST_ROUNDS // THREADS, THREADS]()
        self.synchronize()

    def rounds(self):
        return self._between_barriers() if self._trace else self._between_reads()

    def _between_barriers(self):
        count, rows = (self.xp.zeros(size, "uint64") for size in (1, (MOST_ROUNDS, WORDS)))
        self._trace[1][MOST_ROUNDS // THREADS, THREADS](count, rows)
        self.synchronize()
        passed = int(self.get(count)[0])
        if not 2 <= passed <= MOST_ROUNDS:
            raise UserError(f"the solve has {passed} barriers; 2 to {MOST_ROUNDS} can be traced")
        barriers = self.get(rows)[:passed].astype("float64")
        ticks = barriers[-1, 1] - barriers[0, 1]
        tick_ms = (barriers[-1, 2] - barriers[0, 2]) / ticks / 1e6
        found, done = [], 0
        for before, (told, tick, _, waited, least, blocks) in itertools.pairwise(barriers):
            total = tick - before[1]
            waiting = min(waited / blocks, total)
            times = (tick_ms * each for each in (total, waiting, min(least, waiting)))
            levels = _levels(int(told), done)
            done = done if levels is None else levels
            found.append(Round(levels, *times))
        return found

    def _between_reads(self):
        rounds = [timers for timers in self._rounds if timers]
        if not rounds:
            raise UserError("the solve launches no kernel that can be traced")
        found = []
        for timers, following in itertools.zip_longest(rounds, rounds[1:]):
            first, last = timers[0], timers[-1]
            total = following[0].since(first) if following else last.since(first) + last.milliseconds()
            waiting = max(0.0, total - sum(timer.milliseconds() for timer in timers))
            found.append(Round(None, total, waiting, waiting))
        return found


class _Kernel:
    """A kernel whose launches are noted by `note`."""

    def __init__(self, kernel, note):
        self._kernel, self._note = kernel, note

    def __getattr__(self, name):
        return getattr(self._kernel, name)

    def __getitem__(self, key):
        return self._note(self._kernel[key])

    @property
    def cooperative(self):
        return _Kernel(self._kernel.cooperative, self._note)


def _with_trace(file):
    """A file that includes trace.cuh and then the kernel."""
    path = cache.folder() / f"traced-{file.stem}.cu"
    with atomic(path) as temporary:
        temporary.write_text(f'#include "trace.cuh"\n#include "{file.resolve()}"\n')
    return path


def _levels(told, done):
    """How many levels are done after a wait, by what the kernel told and what were done before; None if unknown.

    A wait that ends a level may come before or after the kernel counts it.
    """
    if told == UNKNOWN:
        return None
    return max(told - ENDS, done + 1) if told & ENDS else told
