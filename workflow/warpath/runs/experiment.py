"""The experiment on an open device: load, prepare, warm up, time each solve and check its answer."""

import functools
import math
import platform
import sys
import time

import numpy as np

from warpath.algorithms import peers
from warpath.base import processor
from warpath.base.errors import Damaged
from warpath.base.problems import PROBLEMS
from warpath.graphs import csr
from warpath.runs import lease, oracle, rehearsal
from warpath.runs.check import Checker
from warpath.runs.operand import Operand

# A baseline is called so often that a sample takes this long: a hundred times what Python adds to it.
LONG_ENOUGH_MS = 2

# Seconds after which an emulated run solves from no source again: its times say nothing about a GPU.
EMULATED = 0.5

# Seconds of solves between two readings of the energy: a reading takes time, in which the GPU is idle.
READ_EVERY = 0.05

# A run is noisy if the quartiles of the repetitions from one source lie further apart than this share of their median.
NOISY = 0.1


def load(spec, kept, report, clock):
    """Do what needs no device, before one is leased: return the graph, the right answers and the launch."""
    csr.require(spec.graph_folder, spec.graph)
    oracle.require(spec.oracle, spec.graph_folder, spec.problem)
    graph = kept.graph(spec.graph_folder)
    answers = kept.answers(spec.oracle)
    if answers.graph_digest != oracle.digest(graph):
        raise Damaged(spec.oracle, f"computed for another graph than {spec.graph_folder}")
    launch = spec.described.launch(spec.launch)
    report(
        "about",
        parameters=launch.parameters,
        paper=spec.described.paper,
        exact=spec.described.exact,
        vertices=graph.vertices,
        arcs=graph.arcs,
        directed=graph.directed,
        weights=graph.metadata.get("weights"),
        stand_in_for=graph.metadata.get("stand_in_for"),
        graph_sha256=graph.metadata.get("digest"),
    )
    clock.lap("load_s")
    oracle.require_exact(graph, answers, spec.problem)
    if spec.device == "cuda":
        rehearsal.compile_kernels(spec.device, spec.described, graph, launch)
        clock.lap("prepare_s")
    return graph, answers, launch


def run(spec, device, kept, report, clock, inputs):
    """Upload, compile and allocate; then warm up, and sample until the repetitions or the budget are used up."""
    graph, answers, launch = inputs
    report("environment", sensors_before=device.sensors())
    rehearsal.require(spec.described, device, graph, launch, kept.free_bytes(), spec.placement)
    keep = functools.partial(kept.array, graph.metadata["digest"])
    operand = Operand(graph, device, keep, placement=spec.placement)
    checker = Checker(device, operand, graph, answers, spec.problem)
    with device.preparing():
        solve = spec.described.prepare(device, operand, launch)
    device.synchronize()
    clock.lap("prepare_s")
    report("about", chosen=getattr(solve, "chosen", None))
    report("costs", upload_s=operand.upload_s, compile_s=clock.compiling())
    if not spec.on_gpu:
        kept.locks.append(lease.machine(lambda: report("waiting")))
        report("leased", locks=kept.locks)
        clock.lap("lease_s")
    report("ready")
    ready = time.perf_counter()

    all_pairs, rows = PROBLEMS[spec.problem].all_pairs, len(answers.sources)
    trial = Trial(device, kept, checker, solve, [None] if all_pairs else answers.sources)
    long_solve = _warm_up(spec, trial)
    if spec.device == "cpu" and spec.warmup:
        trial.lengthen()
    clock.lap("warmup_s")
    wrong, times = _repeat(spec, trial, report, long_solve)
    report("costs", **trial.costs)
    report("environment", **device.environment(), sensors_after=device.sensors())
    loaded = {name: sys.modules[name].__version__ for name in ("numpy", "cupy") if name in sys.modules}
    report(
        "environment",
        cpu=processor.environment()["device_name"],
        python=platform.python_version(),
        packages={"scipy": answers.scipy, **loaded, **peers.versions(spec.described.library)},
    )
    memory = kept.memory_used - trial.check_bytes
    if spec.energy and not wrong:
        begin = time.perf_counter()
        report("about", energy=_energy_before(ready + spec.time_limit, spec, device, trial, solve))
        report("costs", energy_s=time.perf_counter() - begin)
    kept.prove()
    checked = {"sources": 0 if all_pairs else rows, "rows": rows if all_pairs else None}
    ending = (
        {"status": "wrong", "error": f"{wrong} wrong vertices in all samples together"} if wrong else {"status": "ok"}
    )
    report("end", memory_bytes=memory, checked=checked, judge=answers.judge, **ending)
    quartiles = [np.percentile(samples, [25, 50, 75]) for samples in times.values() if len(samples) > 2]
    if any(high - low > NOISY * middle for low, middle, high in quartiles):
        report("flag", flag="noisy")
    if trial.slowed:
        report("flag", flag="throttled")
        report("environment", slowed_by=sorted(trial.slowed))


