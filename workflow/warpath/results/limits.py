"""How close a run came to what its device can do: the least bytes or operations a problem needs, over the time it took.

The least that any algorithm must do is counted, not what this one did: an algorithm that reads the graph twenty times
is twenty times further from the limit. Rates come from a probe of a device of the same name (`results/probe.json`):
    copy_bytes_per_s         bytes read plus bytes written by a device-to-device copy
    relaxations_per_s        min(a, b + c) on int32; packed in 16 bits an instruction does two, at the same rate

All pairs by other ways than Floyd-Warshall's have no such limit: on a sparse graph they need far fewer operations.
"""

import json
import sys
from pathlib import Path

from warpath.algorithms import description

RATES = ("copy_bytes_per_s", "relaxations_per_s")
FLOYD_WARSHALL = "apsp/fw_"
WORD = 4  # bytes of an offset, a target, a weight or a distance


def least_bytes(problem, vertices, arcs):
    """Read the graph once, write the answer once."""
    offsets, targets, weights, distances = WORD * (vertices + 1), WORD * arcs, WORD * arcs, WORD * vertices
    return {"bfs": offsets + targets + distances, "sssp": offsets + targets + weights + distances}[problem]


def rates(path):
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
    """Percent of the copy bandwidth (bfs, sssp) or of the add-min rate (fw_*) that a run reached on the GPU probed.

    Of another card, of the CPU emulation, or of a library for the CPU, it would be a number about nothing.
    """
    if row["status"] != "ok" or row["device"] not in description.ON_GPU or not rates:
        return None
    if row["device_name"] != rates["environment"]["device_name"]:
        return None
    seconds = row["median_ms"] / 1000
    if row["algorithm"].startswith(FLOYD_WARSHALL):
        at_once = 2 if row.get("width") == 16 else 1
        return 100 * float(row["vertices"]) ** 3 / at_once / seconds / rates["relaxations_per_s"]
    if row["problem"] == "apsp":
        return None
    return 100 * least_bytes(row["problem"], row["vertices"], row["arcs"]) / seconds / rates["copy_bytes_per_s"]


def add(summary, rates):
    """`summary` with its percent_of_limit; the column is there and empty where the device was not probed."""
    summary["percent_of_limit"] = [percent_of_limit(row, rates) for row in summary.to_dict("records")]
    return summary
