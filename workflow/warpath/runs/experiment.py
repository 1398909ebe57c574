"""The experiment on an open device: load, prepare, warm up, time each solve and check its answer."""

import contextlib
import functools
import platform
import sys
from time import perf_counter

import numpy as np

from warpath.algorithms import peers
from warpath.base import places, processor
from warpath.base.errors import Damaged
from warpath.base.problems import PROBLEMS
from warpath.devices.errors import OutOfMemory
from warpath.graphs import csr
from warpath.runs import lease, oracle, rehearsal, seal, statuses, unforeseen
from warpath.runs.check import Checker
from warpath.runs.operand import Operand
from warpath.runs.trial import Trial

# Seconds after which an emulated run solves from no source again: its times say nothing about a GPU.
EMULATED = 0.5

# Seconds of solves between two readings of the energy: a reading takes time, in which the GPU is idle.
READ_EVERY = 0.05

# Seconds of preparing up to which it is done so often again, in its own time: the first time loads modules and takes
# memory.
SHORT_S, AGAIN = 0.2, 3

# A run is noisy if the quartiles of the repetitions from one source lie further apart than this share of their median.
NOISY = 0.1


def load(spec, kept, report, clock):
    """Do what needs no device, before one is leased: return the graph, the right answers and the launch."""
    folder, file = places.graph(spec.graph), places.oracle(spec.graph, spec.problem)
    csr.require(folder, spec.graph)
    oracle.require(file, folder, spec.problem)
    graph, answers = kept.graph(folder), kept.answers(file)
    if answers.graph_digest != graph.metadata.get("digest"):
        raise Damaged(file, f"computed for another graph than {folder}")
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
    checker = Checker(device, operand, graph, answers, spec.problem, spec.described.is_unchecked)
    all_pairs, rows = PROBLEMS[spec.problem].all_pairs, len(answers.sources)
    trial = Trial(device, kept, checker, [None] if all_pairs else answers.sources, spec.described.reports)
    preparing_s = _prepare(spec, device, trial, operand, launch, report, clock)
    trial.prepared_bytes = kept.memory_used
    if not spec.on_gpu:
        kept.locks.append(lease.machine(lambda: report("waiting")))
        report("leased", locks=kept.locks)
        clock.lap("lease_s")
    report("ready")
    ready = perf_counter()

    trial.begin()
    long_solve = _warm_up(spec, trial)
    if spec.device == "cpu" and spec.warmup:
        trial.lengthen()
    clock.lap("warmup_s")
    wrong, samples = _repeat(spec, trial, report, long_solve)
    report("costs", **trial.costs, solving_s=perf_counter() - ready)
    loaded = {name: sys.modules[name].__version__ for name in ("numpy", "cupy") if name in sys.modules}
    report(
        "environment",
        **device.environment(),
        sensors_after=device.sensors(),
        cpu=processor.description(),
        python=platform.python_version(),
        packages={"scipy": answers.scipy, **loaded, **peers.versions(spec.described)},
    )
    memory = kept.memory_used - trial.check_bytes
    if spec.energy and not wrong:
        begin = perf_counter()
        report("about", energy=_energy_before(ready + spec.time_limit, spec, device, trial, samples))
        report("costs", energy_s=perf_counter() - begin)
    doubts = []
    if not wrong and not spec.described.is_unchecked:
        report("ready")  # the time limit counts anew
        begin = perf_counter()
        wrong, doubts, again_ms = _surprise(spec, device, trial, checker, inputs, samples, report)
        with contextlib.suppress(OutOfMemory):  # as what is kept of the graph takes memory, too
            if again_ms is None and device.kind != "host" and preparing_s < SHORT_S:
                prepare_again = functools.partial(unforeseen.prepare_again, spec, device, launch, trial, checker, graph)
                again_ms = float(np.median([prepare_again(keep=keep) for _ in range(AGAIN)]))
        if again_ms is not None:
            report("about", preparing={"ms": again_ms})
        report("costs", surprise_s=perf_counter() - begin)
    kept.prove()
    if name := seal.broken(device):
        doubts.append(f"{name} was replaced")
    checked = {"sources": 0 if all_pairs else rows, "rows": rows if all_pairs else None}
    report("end", memory_bytes=memory, checked=checked, judge=answers.judge, **_ending(spec, wrong, doubts))
    _report_flags(report, trial, samples)


def _prepare(spec, device, trial, operand, launch, report, clock):
    """Prepare; return the seconds that it takes when kernels are compiled and the graph is there."""
    begin, compiled = perf_counter(), clock.compiling()
    with device.preparing():
        trial.solve = spec.described.prepare(device, operand, launch)
    device.synchronize()
    seconds = perf_counter() - begin - operand.upload_s - (clock.compiling() - compiled)
    clock.lap("prepare_s")
    report("about", preparing={"ms": 1e3 * seconds}, chosen=getattr(trial.solve, "chosen", None))
    report("costs", upload_s=operand.upload_s, compile_s=clock.compiling())
    return seconds