class Trial:
    """Time one solve at a time, and check its answer."""

    def __init__(self, device, kept, checker, solve, sources):
        self._device, self._kept, self._checker, self._solve, self.sources = device, kept, checker, solve, sources
        self._timer = device.timer()
        self.costs = {"measure_s": 0.0, "check_s": 0.0}
        self._samples = 0
        self.slowed = set()  # the reasons for low clocks after any counted solve
        self._elapsed_ms = 0.0  # of the last solve or solves
        self.check_bytes = 0  # memory that checks have taken, which is not the algorithm's

    @property
    def round_s(self):
        """Seconds of a solve from every source, at the mean of those that were measured."""
        return self.costs["measure_s"] / max(1, self._samples) * len(self.sources)

    def lengthen(self):
        """Have the device call the baseline often enough for a sample to be long."""
        if self._elapsed_ms > 20 * LONG_ENOUGH_MS:  # however much slower the first solve was
            return
        # The shortest of a few, as other processes interrupt. Calls of several functions are not repeated one by one,
        # because they may depend on each other.
        while (shortest := min(self._elapsed() for _ in range(3))) < LONG_ENOUGH_MS and self._device.launches == 1:
            self._device.calls = math.ceil(self._device.calls * min(100, 1.2 * LONG_ENOUGH_MS / shortest))

    def _elapsed(self):
        self.timed(self.sources[0])
        return self._elapsed_ms

    def timed(self, source):
        """Solve once, or as often as the device calls a baseline; return the measurements and the solution."""
        self._device.launches = 0
        self._device.synchronize()
        begin = time.perf_counter()
        self._timer.start()
        solution = self._solve(source)
        self._timer.stop()
        solve_ms = self._timer.milliseconds()
        self._elapsed_ms = (time.perf_counter() - begin) * 1e3
        calls = getattr(self._device, "calls", 1)
        return {
            "solve_ms": solution.milliseconds() if solution.milliseconds else solve_ms / calls,
            "wall_ms": self._elapsed_ms / calls,
            "calls": calls,
            "kernel_launches": self._device.launches,
            "iterations": int(solution.iterations),
            "phases": solution.phases() if solution.phases else {},
        }, solution

    def sample(self, number, measurements, solution):
        """Check the solution from source `number`; return the complete sample."""
        self.slowed |= self._device.slowed()  # before the check, in which the GPU is idle
        begin, memory = time.perf_counter(), self._kept.memory_used
        wrong = self._checker.wrong_vertices(number, solution)
        sample = measurements | {"wrong_vertices": wrong, "arcs_visited": self._checker.arcs_visited(number)}
        self._samples += 1
        self.check_bytes += self._kept.memory_used - memory
        self.costs["measure_s"] += measurements["wall_ms"] * measurements["calls"] / 1e3
        self.costs["check_s"] += time.perf_counter() - begin
        return sample


def _warm_up(spec, trial):
    """Solve without counting. A solve that takes longer than the budget is not repeated but returned, as the sample."""
    for _ in range(spec.warmup):
        measurements, solution = trial.timed(trial.sources[0])
        if measurements["wall_ms"] > 1e3 * _seconds_to_repeat(spec):
            return measurements, solution
    return None


def _seconds_to_repeat(spec):
    return min(EMULATED, spec.budget) if spec.device == "host" else spec.budget


def _repeat(spec, trial, report, long_solve):
    """Solve from every source, then from all again, until the repetitions or the budget are used up.

    Return the number of wrong vertices, and the times by source. A run cut short has still measured all sources evenly.
    """
    wrong, times, begin = 0, {}, time.perf_counter()
    if long_solve:
        begin -= long_solve[0]["wall_ms"] / 1e3
    for repetition in range(spec.repetitions):
        for number, source in enumerate(trial.sources):
            seconds = time.perf_counter() - begin - trial.costs["check_s"]
            if seconds > (_seconds_to_repeat(spec) if repetition else spec.budget) and times:
                report("flag", flag="shortened")
                return wrong, times
            sample = trial.sample(number, *(long_solve or trial.timed(source)))
            long_solve = None
            report("sample", source=-1 if source is None else source, repetition=repetition, **sample)
            times.setdefault(number, []).append(sample["solve_ms"])
            wrong += sample["wrong_vertices"]
    return wrong, times


def _energy_before(deadline, spec, device, trial, solve):
    """Return what `energy` does, or None if the time limit might end the run before."""
    if time.perf_counter() + spec.energy + 3 * trial.round_s > deadline:
        print("energy: not measured, because it might take longer than what is left of the time limit")
        return None
    measured = energy(device, solve, trial.sources, spec.energy)
    if measured is None:
        print(f"energy: not available on device {spec.device}")
    return measured


def energy(device, solve, sources, seconds):
    """Solve from all sources in turn for so many seconds; return {joules, solves, seconds}, None without a counter.

    The GPU's counter is renewed only now and then, so the interval begins and ends with a reading that differs from the
    one before. All that the card draws meanwhile counts, also what it draws when idle.
    """
    begun, solves, last = None, 0, device.joules()
    while last is not None:
        read_at = time.perf_counter() + READ_EVERY
        while time.perf_counter() < read_at:
            for source in sources:
                solve(source)
                device.synchronize()
            solves += len(sources)
        joules, now = device.joules(), time.perf_counter()
        if joules != last and begun is None:
            begun, solves = (joules, now), 0
        elif joules != last and now - begun[1] >= seconds:
            return {"joules": joules - begun[0], "solves": solves, "seconds": now - begun[1]}
        last = joules
    return None
