"""Measure breadth-first search from many sources at once by apsp/batched, in arcs followed per second.

    .venv/bin/python benchmarks/many_sources.py --device cuda --sources 512 rmat22

All weights are set to 1. Some rows are compared with SciPy's. The graph must be prepared (`warpath prepare NAME`).
"""

import argparse
import statistics
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

import numpy as np

from warpath import devices
from warpath.algorithms import UNREACHABLE, discovery
from warpath.base import places
from warpath.graphs import csr
from warpath.runs import check, oracle
from warpath.runs.operand import Operand
from warpath.runs.sources import choose_sources


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("graph")
    parser.add_argument("--device", choices=["cuda", "host"], default="host")
    parser.add_argument("--sources", type=int, default=512)
    parser.add_argument("--checked", type=int, default=4, help="rows to compare with SciPy's")
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    graph = csr.read(places.graph(options.graph))
    graph = replace(graph, weights=np.ones(graph.arcs, "int32"))
    sources = choose_sources(graph, options.sources, seed=1)
    device = devices.open(options.device)
    described = discovery.named("apsp/batched")
    solve = described.prepare(device, Operand(graph, device), described.launches[0])
    solution = solve(sources)
    times, timer = [], device.timer()
    for _ in range(options.repetitions):
        timer.start()
        solution = solve(sources)
        timer.stop()
        times.append(timer.milliseconds())
    followed, wrong = count(solution, sources, graph, device, options)
    median = statistics.median(times)
    rate = followed / median / 1e6
    print(f"{options.graph}: {options.sources} sources in {median:.4g} ms, {rate:.4g} G arcs/s, {wrong} wrong vertices")
    sys.exit(wrong > 0)


def count(solution, sources, graph, device, options):
    """Return the arcs that all searches followed, and the wrong vertices in the compared rows."""
    labels = [int(graph.labels[source]) for source in sources[: options.checked]]
    expected = oracle.compute(graph, "bfs", labels, 1)[1]
    degrees, followed, wrong = np.diff(graph.offsets).astype("int64"), 0, 0
    for number in range(len(sources)):
        row = device.get(solution.distance[number])
        followed += int(degrees[row != UNREACHABLE].sum())
        wrong += check.wrong_distances(row, expected[number]) if number < len(expected) else 0
    return followed, wrong


if __name__ == "__main__":
    main()
