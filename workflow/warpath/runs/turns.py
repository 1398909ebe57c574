"""Two measurements of a run in turns, A B B A and so on, so that what drifts meanwhile is the same for both.

A turn is measured and judged as any run is, with allocations of its own. One process has the turns of both sides, as
processes differ from each other by more than what is looked for.
"""

import contextlib
import dataclasses
import os
import time

from warpath import devices
from warpath.runs import child, experiment, job  # noqa: F401  experiment is imported here once for all processes
from warpath.runs.statuses import SOUND, SUSPECT
from warpath.warm import processes


def settle(asked):
    """Have this process and its children run kernels on what `asked` means here; CUDA, once asked, survives no fork."""
    if asked == "auto":
        process = processes.fork(lambda: devices.KINDS.index(devices.resolve(asked)))
        asked = devices.KINDS[os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])]
    os.environ.setdefault("WARPATH_DEVICE", asked)


def pair(specs, is_swapped):
    """Return records of two specs in turns, A B B A or B A A B, and for as long again, or until a run ends badly."""
    found, begin, end = ([], []), time.monotonic(), None
    with child.forked() as lent, contextlib.suppress(BrokenPipeError):  # of one that may not go on

        def watch(spec, locks):
            lent[1].send(dataclasses.asdict(spec), (1, 2))
            return child.watch(spec, locks, lent)

        order = list(zip(specs, found, strict=True))[:: -1 if is_swapped else 1]
        while end is None or time.monotonic() < end:
            for spec, records in (*order, *order[::-1]):
                records.append(job.measured(spec, watch))
                if all(found) and any(each[-1]["status"] not in (SOUND, SUSPECT) for each in found):
                    return found
            end = end or 2 * time.monotonic() - begin
    return found
