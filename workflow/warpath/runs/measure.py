"""One run from inside: open the device, load, prepare, warm up, measure, check, and report each step as it is done."""

import collections
import functools
import os
import platform
import sys
import time
import traceback
from dataclasses import dataclass

from warpath import peers
from warpath.algorithms import UNREACHABLE, description, discovery
from warpath.foundation import processor
from warpath.foundation.errors import Damaged, UserError

# Quartiles of the repetitions from one source that lie further apart than this share of the median: a noisy run.
NOISY = 0.1


@dataclass(frozen=True)
class Spec:
    """Everything that one run needs to know, from the command line."""

    graph: str
    problem: str
    algorithm: str
    launch: str
    device: str
    graph_folder: str
    oracle: str
    warmup: int = 1
    repetitions: int = 5
    budget: float = 20
    time_limit: float = 240
    kernels: str = str(discovery.KERNELS)
    command: str = ""
    started_s: float = 0.0

    @functools.cached_property
    def described(self):
        return discovery.named(f"{self.problem}/{self.algorithm}", self.kernels)

    @property
    def sources_files(self):
        return [os.path.relpath(path) for path in discovery.sources(self.described, self.kernels)]


class Refused(Exception):
    """The graph is outside of what the algorithm can answer exactly."""


def measure(spec, tell):
    """Do the run; `tell(kind, **fields)` reports each result at once, so that none is lost if this process is."""
    from warpath.devices import errors

    try:
        _measure(spec, tell)
    except (errors.UnsupportedLaunch, Refused) as error:
        tell("end", status="unsupported", error=str(error))
    except (errors.OutOfMemory, MemoryError) as error:
        tell("end", status="out_of_memory", error=str(error) or "out of memory")
    except UserError as error:
        tell("end", status="failed", error=str(error))
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        tell("end", status="failed", error=f"{type(error).__name__}: {error}"[:2000])


def _measure(spec, tell):
    clock = _Clock(tell)
    if why := peers.why_skipped(spec.described, "cuda" if spec.device in description.ON_GPU else "host"):
        raise UserError(f"{spec.described.id}: {why}")
    from warpath.devices import driver
    from warpath.runs import lease

    number = 0
    if spec.device in description.ON_GPU:
        uuids = driver.uuids()
        clock.lap("device_s")
        number, locks = lease.gpu(uuids, lambda: tell("waiting"))
        tell("leased", locks=locks)
        clock.lap("lease_s")
        if locks:
            driver.wake(number)

    from warpath import devices
    from warpath.foundation import cache
    from warpath.graphs import csr
    from warpath.runs import oracle as oracles
    from warpath.runs import scratch
    from warpath.runs.operand import Operand

    clock.lap("import_s")
    device = devices.open(spec.device, number)
    clock.lap("device_s")
    graph = csr.read(scratch.local(spec.graph_folder))
    oracle = oracles.read(spec.oracle)
    if oracle.graph_digest != oracles.digest(graph):
        raise Damaged(spec.oracle, f"answers another graph than {spec.graph_folder}")
    described = spec.described
    launch = described.launch(spec.launch)
    tell("about", **_about(graph, described, launch))
    clock.lap("load_s")

    refuse(graph, oracle, spec.problem)
    tell("environment", sensors_before=device.sensors())
    operand = Operand(graph, device)
    solve = described.prepare(device, operand, launch)
    device.synchronize()
    clock.lap("prepare_s")
    tell("costs", upload_s=operand.upload_s, compile_s=sum(cache.build_seconds))
    if spec.device not in description.ON_GPU:
        tell("leased", locks=lease.machine(lambda: tell("waiting")))
        clock.lap("lease_s")
    tell("ready")
    _sample(spec, _Trial(spec, device, graph, oracle, solve), tell, clock)


def _about(graph, described, launch):
    return {
        "parameters": launch.parameters,
        "paper": described.paper,
        "exact": described.exact,
        "vertices": graph.vertices,
        "arcs": graph.arcs,
        "directed": graph.directed,
        "weights": graph.metadata.get("weights"),
        "standin_for": graph.metadata.get("stand_in_for"),
        "graph_sha256": graph.metadata.get("digest"),
    }


def refuse(graph, oracle, problem):
    """Answers are exact 31-bit integers; a graph whose distances are not is refused, not rounded or wrapped.

    What a kernel stores is below UNREACHABLE, and so is a weight: their sum fits 32 bits, whatever paths it tries.
    """
    if problem != "bfs" and graph.weights.dtype.kind == "f":
        raise Refused(
            f"graph {graph.name} has fractional weights and shortest paths are exact in integers only; "
            "give its catalogue entry another weights policy"
        )
    if oracle.longest >= UNREACHABLE:
        raise Refused(
            f"graph {graph.name} can have distances of {oracle.longest}; the longest that a 31-bit answer holds is "
            f"{UNREACHABLE - 1}"
        )


