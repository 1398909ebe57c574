"""Compare our searches with the papers' fastest ones on the zoo's graphs, and list the worst ratio first.

    python benchmarks/zoo.py [--sizes 256k,2m] [--kinds mesh2d,...] [--device cuda] [--budget 100] [--csv FILE]

It takes two minutes where the study `zoo` takes 20: one process measures, without records, and others make graphs and
compile meanwhile. Times are geometric means over the sources of medians; an algorithm that takes 8 times as long as
ours solves once. Every answer is compared with the first one from the same source.
"""

import argparse
import csv
import multiprocessing
import os
import random
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "workflow"))

OURS = {"bfs": "bfs/persistent", "sssp": "sssp/near_far"}
PAPERS = {  # the first one decides whether the others are worth their time
    "bfs": [("bfs/level", "b256"), ("bfs/queue", "b256"), ("bfs/scan", "b256"), ("bfs/frontier", "b256")],
    "sssp": [("sssp/two_kernel", "b256"), ("sssp/coarsened", "b256-c4")],
}
LIBRARIES = {"bfs": ["bfs/peer_scipy"], "sssp": ["sssp/peer_scipy"]}  # on the CPU, one solve each
HOPELESS = 8  # times slower than ours: the other papers' algorithms are not tried
COLUMNS = (
    "graph problem vertices arcs default_ms best_launch best_ms paper paper_ms paper_over_default best_over_default"
)


def main():
    options = _options()
    begun = time.monotonic()
    names, rows, done = _names(options), [], 0
    names.sort(key=lambda name: "triangles" not in name)  # these take longest
    prepare_to_make()
    with tempfile.TemporaryDirectory() as folder, multiprocessing.get_context("fork").Pool(options.processes) as pool:
        files = pool.imap_unordered(made, [(name, options, folder) for name in names])
        measure = _Measure(options)
        for file, made_s in files:
            elapsed = time.monotonic() - begun
            if elapsed > options.budget:
                print(f"out of time after {done} graphs of {len(names)}")
                break
            print(f"{elapsed:5.1f} s: {file.stem}, made in {made_s:.1f} s", flush=True)
            graph, sources = loaded(file)
            file.unlink()
            operand = measure.operand(graph)
            rows += [measure.row(operand, sources, problem) for problem in options.problems.split(",")]
            done += 1
        pool.terminate()
    print("\nWorst first:")
    rows.sort(key=lambda row: row["paper_over_default"])
    _print(rows)
    for problem in options.problems.split(","):
        ratios = [row["paper_over_default"] for row in rows if row["problem"] == problem]
        behind = sum(ratio < 1 for ratio in ratios)
        print(f"{problem}: {behind} of {len(ratios)} behind the papers; the worst {min(ratios, default=0):.2f}")
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            table = csv.DictWriter(file, COLUMNS.split())
            table.writeheader()
            table.writerows(rows)


def _options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", default="2m,256k")
    parser.add_argument("--kinds", default="")
    parser.add_argument("--problems", default="bfs,sssp")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--sources", type=int, default=2)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--processes", type=int, default=max(1, len(os.sched_getaffinity(0)) - 1))
    parser.add_argument("--budget", type=float, default=1e9, help="seconds after which no further graph is measured")
    parser.add_argument("--csv", help="a file for the table")
    return parser.parse_args()


def _names(options):
    """The graphs of these kinds and sizes, size by size; a kind may lack some of the sizes."""
    kinds, catalogue = options.kinds.replace(",", "|") or ".+", entries()
    patterns = [re.compile(f"zoo-({kinds})-{size}") for size in options.sizes.split(",")]
    if names := [name for pattern in patterns for name in filter(pattern.fullmatch, catalogue)]:
        return names
    sys.exit("the catalogue has no graph of these kinds and sizes")


def entries():
    from warpath.base import settings
    from warpath.graphs import catalogue

    return catalogue.load(settings.GRAPHS)


def prepare_to_make():
    """Import and compile before processes are forked."""
    import scipy.sparse.csgraph
    import scipy.spatial  # noqa: F401

    from warpath.graphs import generators, library  # noqa: F401
    from warpath.runs import rehearsal, sources  # noqa: F401

    for name in ("generate", "build"):
        library.load(name)


def made(task):
    """Write a graph, with sources of its largest component, to a file; compile what its runs load."""
    import numpy as np

    from warpath import devices
    from warpath.base import processor
    from warpath.graphs import generators
    from warpath.graphs.clean import clean
    from warpath.runs.sources import choose_sources

    (name, options, folder), begun = task, time.monotonic()
    processor.limit(1)
    entry = entries()[name]
    graph = clean(generators.generate(entry.generator), entry.clean, entry.directed, entry.weights, name)
    device = devices.outlined(options.device)
    _compile(graph, device, options)
    arrays = {"offsets": graph.offsets, "targets": graph.targets, "weights": graph.weights}
    arrays["sources"] = choose_sources(graph, options.sources, 1)
    file = Path(folder, f"{name}.npz")
    np.savez(file, directed=entry.directed, **arrays)
    return file, time.monotonic() - begun


