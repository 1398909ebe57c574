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
from warpath.runs import certificate, check, energy, exact, judge, lease, oracle, proof, rehearsal
from warpath.runs.operand import Operand

# A baseline is called so often that a sample takes this long: a hundred times what Python adds to it.
LONG_ENOUGH_MS = 2

# Seconds after which an emulated run solves from no source again: its times say nothing about a GPU.
EMULATED = 0.5

# A run is noisy if the quartiles of the repetitions from one source lie further apart than this share of their median.
NOISY = 0.1


def load(spec, kept, report, clock):
    """Do what needs no device, before one is leased: return the graph, the right answers and the launch."""
    graph, answers = _load(spec, kept)
    launch = spec.described.launch(spec.launch)
    report("about", **_about(graph, spec.described, launch))
    clock.lap("load_s")
    exact.require(graph, answers, spec.problem)
    if spec.device == "cuda":
        rehearsal.compile_kernels(spec.device, spec.described, graph, launch)
        clock.lap("prepare_s")
    return graph, answers, launch


def run(spec, device, kept, report, clock, inputs):
    graph, answers, launch = inputs
    report("environment", sensors_before=device.sensors())
    operand, solve = _prepare(spec, device, kept, graph, launch, report, clock)
    if not spec.on_gpu:
        locks = lease.machine(lambda: report("waiting"))
        kept.locks += locks
        report("leased", locks=locks)
        clock.lap("lease_s")
    report("ready")
    ready = time.perf_counter()

    trial = Trial(spec, device, kept, graph, answers, operand, solve)
    long_solve = _warm_up(spec, trial)
    if spec.device == "cpu" and spec.warmup:
        trial.lengthen()
    clock.lap("warmup_s")
    wrong, times = _repeat(spec, trial, report, long_solve)
    report("costs", **trial.costs)
    report("environment", **device.environment(), sensors_after=device.sensors())
    report("environment", **_software(spec.described.library, answers))
    memory = kept.memory_used - trial.proof_bytes
    if spec.energy and not wrong:
        begin = time.perf_counter()
        report("about", energy=_energy(spec, device, trial, solve, ready + spec.time_limit))
        report("costs", energy_s=time.perf_counter() - begin)
    kept.prove()
    error = {"error": f"{wrong} wrong vertices in all samples together"} if wrong else {}
    status = "wrong" if wrong else "ok"
    report("end", status=status, memory_bytes=memory, checked=trial.checked, judge=answers.judge, **error)
    _flag(times, trial.slowed, report)


def _load(spec, kept):
    csr.require(spec.graph_folder, spec.graph)
    oracle.require(spec.oracle, spec.graph_folder, spec.problem)
    graph = kept.graph(spec.graph_folder)
    answers = kept.answers(spec.oracle)
    if answers.graph_digest != oracle.digest(graph):
        raise Damaged(spec.oracle, f"computed for another graph than {spec.graph_folder}")
    return graph, answers


def _about(graph, described, launch):
    return {
        "parameters": launch.parameters,
        "paper": described.paper,
        "exact": described.exact,
        "vertices": graph.vertices,
        "arcs": graph.arcs,
        "directed": graph.directed,
        "weights": graph.metadata.get("weights"),
        "stand_in_for": graph.metadata.get("stand_in_for"),
        "graph_sha256": graph.metadata.get("digest"),
    }


def _prepare(spec, device, kept, graph, launch, report, clock):
    """Upload, compile and allocate; return the graph on the device, and the function that solves."""
    rehearsal.require(spec.described, device, graph, launch, kept.free_bytes(), spec.placement)
    keep = functools.partial(kept.array, graph.metadata["digest"])
    operand = Operand(graph, device, keep, placement=spec.placement)
    with device.preparing():
        solve = spec.described.prepare(device, operand, launch)
    device.synchronize()
    clock.lap("prepare_s")
    report("about", chosen=getattr(solve, "chosen", None))
    report("costs", upload_s=operand.upload_s, compile_s=clock.compiling())
    return operand, solve


