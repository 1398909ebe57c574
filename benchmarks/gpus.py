"""Compare a study on one GPU and on several: total time, mutual disturbance of runs, and the runs on each GPU.

    python benchmarks/gpus.py --gpus 4 --cores 32 algorithms

Run the study once before, so that nothing is downloaded or compiled while the clock runs. The records of both rounds
are kept, for example in results/runs.gpu1 and results/runs.gpu4.
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
    parser.add_argument("--config", nargs="*", default=[], metavar="KEY=VALUE", help="as for Snakemake")
    options = parser.parse_args()
    rounds = {gpus: measure(gpus, options) for gpus in (1, options.gpus)}
    print("| gpu= | wall s | runs s | runs on a GPU | GPUs | most at once on one | most at once |")
    print("|---|---|---|---|---|---|---|")
    for gpus, (seconds, records) in rounds.items():
        spans = on_gpus(records) or sys.exit(f"no run of {options.study} was on a GPU")
        alone = max(at_once(of_one) for of_one in spans.values())
        everywhere = at_once([span for of_one in spans.values() for span in of_one])
        count = sum(map(len, spans.values()))
        print(f"| {gpus} | {seconds:.1f} | {between(records):.1f} | {count} | {len(spans)} | {alone} | {everywhere} |")
    (alone, one), (together, several) = rounds[1], rounds[options.gpus]
    runs = between(one) / between(several)
    print(f"\nSpeedup on {options.gpus} GPUs: {runs:.2f} of the runs, {alone / together:.2f} of the whole workflow.")
    low, middle, high = statistics.quantiles(ratios(one, several), n=4)
    print(f"Median of a run over its median on one GPU: quartiles {low:.3f}, {middle:.3f}, {high:.3f}.")


def measure(gpus, options):
    """Run the whole study; return its seconds and its records."""
    shutil.rmtree(RECORDS, ignore_errors=True)
    command = studies.snakemake(options.study, options.cores, gpus, options.config)
    begin = time.monotonic()
    subprocess.run(command, stdout=sys.stderr, check=False)
    seconds = time.monotonic() - begin
    kept = Path(f"{RECORDS}.gpu{gpus}")
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(RECORDS, kept)
    return seconds, {str(path.relative_to(kept)): json.loads(path.read_text()) for path in kept.glob("*/*/*/*.json")}


def on_gpus(records):
    """The time spans in which each GPU was leased, by UUID."""
    spans = {}
    for record in records.values():
        if record["environment"].get("uuid"):
            span = [datetime.datetime.fromisoformat(record[moment]).timestamp() for moment in ("leased", "finished")]
            spans.setdefault(record["environment"]["uuid"], []).append(span)
    return spans


def between(records):
    """Seconds from the start of the first run, which starts its worker, to the end of the last."""
    moments = [
        [datetime.datetime.fromisoformat(record[moment]).timestamp() for record in records.values()]
        for moment in ("started", "finished")
    ]
    return max(moments[1]) - min(moments[0])


def at_once(spans):
    """The largest number of spans that overlap at any moment."""
    changes = sorted([(begin, 1) for begin, _ in spans] + [(end, -1) for _, end in spans])
    return max(itertools.accumulate(change for _, change in changes))


def ratios(one, several):
    """The median on several GPUs over that on one, of each run with samples in both rounds."""
    shared = [name for name in one.keys() & several.keys() if one[name]["environment"].get("uuid")]
    times = [[[sample["solve_ms"] for sample in each[name]["samples"]] for each in (several, one)] for name in shared]
    return [statistics.median(above) / statistics.median(below) for above, below in times if above and below]


if __name__ == "__main__":
    main()
