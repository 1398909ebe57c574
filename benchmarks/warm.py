"""Do warm workers measure the same times as processes of their own, and what do runs cost beyond measuring?

    python benchmarks/warm.py rome99 email-Eu-core --seconds 150

Visits every algorithm on every graph, in an order drawn by lot, and measures its first launch three times in a row:
warm, in a process of its own, warm; or, every third visit, the other way round. The run in the middle is compared with
the two around it, so that slow drifts cancel out, and those two with each other as a control. The graphs must be
prepared with oracles. Prints medians of the ratios with bootstrap intervals of 95 %.
"""

import argparse
import contextlib
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

from warpath.algorithms import discovery
from warpath.base import places
from warpath.warm import address

TIMING = ["--warmup", "1", "--repetitions", "5", "--budget", "1", "--time-limit", "20"]
ORDERS = [("worker", "process", "worker"), ("worker", "process", "worker"), ("process", "worker", "process")]
HOST_LOOP = 8  # launches of a solve, from which on its time is mostly the host's


def run(device, algorithm, graph, isolation, folder):
    """Measure once; return the record."""
    record = Path(folder, graph, algorithm.problem, algorithm.name, f"{algorithm.launches[0].label}.json")
    own = {address.WORKFLOW: str(os.getpid()), address.ISOLATION: isolation}
    subprocess.run(
        [sys.executable, "-m", "warpath", "run", str(record), "--device", device, *TIMING],
        env=os.environ | own | {"PYTHONPATH": str(places.WORKFLOW)},
        stdout=subprocess.DEVNULL,
        check=False,
    )
    return json.loads(record.read_text())


def visits(device, graphs, seconds, only):
    """Yield (graph, algorithm, isolations, records) until the time is up or all have been visited."""
    pairs = [
        (graph, algorithm)
        for graph in graphs
        for algorithm in discovery.find().values()
        if algorithm.device == "kernel"
        and (not only or algorithm.id in only)
        and Path(places.oracle(graph, algorithm.problem)).exists()
    ]
    random.Random(1).shuffle(pairs)
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        for number, (graph, algorithm) in enumerate(pairs):
            if time.monotonic() > end:
                break
            order = ORDERS[number % len(ORDERS)]
            records = [run(device, algorithm, graph, isolation, folder) for isolation in order]
            if all(record["samples"] for record in records):
                yield graph, algorithm.id, order, records


def median(record):
    """The median of the repetitions from each source, as a geometric mean over the sources."""
    sources = {sample["source"] for sample in record["samples"]}
    times = [[s["solve_ms"] for s in record["samples"] if s["source"] == source] for source in sources]
    return statistics.geometric_mean(statistics.median(each) for each in times)


def warm_over_cold(order, records):
    first, middle, last = map(median, records)
    ratio = middle / math.sqrt(first * last)
    return ratio if order[1] == "worker" else 1 / ratio


def interval(values):
    """The median with its bootstrap interval of 95 %."""
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(2000))
    low, middle, high = statistics.quantiles(values, n=4)
    return (
        f"{len(values)} visits, median {middle:.3f} ({medians[50]:.3f} to {medians[1949]:.3f}), "
        f"quartiles {low:.3f} and {high:.3f}"
    )


def overhead(isolation, found):
    """Median seconds beyond measuring, of runs that did not compile."""
    costs = [
        r["costs"] for _, _, order, records in found for i, r in zip(order, records, strict=True) if i == isolation
    ]
    return statistics.median(cost["total_s"] - cost["measure_s"] for cost in costs if not cost.get("compile_s"))


def launches(records):
    return statistics.median(sample["kernel_launches"] for sample in records[1]["samples"])


def report(found):
    loops = [visit for visit in found if launches(visit[3]) >= HOST_LOOP]
    for title, part in (
        ("all", found),
        (f"at least {HOST_LOOP} launches", loops),
        ("fewer", [visit for visit in found if visit not in loops]),
    ):
        print(title)
        with contextlib.suppress(statistics.StatisticsError):
            print("  warm over cold: " + interval([warm_over_cold(*visit[2:]) for visit in part]))
        for isolation in ("worker", "process"):
            with contextlib.suppress(statistics.StatisticsError):
                control = [median(r[2]) / median(r[0]) for _, _, order, r in part if order[0] == isolation]
                print(f"  {isolation} over the same before: " + interval(control))
    ordered = sorted(found, key=lambda visit: warm_over_cold(*visit[2:]))
    for title, part in (("least", ordered[:5]), ("most", ordered[-5:])):
        print(f"{title}: " + ", ".join(f"{a} on {g} {warm_over_cold(o, r):.3f}" for g, a, o, r in part))
    for isolation in ("worker", "process"):
        with contextlib.suppress(statistics.StatisticsError):  # every run has compiled
            print(f"{isolation}: {overhead(isolation, found):.3f} s beyond measuring")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--seconds", type=float, default=600, help="begin no visit later")
    parser.add_argument("--only", nargs="*", default=[], metavar="ALGORITHM")
    asked = parser.parse_args()
    found = list(visits(asked.device, asked.graphs, asked.seconds, asked.only))
    if not found:
        sys.exit(f"no run to compare: are {', '.join(asked.graphs)} prepared, with right answers in resources/oracles?")
    report(found)


if __name__ == "__main__":
    main()