class Trial:
    """Time one solve at a time, and check its answer."""

    def __init__(self, spec, device, kept, graph, answers, operand, solve):
        self._device, self._kept, self._graph, self._answers = device, kept, graph, answers
        self._operand, self._solve = operand, solve
        self._problem = PROBLEMS[spec.problem]
        self._timer = device.timer()
        self.costs = {"measure_s": 0.0, "check_s": 0.0}
        self._samples = 0
        self.slowed = set()  # the reasons for low clocks after any counted solve
        self._elapsed_ms = 0.0  # of the last solve or solves
        self.proof_bytes = 0  # memory that proofs have taken, which is not the algorithm's

    @property
    def sources(self):
        return [None] if self._problem.all_pairs else self._answers.sources

    @property
    def checked(self):
        rows = len(self._answers.sources)
        return {"sources": 0, "rows": rows} if self._problem.all_pairs else {"sources": rows, "rows": None}

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
        begin = time.perf_counter()
        wrong = self._wrong_vertices(number, solution)
        sample = measurements | {"wrong_vertices": wrong, "arcs_visited": self._arcs_visited(number)}
        self._samples += 1
        self.costs["measure_s"] += measurements["wall_ms"] * measurements["calls"] / 1e3
        self.costs["check_s"] += time.perf_counter() - begin
        return sample

    def _wrong_vertices(self, number, solution):
        memory = self._kept.memory_used
        count = self._unproved if self._answers.judge == judge.CERTIFICATE else self._unequal
        wrong = count(number, solution)
        self.proof_bytes += self._kept.memory_used - memory
        return wrong

    def _unequal(self, number, solution):
        """Count the vertices at which the answer is not SciPy's, on the device where it can."""
        wrong, source = None, self._answers.sources[number]
        if not self._problem.all_pairs:
            owner, name = self._graph.metadata["digest"], f"answer {self._problem.name} {source}"
            wrong = self._kept.differences(solution.distance, owner, name, self._answers.distance[number])
        if wrong is None:
            return check.wrong_vertices(solution, self._device, self._graph, self._answers, self._problem.name, number)
        if wrong or solution.parents is None:
            return wrong
        return self._wrong_parents(solution.parents, solution.distance, source)

    def _unproved(self, number, solution):
        """Count the vertices at which the proof fails; an answer with the digest of one that was proved needs none."""
        answer, source = solution.distance, self._answers.sources[number]
        if not self._is_readable(answer):
            answer = self._device.get(answer)
        digest = self._kept.digest(answer)
        if digest != self._answers.proved.get(number, (None,))[0]:
            weighted = self._problem.weighted
            if wrong := certificate.prove(self._device, self._operand, self._graph, answer, source, weighted):
                return wrong
            offsets = self._graph.offsets if isinstance(answer, np.ndarray) else self._operand.offsets
            self._answers.proved[number] = digest, oracle.arcs_visited(offsets, answer)
        return 0 if solution.parents is None else self._wrong_parents(solution.parents, answer, source)

    def _is_readable(self, answer):
        return proof.is_readable(answer, self._device, (self._graph.vertices,))

    def _wrong_parents(self, parents, answer, source):
        weighted, wrong = self._problem.weighted, None
        if self._is_readable(parents) and self._is_readable(answer):
            wrong = check.wrong_parents_on_device(self._device, self._operand, parents, answer, source, weighted)
        if wrong is not None:
            return wrong
        fetched = map(self._device.get, (parents, answer))
        return check.wrong_parents(*fetched, self._graph, source, unit_weights=not weighted)

    def _arcs_visited(self, number):
        """Count the arcs that leave reached vertices; None while the right answer is unknown."""
        if self._problem.all_pairs:
            return self._graph.vertices * self._graph.arcs
        proved = self._answers.proved
        if self._answers.judge == judge.SCIPY and number not in proved:
            proved[number] = None, oracle.arcs_visited(self._graph.offsets, self._answers.distance[number])
        return proved.get(number, (None, None))[1]


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


def _energy(spec, device, trial, solve, deadline):
    """Return what `energy.measure` does, or None if the time limit might end the run before."""
    if time.perf_counter() + spec.energy + 3 * trial.round_s > deadline:
        print("energy: not measured, because it might take longer than what is left of the time limit")
        return None
    measured = energy.measure(device, solve, trial.sources, spec.energy)
    if measured is None:
        print(f"energy: not available on device {spec.device}")
    return measured


def _software(library, answers):
    """Return the versions of the software, and the processor of the host."""
    loaded = {name: sys.modules[name].__version__ for name in ("numpy", "cupy") if name in sys.modules}
    return {
        "cpu": processor.environment()["device_name"],
        "python": platform.python_version(),
        "packages": {"scipy": answers.scipy, **loaded, **peers.versions(library)},
    }


def _flag(times, slowed, report):
    quartiles = [np.percentile(samples, [25, 50, 75]) for samples in times.values() if len(samples) > 2]
    if any(high - low > NOISY * middle for low, middle, high in quartiles):
        report("flag", flag="noisy")
    if slowed:
        report("flag", flag="throttled")
        report("environment", slowed_by=sorted(slowed))
