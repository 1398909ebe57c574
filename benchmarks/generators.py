"""Measure how long it takes to generate graphs of the catalogue.

    python benchmarks/generators.py [NAME ...]

Drawing generates the edges, cleaning sorts them and adds both directions, and writing ends with Parquet flushed to the
disk. The peak is the memory beyond the interpreter's.
"""

import itertools
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "workflow"))

DEFAULT = ["rmat22", "urand10m6", "scale-free-10m", "grid4k", "rgg_n_2_24_s0.stand-in"]


def main(names):
    print("| graph | M edges drawn | drawing s | cleaning s | writing s | CPU s in all | peak bytes an arc |")
    print("|---|---|---|---|---|---|---|")
    for name in names or DEFAULT:
        process = subprocess.run([sys.executable, __file__, "--one", name], capture_output=True, text=True, check=True)
        print(process.stdout.strip(), flush=True)


def measure(name):
    from warpath.foundation import processor, settings
    from warpath.graphs import catalogue, csr, generators, library
    from warpath.graphs.clean import clean

    library.load_usual()  # compiles before the clock starts
    for rare in library.RARE:
        library.load(rare)
    entry, base = catalogue.load(settings.GRAPHS)[name], processor.reset_peak()
    cpu_begin, clock = time.process_time(), [time.perf_counter()]
    edges = generators.generate(entry.generator)
    drawn = edges.edges
    clock.append(time.perf_counter())
    cleaned = clean(edges, entry.clean, entry.directed, entry.weights, name)
    clock.append(time.perf_counter())
    graph = csr.Graph(name, cleaned.offsets, cleaned.targets, cleaned.weights, cleaned.labels, entry.directed)
    with tempfile.TemporaryDirectory() as folder:
        csr.write(graph, folder)
    clock.append(time.perf_counter())
    drawing, cleaning, writing = (after - before for before, after in itertools.pairwise(clock))
    peak = (processor.peak_bytes() - base) / graph.arcs
    cpu = time.process_time() - cpu_begin
    print(f"| {name} | {drawn / 1e6:.1f} | {drawing:.1f} | {cleaning:.1f} | {writing:.1f} | {cpu:.1f} | {peak:.1f} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        measure(sys.argv[2])
    else:
        main(sys.argv[1:])
