"""How close a run came to what its device can do: the least work of the problem over the time that the run took.

Rates come from a probe of a device of the same name (results/probe.json):
    copy_bytes_per_s         bytes read plus bytes written by a device-to-device copy
    link_bytes_per_s         bytes of the host's pinned memory read by a kernel; probes of earlier versions lack it
    relaxations_per_s        min(a, b + c) on int32; packed in 16 bits an instruction does two, at the same rate
"""

import contextlib
import sys
from pathlib import Path

from warpath.algorithms import bounds
from warpath.base.files import read_json
from warpath.devices import ON_GPU

RATES = ("copy_bytes_per_s", "relaxations_per_s")


def rates(path):
    """The probe at `path`, or None without one; a file that is no probe is reported."""
    probe = read_json(path)
    with contextlib.suppress(TypeError, KeyError):
        if all(probe[name] > 0 for name in RATES) and isinstance(probe["environment"]["device_name"], str):
            return probe
    if Path(path).exists():
        print(f"warpath: {path}: ignored, not a probe file; the next workflow makes it anew", file=sys.stderr)
    return None


def percent_of_limit(run, described, rates):
    """Percent of the probed rate at which a run (a row of the summary) of an algorithm did the least work.

    None without a probe of the same GPU: a share of another device's rate would mean nothing.
    """
    if not (described and rates) or run["status"] != "ok" or run["device"] not in ON_GPU:
        return None
    if run["device_name"] != rates["environment"]["device_name"]:
        return None
    work = bounds.least_work(described, run["vertices"], run["arcs"], run, run["placement"])
    return 100 * work.amount / (run["median_ms"] / 1000) / rates[work.rate] if work and work.rate in rates else None
