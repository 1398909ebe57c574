"""Judge a paper's claims by the medians of benchmarks/sweep.py, and print a table of Markdown.

    .venv/bin/python benchmarks/sweep_claims.py docs/h200/sweep.csv rejaud

Without samples a number has no interval. A graph votes by its median alone, so this is second evidence beside a study.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

import pandas as pd

from warpath.algorithms import discovery, launches
from warpath.results import claims, published
from warpath.results.evidence import Evidence
from warpath.results.publish import cell

AS_MEASURED = {"device": "cuda", "stand_in_for": None, "flags": "", "time_limit_s": None}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("table", type=Path)
    parser.add_argument("paper", choices=claims.names())
    arguments = parser.parse_args()
    print("| claim | verdict | found |\n|---|---|---|")
    for claim in judged(pd.read_csv(arguments.table), arguments.paper):
        print(f"| {cell(claim.gist)} | {claim.verdict} | {cell(claim.found)} |")


def judged(table, paper):
    """The claims of a paper that these medians measure."""
    evidence = Evidence(samples(table), summary(table), published.read())
    return [claim for claim in claims.judge([paper], evidence) if claim.voters]


def summary(table):
    """The table with the columns of a study's summary that claims read; runs with other endings are left out."""
    rows = table[table["status"] == "ok"]
    algorithms = discovery.find()
    ids = zip(rows["algorithm"], rows["launch"], strict=True)
    chosen = [algorithms[name].launch(label).parameters for name, label in ids]
    return rows.assign(
        **AS_MEASURED,
        samples=2,  # none is a single one
        problem=rows["algorithm"].str.partition("/")[0],
        low_ms=rows["median_ms"],
        high_ms=rows["median_ms"],
        **{axis: [parameters.get(axis) for parameters in chosen] for axis in launches.AXES},
    )


def samples(table):
    """One sample for each run: its median."""
    rows = table[table["status"] == "ok"]
    return rows[["algorithm", "graph", "launch", "status"]].assign(source=0, solve_ms=rows["median_ms"])


if __name__ == "__main__":
    main()
