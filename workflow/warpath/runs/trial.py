"""One solve at a time: timed by our clocks alone, its answer taken away, and checked."""

import math
from time import perf_counter

import numpy as np

from warpath.devices import ON_GPU

# A baseline is called so often that a sample takes this long: a hundred times what Python adds to it.
LONG_ENOUGH_MS = 2

# Writing so many bytes stands for writing an answer whose rows lie apart.
SAMPLE_BYTES = 1 << 27

EMPTY = 20  # solves that do nothing, which show what the clocks add

# A clock may count so many times more than in a solve that does nothing, on what no solve should take.
CLOCKS_APART = 5


class Trial:
    """Create it before the algorithm is prepared, and give it the function that solves."""

    def __init__(self, device, kept, checker, sources, reports=False):
        self._device, self._kept, self._checker = device, kept, checker
        self.solve, self.sources = None, sources
        self.reports = reports  # whether solves say how long they took, which is believed up to what our clock shows
        self._timer, self._settled = device.timer(), device.timer()
        self._empty_ms = math.inf
        self._left_ms = []  # for each counted solve, how long the device went on after its end
        self.costs = {"measure_s": 0.0, "check_s": 0.0}
        self.prepared_bytes = 0  # memory that the algorithm has when it is prepared
        self.slowed = set()  # the reasons for low clocks after any counted solve
        self._elapsed_ms = 0.0  # of the last solve or solves
        self.check_bytes = 0  # memory that checks have taken, which is not the algorithm's

    def begin(self):
        self._empty_ms = 2 * np.median([self._clocked(lambda source: None, None)[2] for _ in range(EMPTY)])

    def lengthen(self):
        """Have the device call the baseline often enough for a sample to be long."""
        if self._elapsed_ms > 20 * LONG_ENOUGH_MS:  # however much slower the first solve was
            return
        # The shortest of a few, as other processes interrupt. Calls of several functions are not repeated one by one,
        # because they may depend on each other.
        while self._device.launches == 1:
            shortest = min(self.timed(self.sources[0])[0]["wall_ms"] for _ in range(3))  # of one call
            if self._device.calls * shortest >= LONG_ENOUGH_MS:
                return
            self._device.calls = math.ceil(min(100 * self._device.calls, 1.2 * LONG_ENOUGH_MS / shortest))

    def timed(self, source, rows=None):
        """Solve, as often as a baseline is called; return measurements, and a copy of the answer or of these rows."""
        self._device.launches = 0
        solve_ms, left_ms, self._elapsed_ms, solution = self._clocked(self.solve, source)
        self._left_ms.append(left_ms)
        launches = None if self._device.kind == "peer_gpu" else self._device.launches  # which are not through us
        calls = getattr(self._device, "calls", 1)
        phases = solution.phases() if solution.phases else {}  # by a clock that is not believed beyond ours
        solve_ms += left_ms
        if self.reports:
            solve_ms = min(solve_ms, solution.reported_ms)
        return {
            "solve_ms": solve_ms / calls,
            "wall_ms": self._elapsed_ms / calls,
            "calls": calls,
            "kernel_launches": launches,
            "iterations": int(solution.iterations),
            "phases": {name: min(time, self._elapsed_ms) for name, time in phases.items()},
        }, self._counted(lambda: self._checker.take(solution, rows))

    def _clocked(self, solve, source):
        """Return the milliseconds until a solve ended, from then on, and by the host's clock; and what it returned.

        The device goes on after the end with what was started on another stream. Up to what a solve that does nothing
        takes, the time until it is idle counts as none.
        """
        self._device.synchronize()
        begin = perf_counter()
        self._timer.start()
        solution = solve(source)
        self._timer.stop()
        self._device.synchronize()
        self._settled.start()
        solve_ms = self._timer.milliseconds()
        left_ms = self._settled.since(self._timer) - solve_ms
        wall_ms = (perf_counter() - begin) * 1e3
        is_left = self._device.kind in ON_GPU and left_ms > self._empty_ms
        return solve_ms, left_ms if is_left else 0, wall_ms, solution

    def sample(self, number, measurements, answer):
        """Check the answer from source `number`; return the complete sample."""
        self.slowed |= self._device.slowed()  # before the check, in which the GPU is idle
        wrong = self._counted(lambda: self._checker.wrong_vertices(number, answer))
        sample = measurements | {"wrong_vertices": wrong, "arcs_visited": self._checker.arcs_visited(number)}
        self.costs["measure_s"] += measurements["wall_ms"] * measurements["calls"] / 1e3
        return sample

    def _counted(self, check):
        """Do what belongs to checking; count its time and its memory apart from the algorithm's."""
        begin, memory = perf_counter(), self._kept.memory_used
        result = check()
        self.check_bytes += self._kept.memory_used - memory
        self.costs["check_s"] += perf_counter() - begin
        return result

    def cold(self):
        """Time a solve after the caches were overwritten; None where the device has none of its own."""
        if not self._device.flush():
            return None
        source, (measurements, _) = self.sources[0], self.timed(self.sources[0])
        times = {name: measurements[name] for name in ("solve_ms", "wall_ms")}
        return {"source": -1 if source is None else source} | times

    def floor_ms(self):
        """The least that a solve can take on a GPU: half of a launch that does nothing, and writing its answer."""
        answer, xp = self._checker.last, self._device.xp
        if self._device.kind not in ON_GPU or not isinstance(answer, xp.ndarray):
            return 0
        memory = answer
        if not answer.flags.c_contiguous:  # filling that is slower than writing as many bytes
            memory = xp.empty(min(answer.nbytes, SAMPLE_BYTES), "uint8")
        launch, write = (
            min(self._clocked(self._device.overwrite, array)[0] for _ in range(5))
            for array in (memory.reshape(-1)[:1], memory)
        )
        return launch / 2 + (write - launch) * answer.nbytes / memory.nbytes

    def doubt(self, samples):
        """Say what the clocks show that an honest solve would not; None if nothing, or where both are one."""
        if self._device.kind not in ON_GPU:
            return None
        left_ms = np.median(self._left_ms)
        solve, wall = (np.median([each[name] for each in samples]) for name in ("solve_ms", "wall_ms"))
        apart_ms = wall - solve - wall / 10
        if max(left_ms, apart_ms) > CLOCKS_APART * self._empty_ms:
            self.begin()  # anew: another program may have come to use the device
        if left_ms > CLOCKS_APART * self._empty_ms:
            return f"the device was busy for {left_ms:.4g} ms after a solve of {solve:.4g} ms had ended"
        if apart_ms > CLOCKS_APART * self._empty_ms:
            return f"the device's clock shows {solve:.4g} ms and the host's {wall:.4g} ms for the same solves"
        return None
