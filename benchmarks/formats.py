"""Compare how fast the readers are, on the same edges in every format.

    python benchmarks/formats.py [MILLION_EDGES]

Each rate is the best of three, of reading alone: no cleaning, no writing. The last column compares with text by the
time of the CPU, which other work on the machine does not change; a format must reach half. GraphML and GML have fewer
edges, and are compared with the library's own function. Exits non-zero if a format is too slow.
"""

import gzip
import io
import json
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

import networkx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from text import write as write_text

from warpath.graphs import catalogue, readers

SHARE = 0.5  # of the text reader's rate
REPETITIONS = 3
NETWORK_EDGES = 100_000


def tar_gz(text, path):
    with gzip.open(path, "wb", 6) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        archive.add(text, "g/g.edges")  # named like the archive, as collections do


def zipped(text, path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        archive.write(text, text.name)


def packed_files(folder, text):
    """The text in every packing."""
    content = text.read_bytes()
    (folder / "g.txt.gz").write_bytes(gzip.compress(content, 6))
    (folder / "g.txt.zst").write_bytes(pa.compress(content, codec="zstd", asbytes=True))
    tar_gz(text, folder / "g.tar.gz")
    zipped(text, folder / "g.zip")
    return [folder / name for name in ("g.txt.gz", "g.tar.gz", "g.zip", "g.txt.zst")]


def array_files(folder, tails, targets):
    """The edges as arrays and tables."""
    from scipy.sparse import csr_array, save_npz

    size = int(max(tails.max(), targets.max())) + 1
    save_npz(folder / "csr.npz", csr_array((np.ones(len(tails), np.int8), (tails, targets)), shape=(size, size)))
    np.savez(folder / "columns.npz", source=tails, target=targets)
    np.save(folder / "g.npy", np.stack([tails, targets], axis=1))
    table = pa.table({"source": tails, "target": targets})
    pq.write_table(table, folder / "g.parquet")
    with pa.ipc.new_file(folder / "g.arrow", table.schema) as writer:
        writer.write_table(table)
    return [folder / name for name in ("csr.npz", "columns.npz", "g.npy", "g.parquet", "g.arrow")]


def network_files(folder, tails, targets):
    graph = networkx.DiGraph(zip(tails[:NETWORK_EDGES].tolist(), targets[:NETWORK_EDGES].tolist(), strict=True))
    networkx.write_graphml(graph, folder / "g.graphml")
    networkx.write_gml(graph, folder / "g.gml")
    return {folder / "g.graphml": networkx.read_graphml, folder / "g.gml": networkx.read_gml}


def best(read):
    """The edges that `read()` returns per second, by the clock and by the CPU."""
    rates = []
    for _ in range(REPETITIONS):
        begin, cpu_begin = time.perf_counter(), time.process_time()
        edges = read()
        rates.append((edges / (time.perf_counter() - begin), edges / (time.process_time() - cpu_begin)))
    return [max(column) for column in zip(*rates, strict=True)]


def reading(path, folder):
    """A function that reads the edges of a file, as `warpath prepare` does."""
    (folder / "c.yaml").write_text(json.dumps({"g": {"path": str(path)}}))
    entry = catalogue.load(folder / "c.yaml")["g"]
    return lambda: readers.read(entry, [path]).edges


def rows(folder, million):
    """Yield each file's name, its rates, and the rates that it is compared with."""
    text = folder / "g.txt"
    write_text(text, round(million * 1e6), scale=20)
    tails, targets = np.loadtxt(text, np.int64, unpack=True) if million < 0.1 else _columns(text)
    plain = best(reading(text, folder))
    yield text.name, plain, plain
    for path in [*packed_files(folder, text), *array_files(folder, tails, targets)]:
        yield path.name, best(reading(path, folder)), plain
    for path, library in network_files(folder, tails, targets).items():
        alone = best(lambda: library(path).number_of_edges())  # noqa: B023, called at once
        yield path.name, best(reading(path, folder)), alone


def _columns(text):
    from pyarrow import csv

    comments = sum(line.startswith(b"#") for line in io.BytesIO(text.read_bytes()[:200]))
    options = csv.ReadOptions(column_names=["u", "v"], skip_rows=comments)
    table = csv.read_csv(text, options, csv.ParseOptions(delimiter="\t"))
    return table["u"].to_numpy(), table["v"].to_numpy()


def main(million="5"):
    print("| file | M edges/s | M edges/s of CPU time | compared with |\n|---|---|---|---|")
    slow = []
    with tempfile.TemporaryDirectory(prefix="warpath-") as folder:
        for name, (rate, cpu_rate), (_, other) in rows(Path(folder), float(million)):
            print(f"| {name} | {rate / 1e6:.2f} | {cpu_rate / 1e6:.2f} | {cpu_rate / other:.2f} |", flush=True)
            slow += [name] if cpu_rate < SHARE * other else []
    sys.exit(f"slower than {SHARE:.0%}: {', '.join(slow)}" if slow else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