def _compile(graph, device, options):
    """Compile what the graph's runs load, in random order: another process may be compiling the same."""
    from warpath import devices
    from warpath.algorithms import discovery
    from warpath.runs import rehearsal

    known, builds = discovery.find(), set()
    for problem in options.problems.split(","):
        own = known[OURS[problem]]
        runs = [(own, launch) for launch in own.launches]
        runs += [(known[algorithm], known[algorithm].launch(label)) for algorithm, label in PAPERS[problem]]
        for described, launch in runs:
            builds.update(rehearsal.builds(described, device, graph, launch))
    for build in random.sample(sorted(builds), len(builds)):
        devices.compile_kernels(device.kind, *build, device.architecture)


def loaded(file):
    """The graph of a file, and its sources."""
    import numpy as np

    from warpath.graphs import csr

    with np.load(file) as stored:
        arrays = stored["offsets"], stored["targets"], stored["weights"]
        graph = csr.Graph(file.stem, *arrays, np.arange(len(arrays[0]) - 1), bool(stored["directed"]))
        return graph, stored["sources"].tolist()


class _Measure:
    """Time algorithms on one device."""

    def __init__(self, options):
        from warpath import devices
        from warpath.algorithms import discovery

        self.options, self.device, self.known = options, devices.open(options.device), discovery.find()
        self.on_cpu = devices.open("peer")

    def operand(self, graph):
        """The graph on the device, to which its arrays are copied once for all algorithms."""
        from warpath.runs.operand import Operand

        kept = {}
        return Operand(
            graph, self.device, lambda name, make: kept[name] if name in kept else kept.setdefault(name, make())
        )

    def row(self, operand, sources, problem):
        """The row of a graph and problem."""
        begun, self.prepared_s, right = time.monotonic(), 0.0, {}
        ours = self.known[OURS[problem]]
        launches = [launch for launch in ours.launches if "tree" not in launch.parameters]  # these find parents, too
        times = {launch.label: self.time(ours, launch.label, operand, sources, right) for launch in launches}
        default, best = ours.launches[0].label, min(times, key=times.get)
        papers = {}
        for place, (algorithm, label) in enumerate(PAPERS[problem]):
            if place and min(papers.values()) > HOPELESS * times[default]:
                break
            limit = HOPELESS * times[default]
            papers[algorithm] = self.time(self.known[algorithm], label, operand, sources, right, limit)
        paper = min(papers, key=papers.get)
        for algorithm in LIBRARIES[problem]:
            self.time(self.known[algorithm], "default", operand, sources, right, limit=0)
        row = [
            operand.name,
            problem,
            operand.vertices,
            operand.arcs,
            times[default],
            best,
            times[best],
            paper,
            papers[paper],
        ]
        row += [papers[paper] / times[default], times[best] / times[default]]
        row = dict(zip(COLUMNS.split(), row, strict=True))
        _print([row])
        print(f"        took {time.monotonic() - begun:.1f} s, of which {self.prepared_s:.1f} s to prepare", flush=True)
        return row

    def time(self, algorithm, label, operand, sources, right, limit=1e9):
        """The geometric mean over sources of medians in ms; one solve counts where it takes longer than `limit`."""
        from warpath.runs.operand import Operand

        begun, device = time.monotonic(), self.device
        if algorithm.device == self.on_cpu.kind:
            device, operand = self.on_cpu, Operand(operand.on_host, self.on_cpu)
        solve = algorithm.prepare(device, operand, algorithm.launch(label))
        self.prepared_s += time.monotonic() - begun
        timer, medians = device.timer(), []
        for source in sources:
            taken = []
            for repetition in range(1 + self.options.repetitions):
                timer.start()
                solution = solve(source)
                timer.stop()
                taken.append(timer.milliseconds())
                if not repetition:
                    distance = solution.distance() if callable(solution.distance) else solution.distance
                    distance = distance[0] if isinstance(distance, tuple) else distance  # a library's, with parents
                    self.check(algorithm, label, operand, source, device.get(distance), right)
                if taken[-1] > limit:
                    break
            medians.append(statistics.median(taken[1:] or taken))
            if medians[-1] > limit:
                break
        return statistics.geometric_mean(medians)

    def check(self, algorithm, label, operand, source, distance, right):
        import numpy as np

        expected = right.setdefault(source, distance)
        wrong = np.count_nonzero(distance != expected)
        if wrong:
            print(f"WRONG: {algorithm.id} {label} on {operand.name} from {source}: {wrong:,} vertices", flush=True)


def _print(rows):
    for row in rows:
        print(
            "{graph:34} {problem:4} default {default_ms:9.3f} ms  best {best_launch:8} {best_ms:9.3f} "
            "({best_over_default:4.2f})  papers {paper:24} {paper_ms:9.3f} ms  papers/ours "
            "{paper_over_default:6.2f}".format(**row),
            flush=True,
        )


if __name__ == "__main__":
    main()
