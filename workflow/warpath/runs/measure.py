"""One run, in the process that measures: lease a device, open it and do the experiment; report each result at once.

Only light imports at the top: the process that watches a run reads `Spec` from here.
"""

import collections
import functools
import os
import sys
import time
import traceback
from dataclasses import dataclass

from warpath import peers
from warpath.algorithms import description, discovery
from warpath.foundation.errors import UserError
from warpath.runs.exact import NotExact


@dataclass(frozen=True)
class Spec:
    """Everything that defines a run; paths, names and numbers only, as on the command line."""

    graph: str
    problem: str
    algorithm: str
    launch: str
    device: str
    graph_folder: str
    oracle: str
    warmup: int
    repetitions: int
    budget: float  # seconds
    time_limit: float  # seconds
    kernels: str  # the folder of algorithms
    command: str  # that repeats the run
    started_s: float  # seconds that the process had lived before

    @functools.cached_property
    def described(self):
        return discovery.named(f"{self.problem}/{self.algorithm}", self.kernels)

    @property
    def code_files(self):
        return [os.path.relpath(path) for path in discovery.code_files(self.described, self.kernels)]

    @property
    def on_gpu(self):
        return self.device in description.ON_GPU


def measure(spec, report):
    """Do the run. `report(kind, locks=(), **fields)` passes on each result at once, in case this process is killed."""
    from warpath.devices import errors

    try:
        _measure(spec, report)
    except (errors.UnsupportedLaunch, NotExact) as error:
        report("end", status="unsupported", error=str(error))
    except (errors.OutOfMemory, MemoryError) as error:
        report("end", status="out_of_memory", error=str(error) or "out of memory")
    except UserError as error:
        report("end", status="failed", error=str(error))
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        report("end", status="failed", error=f"{type(error).__name__}: {error}"[:2000])


def _measure(spec, report):
    clock = Clock(report)
    if why := peers.why_skipped(spec.described, "cuda" if spec.on_gpu else "host"):
        raise UserError(f"{spec.described.id}: {why}")
    gpu = _lease_gpu(report, clock) if spec.on_gpu else 0

    from warpath import devices
    from warpath.runs import experiment  # imports NumPy and all that handles graphs

    clock.lap("import_s")
    device = devices.open(spec.device, gpu)
    clock.lap("device_s")
    experiment.run(spec, device, report, clock)


def _lease_gpu(report, clock):
    """Lease a GPU and return its number."""
    from warpath.devices import driver
    from warpath.runs import lease

    uuids = driver.uuids()
    clock.lap("device_s")
    number, locks = lease.gpu(uuids, lambda: report("waiting"))
    report("leased", locks=locks)
    clock.lap("lease_s")
    if locks:
        driver.wake(number)
    return number


class Clock:
    """Report the seconds since the last lap as a cost; laps of the same name add up."""

    def __init__(self, report):
        self._report, self._last, self._sums = report, time.perf_counter(), collections.Counter()

    def lap(self, name):
        now = time.perf_counter()
        self._sums[name] += now - self._last
        self._report("costs", **{name: self._sums[name]})
        self._last = now
