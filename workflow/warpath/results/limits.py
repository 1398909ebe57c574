"""How close a run came to what its device can do: the least bytes or operations a problem needs, over the time it took.

The least that any algorithm must do is counted, not what this one did: an algorithm that reads the graph twenty times
is twenty times further from the limit. Rates come from a probe of the same device (`results/probe.json`):
    copy_bytes_per_s         bytes read plus bytes written by a device-to-device copy
    relaxations_per_s        min(a, b + c) on int32
"""

import json
import sys
from pathlib import Path

from warpath import algorithms

RATES = ("copy_bytes_per_s", "relaxations_per_s")
WORD = 4  # bytes of an offset, a target, a weight or a distance


def least_bytes(problem, vertices, arcs):
    """Read the graph once, write the answer once. APSP is bound by operations, not by bytes."""
    offsets, targets, weights, distances = WORD * (vertices + 1), WORD * arcs, WORD * arcs, WORD * vertices
    return {"bfs": offsets + targets + distances, "sssp": offsets + targets + weights + distances}.get(problem)


def least_relaxations(problem, vertices):
    """Floyd-Warshall does n^3; there are cleverer ways through a sparse graph, and they may exceed 100 %."""
    return vertices**3 if problem == "apsp" else None


def rates(path="results/probe.json"):
    """What the probe measured, or None where none was made; where one cannot be used, that is said."""
    try:
        probed = json.loads(Path(path).read_text())
        if all(probed[name] > 0 for name in RATES) and isinstance(probed["environment"]["device_name"], str):
            return probed
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        pass
    print(f"warpath: {path}: not what a probe writes, taken as not probed; delete it to probe again", file=sys.stderr)
    return None


def percent_of_limit(row, rates):
    """Percent of the copy bandwidth (bfs, sssp) or of the add-min rate (apsp) that a run reached on the GPU probed.

    Of another card, of the CPU emulation, or of a library for the CPU, it would be a number about nothing.
    """
    if row["status"] != "ok" or row["device"] not in algorithms.ON_GPU or not rates:
        return None
    if row["device_name"] != rates["environment"]["device_name"]:
        return None
    seconds = row["median_ms"] / 1000
    if row["problem"] == "apsp":
        return 100 * least_relaxations("apsp", float(row["vertices"])) / seconds / rates["relaxations_per_s"]
    return 100 * least_bytes(row["problem"], row["vertices"], row["arcs"]) / seconds / rates["copy_bytes_per_s"]


def add(summary, rates):
    """`summary` with its percent_of_limit; the column is there and empty where the device was not probed."""
    summary["percent_of_limit"] = [percent_of_limit(row, rates) for row in summary.to_dict("records")]
    return summary
