"""Write the report of a published study whose runs are multiplied, to see how the page copes with many.

python benchmarks/page.py docs/h200/frontier report.html [RUNS]

Copies of a run are on graphs with a number after their name, and their times differ a little; nothing was measured.
The figures are those of the study itself.
"""

import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

import numpy as np
import pandas as pd

from warpath.base import settings
from warpath.results import claims, figures, frames, limits, page, publish, published
from warpath.results.evidence import Evidence

TIMES = ["median_ms", "low_ms", "high_ms", "q1_ms", "q3_ms", "min_ms", "max_ms", "wall_median_ms"]


def multiplied(summary, runs):
    """A summary of this many runs: copies of the rows, each on a graph of its own."""
    copies = pd.concat([summary] * -(-runs // len(summary)), ignore_index=True).head(runs)
    copy = np.arange(len(copies)) // len(summary)
    slower = np.random.default_rng(1).lognormal(0, 0.2, len(copies))
    graph = copies["graph"].where(copy == 0, copies["graph"] + "." + pd.Series(copy + 1).astype(str))
    times = copies[TIMES].mul(np.where(copy == 0, 1, slower), axis=0)
    return copies.assign(graph=graph, **times)


def write(folder, output, runs):
    folder, output = Path(folder), Path(output)
    timings, summary = frames.read(folder / "timings.parquet", folder / "summary.csv")
    study, numbers = publish._described(summary), published.read()
    study.name = summary["study"].iloc[0]
    evidence = Evidence(timings, summary, numbers, limits.rates(folder / "probe.json"))
    judged = claims.judge(study.claims, evidence)
    used = settings.read() | {"study": study.name}
    with tempfile.TemporaryDirectory() as drawn:
        for name in study.figures:
            figures.draw(name, figures.Tables(timings, summary, numbers), drawn)
        page.write(study, used, timings, multiplied(summary, runs), judged, drawn, output)
        beside = sum(Path(drawn, f"{name}.svg").stat().st_size * 4 // 3 for name in study.figures)
    size = output.stat().st_size
    print(json.dumps({"runs": runs, "bytes": size, "figures": beside, "others": size - beside}))


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2], int(sys.argv[3]) if sys.argv[3:] else 10_000)
