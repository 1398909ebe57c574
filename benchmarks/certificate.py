"""How long a certificate takes: on graphs that are prepared, and on a made one of any size that needs no solve.

    .venv/bin/python benchmarks/certificate.py --device cuda --arcs 4e9 rmat22 grid4k

A certificate reads the distances of both ends of every arc. The column `gather ms` is a copy of the heads' distances
alone, in the order of the arcs: no check of all arcs can be much faster. Each answer is also spoiled at one vertex; the
exit status is 0 if all right answers and no spoiled one were called right.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

import numpy as np

from warpath import devices
from warpath.algorithms import discovery
from warpath.base import places
from warpath.graphs import csr
from warpath.runs import certificate
from warpath.runs.operand import Operand
from warpath.runs.sources import choose_sources

SOLVERS = {"bfs": "bfs/persistent", "sssp": "sssp/near_far"}
LEVELS, DEGREE = 8, 32  # of the made graph
AT_ONCE = 1 << 22  # its vertices that are made together


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("graphs", nargs="*")
    parser.add_argument("--device", choices=["cuda", "host"], default="host")
    parser.add_argument("--arcs", type=float, help="of the made graph")
    parser.add_argument("--repetitions", type=int, default=5)
    asked = parser.parse_args()
    device = devices.open(asked.device)
    print("| graph | problem | M arcs | first s | certificate ms | gather ms | G arcs/s | wrong |")
    print("|---|---|---|---|---|---|---|---|")
    sound = [measure(device, *instance, asked.repetitions) for instance in instances(device, asked)]
    sys.exit(not all(sound))


def instances(device, asked):
    """Yield (name, problem, graph on the device, right answer, source)."""
    for name in asked.graphs:
        graph = csr.read(places.graph(name))
        (source,) = choose_sources(graph, 1, seed=1)
        for problem, id in SOLVERS.items():
            described, operand = discovery.named(id), Operand(graph, device)
            solve = described.prepare(device, operand, described.launches[0])
            yield name, problem, operand, solve(source).distance, source
    if asked.arcs:
        graph, distance = layered(device.xp, round(asked.arcs))
        for problem in SOLVERS:
            yield "layers", problem, graph, distance, 0


def layered(xp, arcs):
    """Make a graph and its distances: from every vertex one arc to the next level, and others up to that level at most.

    Vertex 0 leads to the whole first level. The first arc of a vertex weighs 1, so distances are the same with weights.
    """
    width = arcs // (LEVELS * DEGREE + 1)
    vertices = 1 + LEVELS * width
    offsets = width + DEGREE * (xp.arange(vertices + 1) - 1)
    offsets[0] = 0
    offsets = offsets if int(offsets[-1]) >= 2**31 else offsets.astype("int32")
    targets, weights = (xp.empty(int(offsets[-1]), "int32") for _ in range(2))
    targets[:width], weights[:width] = xp.arange(1, width + 1), 1
    for first in range(1, vertices, AT_ONCE):
        tails = xp.arange(first, min(first + AT_ONCE, vertices))
        level = (tails - 1) // width
        drawn = _drawn(xp, first, len(tails))
        heads = 1 + drawn % (width * xp.minimum(level + 2, LEVELS))[:, None]
        heads[:, 0] = xp.where(level + 1 < LEVELS, tails + width, heads[:, 0])
        lengths = 1 + (drawn >> 20) % 255
        lengths[:, 0] = 1
        piece = slice(int(offsets[first]), int(offsets[first + len(tails)]))
        targets[piece], weights[piece] = heads.ravel(), lengths.ravel()
    distance = (1 + (xp.arange(vertices) - 1) // width).astype("uint32")
    graph = SimpleNamespace(vertices=vertices, arcs=len(targets), offsets=offsets, targets=targets, weights=weights)
    return graph, distance


def _drawn(xp, first, count):
    """Return random numbers of 40 bits for the arcs of these vertices, by hashing the arcs' numbers."""
    numbers = xp.arange(first * DEGREE, (first + count) * DEGREE).astype("uint64")
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return (numbers >> np.uint64(24)).astype("int64").reshape(count, DEGREE)


def measure(device, name, problem, graph, distance, source, repetitions):
    """Print a line about one answer; whether it was called right and, spoiled, wrong."""
    arguments = graph, distance, source, problem == "sssp"
    begin = time.perf_counter()
    wrong = certificate.by_kernels(device, *arguments).wrong
    first = time.perf_counter() - begin
    proof = median_ms(device, repetitions, lambda: certificate.by_kernels(device, *arguments))
    gather = median_ms(device, repetitions, lambda: gathered(graph, distance))
    print(
        f"| {name} | {problem} | {graph.arcs / 1e6:.1f} | {first:.3f} | {proof:.4g} | {gather:.4g} "
        f"| {graph.arcs / proof / 1e6:.4g} | {wrong} |",
        flush=True,
    )
    distance[graph.targets[-1]] += 1
    spoiled = certificate.by_kernels(device, *arguments).wrong
    distance[graph.targets[-1]] -= 1
    return wrong == 0 and spoiled > 0


def gathered(graph, distance):
    for begin in range(0, graph.arcs, 1 << 28):
        distance[graph.targets[begin : begin + (1 << 28)]]


def median_ms(device, repetitions, action):
    times, timer = [], device.timer()
    for _ in range(repetitions):
        timer.start()
        action()
        timer.stop()
        times.append(timer.milliseconds())
    return statistics.median(times)


if __name__ == "__main__":
    main()
