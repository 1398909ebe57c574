"""One run, in the process that measures: lease a device, open it and do the experiment; report each result at once."""

import collections
import functools
import os
import sys
import time
import traceback
from dataclasses import dataclass

from warpath.algorithms import discovery, peers
from warpath.base import cache, outcome
from warpath.base.errors import UserError
from warpath.devices import ON_GPU, driver, errors
from warpath.runs import lease, seal
from warpath.runs.kept import Kept


@dataclass(frozen=True)
class Spec:
    """Everything that defines a run; paths, names and numbers only, as on the command line."""

    graph: str
    problem: str
    algorithm: str
    launch: str
    device: str
    warmup: int
    repetitions: int
    budget: float  # seconds
    time_limit: float  # seconds
    kernels: str  # the folder of algorithms
    command: str  # that repeats the run
    started_s: float  # seconds that the process had lived before
    energy: float = 0  # seconds of solves over which energy is measured
    placement: str = "device"  # of arcs
    downloads: tuple = ()  # of its graph, which a job does not know
    process: int = 1  # of those that measure the same run
    key: str = ""  # as far as it was planned
    program: str = ""  # the folder of a program that is none of kernels/programs
    again: str = outcome.FIRST  # the param by which the run was due

    @functools.cached_property
    def described(self):
        return discovery.named(f"{self.problem}/{self.algorithm}", self.kernels, self.program)

    @property
    def code_files(self):
        return [os.path.relpath(path) for path in discovery.code_files(self.described, self.kernels)]

    @property
    def timing(self):
        """What is asked of a record, by the names of the settings."""
        return {name: getattr(self, name) for name in ("repetitions", "budget", "time_limit", "energy")}

    @property
    def on_gpu(self):
        return self.device in ON_GPU


def measure(spec, report, kept=None):
    """Do the run, and report each result at once; whether this process is as sound as before."""
    kept = kept or Kept()
    kept.begin()
    report("environment", worker={"process": os.getpid(), "runs_before": kept.runs})
    sound = False
    try:
        _measure(spec, report, kept, Clock(report))
        sound = True
    except errors.UnsupportedLaunch as error:
        report("end", status="unsupported", error=str(error))
        sound = True
    except (errors.OutOfMemory, MemoryError) as error:
        report("end", status="out_of_memory", error=str(error) or "out of memory")
    except UserError as error:
        print(error.note, end="\n" if error.note else "", file=sys.stderr)
        report("end", status="failed", error=str(error))
    except (Exception, SystemExit) as error:
        traceback.print_exc(file=sys.stderr)
        report("end", status="failed", error=f"{type(error).__name__}: {str(error).strip()}".rstrip(": "))
    reason = kept.end()
    if name := seal.broken():
        reason = f"{name} was replaced"
    if reason:
        print(f"warpath: this process measures no further run: {reason}", file=sys.stderr)
    return sound and not reason


def _measure(spec, report, kept, clock):
    if why := peers.why_skipped(spec.described, "cuda" if spec.on_gpu else "host"):
        raise UserError(f"{spec.described.id}: {why}")

    from warpath.runs import experiment  # what it imports is a cost of the run

    clock.lap("import_s")
    if spec.on_gpu:  # no baseline is timed from here to the end: preparing would disturb it as solves do
        kept.locks.append(lease.machine(lambda: report("waiting"), exclusive=False))
        clock.lap("lease_s")
    inputs = experiment.load(spec, kept, report, clock)
    gpu = _lease_gpu(report, clock, kept) if spec.on_gpu else 0
    device = kept.device(spec.device, gpu)
    clock.lap("device_s")
    try:
        experiment.run(spec, device, kept, report, clock, inputs)
    except errors.OutOfMemory:
        if not kept.make_room():
            raise
        report("again")
        experiment.run(spec, device, kept, report, clock, inputs)


def _lease_gpu(report, clock, kept):
    """Lease a GPU, the one that this process is bound to if it has measured before; return its number."""
    uuids = driver.uuids()
    clock.lap("device_s")
    bound = kept.gpu
    number, locks = lease.gpu(uuids if bound is None else uuids[bound : bound + 1], lambda: report("waiting"))
    kept.locks += locks
    report("leased", locks=kept.locks)
    clock.lap("lease_s")
    return number if bound is None else bound


class Clock:
    """Report the seconds since the last lap as a cost; laps of the same name add up."""

    def __init__(self, report):
        self._report, self._last, self._sums = report, time.perf_counter(), collections.Counter()
        self._builds = len(cache.build_seconds)

    def lap(self, name):
        now = time.perf_counter()
        self._sums[name] += now - self._last
        self._report("costs", **{name: self._sums[name]})
        self._last = now

    def compiling(self):
        """Return the seconds of all compilations since the start; they are part of the laps, too."""
        return sum(cache.build_seconds[self._builds :])
