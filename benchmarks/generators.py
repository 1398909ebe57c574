"""Measure how long each step of preparing graphs takes: of the catalogue's generated ones, or of files.

    python benchmarks/generators.py [NAME or FILE ...]

Drawing generates the edges or reads the file, cleaning sorts them and adds both directions, and writing ends with
Parquet flushed to the disk; a file is hashed meanwhile. Each step has its seconds by the clock and by the CPU, which
other work on the machine changes less. The peak is the memory beyond the interpreter's.
"""

import itertools
import json
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "workflow"))

DEFAULT = ["rmat22", "urand10m6", "scale-free-10m", "grid4k", "rgg_n_2_24_s0.stand-in"]


def main(names):
    print("| graph | M edges | drawing s, CPU s | cleaning | writing | in all | CPU ns an edge | peak bytes an arc |")
    print("|---|---|---|---|---|---|---|---|")
    for name in names or DEFAULT:
        process = subprocess.run([sys.executable, __file__, "--one", name], capture_output=True, text=True, check=True)
        print(process.stdout.strip(), flush=True)


def measure(name):
    from warpath.base import processor
    from warpath.graphs import csr, library, prepare
    from warpath.graphs.clean import clean

    library.load_usual()  # compiles before the clock starts
    for rare in library.RARE:
        library.load(rare)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as thread:
        entry = _entry(name, Path(folder))
        base, clock = processor.reset_peak(), [_now()]
        checksum = thread.submit(prepare._checksum, entry, entry.path(), False)
        edges = prepare.read(entry, entry.path())
        drawn = edges.edges
        clock.append(_now())
        graph = clean(edges, entry.clean, bool(entry.directed), entry.weights, name)
        clock.append(_now())
        csr.write(graph, folder, lambda: {"files": checksum.result()})
        clock.append(_now())
    steps = [[after - before for before, after in zip(*pair, strict=True)] for pair in itertools.pairwise(clock)]
    steps.append([sum(step) for step in zip(*steps, strict=True)])
    times = " | ".join(f"{elapsed:.1f}, {cpu:.1f}" for elapsed, cpu in steps)
    peak = (processor.memory("VmHWM") - base) / graph.arcs
    print(f"| {name} | {drawn / 1e6:.1f} | {times} | {1e9 * steps[-1][1] / drawn:.0f} | {peak:.1f} |")


def _entry(name, folder):
    from warpath.base import settings
    from warpath.graphs import catalogue

    if not Path(name).exists():
        return catalogue.load(settings.GRAPHS)[name]
    (folder / "c.yaml").write_text(json.dumps({"g": {"path": str(Path(name).resolve())}}))
    return catalogue.load(folder / "c.yaml")["g"]


def _now():
    return time.perf_counter(), time.process_time()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        measure(sys.argv[2])
    else:
        main(sys.argv[1:])