def _sample(spec, trial, tell, clock):
    device = trial.device
    starts = [None] if spec.problem == "apsp" else trial.oracle.sources
    early = _warm_up(spec, trial, starts[0])
    clock.lap("warmup_s")
    wrong, times = _repeat(spec, trial, starts, tell, early)
    tell("costs", **trial.costs)
    tell("environment", **device.environment(), sensors_after=device.sensors())
    tell("environment", **_software(spec.described.library, trial.oracle))
    tell("end", memory_bytes=device.memory_used(), checked=trial.checked, **_status(wrong))
    _flag(times, trial.slowed, tell)


def _software(library, oracle):
    """And the host's processor, which every run needs; SciPy is what found the right answers."""
    loaded = {name: sys.modules[name].__version__ for name in ("numpy", "cupy") if name in sys.modules}
    return {
        "cpu": processor.environment()["device_name"],
        "python": platform.python_version(),
        "packages": {"scipy": oracle.scipy, **loaded, **peers.versions(library)},
    }


class _Trial:
    """Solves once from one source: times it, then checks the answer."""

    def __init__(self, spec, device, graph, oracle, solve):
        self.spec, self.device, self.graph, self.oracle, self.solve = spec, device, graph, oracle, solve
        self.timer = device.timer()
        self.costs = {"measure_s": 0.0, "check_s": 0.0}
        self.slowed = set()  # by what, at the end of any counted solve
        rows = len(oracle.sources)
        self.checked = {"sources": 0, "rows": rows} if spec.problem == "apsp" else {"sources": rows, "rows": None}

    def timed(self, source):
        """One solve: what was measured of it, and its answer."""
        self.device.launches = 0
        self.device.synchronize()
        begin = time.perf_counter()
        self.timer.start()
        solution = self.solve(source)
        self.timer.stop()
        solve_ms = self.timer.milliseconds()
        wall_ms = (time.perf_counter() - begin) * 1e3
        return {
            "solve_ms": solve_ms,
            "wall_ms": wall_ms,
            "kernel_launches": self.device.launches,
            "iterations": int(solution.iterations),
            "phases": solution.phases() if solution.phases else {},
        }, solution

    def checked_sample(self, number, source, measured, solution):
        self.slowed |= self.device.slowed()  # before the GPU rests
        begin = time.perf_counter()
        measured |= self._check(number, solution)
        self.costs["measure_s"] += measured["wall_ms"] / 1e3
        self.costs["check_s"] += time.perf_counter() - begin
        return measured

    def _check(self, number, solution):
        from warpath.runs import check, oracle

        wrong = check.wrong_vertices(solution, self.device, self.graph, self.oracle, self.spec.problem, number)
        if self.spec.problem == "apsp":
            return {"wrong_vertices": wrong, "arcs_visited": self.graph.vertices * self.graph.arcs}
        return {"wrong_vertices": wrong, "arcs_visited": oracle.arcs_visited(self.graph, self.oracle.distance[number])}


def _warm_up(spec, trial, start):
    """Solves that are not counted; but one that alone takes longer than the budget is returned, to be the sample."""
    for _ in range(spec.warmup):
        measured, solution = trial.timed(start)
        if measured["wall_ms"] > 1e3 * spec.budget:
            return measured, solution
    return None


def _repeat(spec, trial, starts, tell, early=None):
    """Every source once, then all again: a run that its budget cuts short has still seen them evenly."""
    wrong, times, begin = 0, {}, time.perf_counter()
    if early:
        begin -= early[0]["wall_ms"] / 1e3
    for repetition in range(spec.repetitions):
        for number, source in enumerate(starts):
            if times and time.perf_counter() - begin > spec.budget:
                tell("flag", flag="shortened")
                return wrong, times
            measured = trial.checked_sample(number, source, *(early or trial.timed(source)))
            early = None
            tell("sample", source=-1 if source is None else source, repetition=repetition, **measured)
            times.setdefault(number, []).append(measured["solve_ms"])
            wrong += measured["wrong_vertices"]
    return wrong, times


def _status(wrong):
    if wrong:
        return {"status": "wrong", "error": f"{wrong} wrong vertices in all samples together"}
    return {"status": "ok"}


def _flag(times, slowed, tell):
    import numpy as np

    for samples in times.values():
        low, middle, high = np.percentile(samples, [25, 50, 75])
        if len(samples) > 2 and high - low > NOISY * middle:
            tell("flag", flag="noisy")
            break
    if slowed:
        tell("flag", flag="throttled")
        tell("environment", slowed_by=sorted(slowed))


class _Clock:
    """Tells the seconds since the lap before, under a name; laps of one name are added up."""

    def __init__(self, tell):
        self.tell, self.last, self.sums = tell, time.perf_counter(), collections.Counter()

    def lap(self, name):
        now = time.perf_counter()
        self.sums[name] += now - self.last
        self.tell("costs", **{name: self.sums[name]})
        self.last = now
