"""Do warm workers measure the same times as processes of their own, and what do runs cost beyond measuring?

    python benchmarks/warm.py rome99 email-Eu-core --rounds 3

Every algorithm runs with its first launch on each of the graphs, which must be prepared with oracles: warm, then in
a process of its own, and so on in turn. Prints the ratio of the medians, warm over process, and the overhead of each.
As a control, the rounds in processes of their own are compared with each other, even ones over odd ones.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

from warpath.algorithms import discovery
from warpath.foundation import places
from warpath.workers import address

ISOLATIONS = ("worker", "process")
TIMING = ["--warmup", "1", "--repetitions", "5", "--budget", "4", "--time-limit", "20"]


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
    return json.loads((record if record.exists() else places.failure(record)).read_text())


def pairs(device, graphs, rounds):
    """Yield (graph, algorithm, {isolation: records}) for everything that both ways can measure."""
    with tempfile.TemporaryDirectory() as folder:
        for graph in graphs:
            for algorithm in discovery.find().values():
                if algorithm.device != "kernel" or not Path(places.oracle(graph, algorithm.problem)).exists():
                    continue
                records = {isolation: [] for isolation in ISOLATIONS}
                for _ in range(rounds):
                    for isolation in ISOLATIONS:
                        records[isolation].append(run(device, algorithm, graph, isolation, folder))
                if all(record["samples"] for records in records.values() for record in records):
                    yield graph, algorithm.id, records


def median(records):
    """The median of the runs' medians: a run is what is repeated here."""
    return statistics.median(
        statistics.median(sample["solve_ms"] for sample in record["samples"]) for record in records
    )


def overhead(records):
    """Seconds beyond measuring; the first run compiles, so the least counts."""
    return min(record["costs"]["total_s"] - record["costs"]["measure_s"] for record in records)


def quartiles(values):
    return "quartiles " + ", ".join(f"{value:.3f}" for value in statistics.quantiles(values, n=4))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    ratios, control, overheads = {}, [], {isolation: [] for isolation in ISOLATIONS}
    for graph, algorithm, records in pairs(asked.device, asked.graphs, asked.rounds):
        warm, process = (median(records[isolation]) for isolation in ISOLATIONS)
        ratios[f"{algorithm} on {graph}"] = warm / process
        if asked.rounds > 1:
            control.append(median(records["process"][::2]) / median(records["process"][1::2]))
        for isolation in ISOLATIONS:
            overheads[isolation].append(overhead(records[isolation]))
        print(f"{algorithm} {graph} {warm:.4f} {process:.4f} {warm / process:.3f}", file=sys.stderr)
    ordered = sorted(ratios, key=ratios.get)
    print(f"warm over process, {len(ratios)} pairs: {quartiles(ratios.values())}")
    if control:
        print(f"process over process: {quartiles(control)}")
    print("least: " + ", ".join(f"{name} {ratios[name]:.3f}" for name in ordered[:4]))
    print("most: " + ", ".join(f"{name} {ratios[name]:.3f}" for name in ordered[-4:]))
    for isolation, seconds in overheads.items():
        print(f"{isolation}: {statistics.median(seconds):.3f} s beyond measuring")


if __name__ == "__main__":
    main()
