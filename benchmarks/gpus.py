"""The same study on one GPU and on several: how much sooner it ends, whether runs disturb each other, who ran where.

    python benchmarks/gpus.py --gpus 4 --cores 32 algorithms

The graphs must be prepared and the study must have run once, so that nothing is compiled or downloaded while the clock
runs. Records of both rounds are kept beside each other: results/runs.gpu1 and results/runs.gpu4.
"""

import argparse
import datetime
import itertools
import json
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import studies

RECORDS = Path("results/runs")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("study")
    parser.add_argument("--gpus", type=int, required=True)
    parser.add_argument("--cores", type=int, default=8)
    parser.add_argument("--config", nargs="*", default=[], metavar="KEY=VALUE", help="as for snakemake")
    asked = parser.parse_args()
    rounds = {gpus: measure(gpus, asked) for gpus in (1, asked.gpus)}
    print("| gpu= | wall s | runs on a GPU | GPUs | most at once on one | most at once |\n|---|---|---|---|---|---|")
    for gpus, (seconds, records) in rounds.items():
        spans = on_gpus(records) or sys.exit(f"no run of {asked.study} was on a GPU")
        alone = max(at_once(of_one) for of_one in spans.values())
        everywhere = at_once([span for of_one in spans.values() for span in of_one])
        count = sum(map(len, spans.values()))
        print(f"| {gpus} | {seconds:.1f} | {count} | {len(spans)} | {alone} | {everywhere} |")
    (alone, one), (together, several) = rounds[1], rounds[asked.gpus]
    print(f"\n{alone / together:.2f} times as fast on {asked.gpus} GPUs as on one.")
    low, middle, high = statistics.quantiles(ratios(one, several), n=4)
    print(f"A run's median over that on one GPU: quartiles {low:.3f}, {middle:.3f}, {high:.3f}.")


def measure(gpus, asked):
    """Seconds of the workflow and its records, all made anew."""
    shutil.rmtree(RECORDS, ignore_errors=True)
    command = studies.snakemake(asked.study, asked.cores, gpus, asked.config)
    begin = time.monotonic()
    subprocess.run(command, stdout=sys.stderr, check=False)
    seconds = time.monotonic() - begin
    kept = Path(f"{RECORDS}.gpu{gpus}")
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(RECORDS, kept)
    return seconds, {str(path.relative_to(kept)): json.loads(path.read_text()) for path in kept.glob("*/*/*/*.json")}


def on_gpus(records):
    """When each GPU was held, by its UUID: from the lease to the end of the run."""
    spans = {}
    for record in records.values():
        if record["environment"].get("uuid"):
            span = [datetime.datetime.fromisoformat(record[moment]).timestamp() for moment in ("leased", "finished")]
            spans.setdefault(record["environment"]["uuid"], []).append(span)
    return spans


def at_once(spans):
    """The most spans that share a moment; an end and a beginning at the same moment do not."""
    changes = sorted([(begin, 1) for begin, _ in spans] + [(end, -1) for _, end in spans])
    return max(itertools.accumulate(change for _, change in changes))


def ratios(one, several):
    """Of the runs on a GPU that have samples in both rounds."""
    both = [name for name in one.keys() & several.keys() if one[name]["environment"].get("uuid")]
    pairs = [[[sample["solve_ms"] for sample in made[name]["samples"]] for made in (several, one)] for name in both]
    return [statistics.median(above) / statistics.median(below) for above, below in pairs if above and below]


if __name__ == "__main__":
    main()