def _ending(spec, wrong, doubts):
    if spec.described.is_unchecked:
        return {"status": statuses.UNCHECKED, "error": None}
    if wrong:
        return {"status": statuses.WRONG, "error": f"{wrong} wrong vertices in all samples together"}
    return {"status": statuses.SUSPECT, "error": "; ".join(doubts)} if doubts else {"status": statuses.SOUND}


def _report_flags(report, trial, samples):
    """Report what weakens the measurement."""
    if trial.reports:
        report("flag", flag="reported")
    times = ([sample["solve_ms"] for sample in group] for group in samples.values() if len(group) > 2)
    quartiles = (np.percentile(group, [25, 50, 75]) for group in times)
    if any(high - low > NOISY * middle for low, middle, high in quartiles):
        report("flag", flag="noisy")
    if trial.slowed:
        report("flag", flag="throttled")
        report("environment", slowed_by=sorted(trial.slowed))


def _surprise(spec, device, trial, checker, inputs, samples, report):
    """Ask what could not be foreseen; return wrong vertices, doubts, and the ms of preparing again, if it was."""
    graph, answers, launch = inputs
    every = [sample for group in samples.values() for sample in group]
    usual_ms = float(np.median([sample["solve_ms"] for sample in every]))
    cold, floor_ms = trial.cold(), trial.floor_ms()
    doubts = [trial.doubt(every)]
    if usual_ms < floor_ms:
        doubts.append(f"a solve takes {usual_ms:.4g} ms, and half a launch and writing the answer {floor_ms:.4g} ms")
    if spec.device == "cpu":
        device.calls = 1
    found, count, again_ms = [], unforeseen.asks(spec, usual_ms), None
    if count and PROBLEMS[spec.problem].all_pairs:
        found, again_ms = unforeseen.all_pairs(spec, device, launch, trial, checker, graph, usual_ms)
    elif count:
        found = unforeseen.search(spec, trial, checker, graph, answers, count)
        if device.kind == "cuda" and unforeseen.has_table(graph, trial.prepared_bytes):
            again_ms = unforeseen.prepare_again(spec, device, launch, trial, checker, graph)
    if found:
        times = ([sample["solve_ms"] for sample in samples[number]] for number in checker.depths)
        known = list(zip(checker.depths.values(), map(float, map(np.median, times)), strict=True))
        doubts += unforeseen.doubts(spec, known, found, cold, usual_ms)
    report("about", cold=cold, floor_ms=floor_ms, unforeseen=found, again_ms=again_ms)
    return sum(entry["wrong_vertices"] for entry in found), list(filter(None, doubts)), again_ms


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
    """Solve from all sources in turn, within repetitions and budget; return wrong vertices, and samples by source."""
    wrong, samples, begin, checked = 0, {}, perf_counter(), trial.costs["check_s"]
    if long_solve:
        begin -= long_solve[0]["wall_ms"] / 1e3
    for repetition in range(spec.repetitions):
        for number, source in enumerate(trial.sources):
            seconds = perf_counter() - begin - (trial.costs["check_s"] - checked)
            if seconds > (_seconds_to_repeat(spec) if repetition else spec.budget) and samples:
                report("flag", flag="shortened")
                return wrong, samples
            sample = trial.sample(number, *(long_solve or trial.timed(source)))
            long_solve = None
            report("sample", source=-1 if source is None else source, repetition=repetition, **sample)
            samples.setdefault(number, []).append(sample)
            wrong += sample["wrong_vertices"] or 0
    return wrong, samples


def _energy_before(deadline, spec, device, trial, samples):
    """Return what `energy` does, or None if the time limit might end the run before."""
    round_s = sum(max(sample["wall_ms"] for sample in of_source) for of_source in samples.values()) / 1e3
    if perf_counter() + spec.energy + 3 * round_s > deadline:
        print("energy: not measured, because it might take longer than what is left of the time limit")
        return None
    measured = energy(device, trial.solve, trial.sources, spec.energy)
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
        read_at = perf_counter() + READ_EVERY
        while perf_counter() < read_at:
            for source in sources:
                solve(source)
                device.synchronize()
            solves += len(sources)
        joules, now = device.joules(), perf_counter()
        if joules != last and begun is None:
            begun, solves = (joules, now), 0
        elif joules != last and now - begun[1] >= seconds:
            return {"joules": joules - begun[0], "solves": solves, "seconds": now - begun[1]}
        last = joules
    return None
