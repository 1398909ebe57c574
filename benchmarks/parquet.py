"""Compare encodings and compressions of the arcs of an R-MAT graph: write rate, size and load rate.

    python benchmarks/parquet.py [SCALE]

Rates count the arrays in memory (8 bytes an arc), not the file, and are the best of three runs. Loading reads whole
columns into NumPy arrays and verifies page checksums, as csr.read does. Last come the rates of a prepared graph's own
writer and reader, by cores.
"""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

import pyarrow as pa
import pyarrow.parquet as pq

from warpath.base import parquet, processor
from warpath.graphs import generators
from warpath.graphs.clean import clean

CLEAN = {"self_loops": "drop", "largest_component": False, "relabel": True}
DELTA = "DELTA_BINARY_PACKED"
SPLIT = "BYTE_STREAM_SPLIT"
ENCODINGS = {
    "plain": {},
    "plain, no page checksums": {"write_page_checksum": False},
    "plain, lz4": {"compression": "lz4"},
    "plain, zstd": {"compression": "zstd", "compression_level": 1},
    "split bytes, zstd": {"column_encoding": {"target": SPLIT, "weight": SPLIT}, "compression": "zstd"},
    "dictionary weights": {"use_dictionary": ["weight"]},
    "delta targets": {"column_encoding": {"target": DELTA, "weight": "PLAIN"}},
    "delta targets, dictionary weights": {"column_encoding": {"target": DELTA}, "use_dictionary": ["weight"]},
    "delta both": {"column_encoding": {"target": DELTA, "weight": DELTA}},
    "delta both, 1 M rows a group": {"column_encoding": {"target": DELTA, "weight": DELTA}, "row_group_size": 1 << 20},
    "delta both, 16 M rows a group": {"column_encoding": {"target": DELTA, "weight": DELTA}, "row_group_size": 1 << 24},
}


def main(scale=20):
    cleaned = clean(generators.rmat(scale), CLEAN, False, "1..255 seed 7", "rmat")
    schema = pa.schema([pa.field("target", pa.int32(), False), pa.field("weight", pa.int32(), False)])
    table = pa.table([cleaned.targets, cleaned.weights], schema=schema)
    print(f"{len(table):,} arcs\n| encoding | write GB/s | bytes an arc | load GB/s |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, options in ENCODINGS.items():
            path = Path(folder) / "edges.parquet"
            writing = min(timed(write, table, path, options) for _ in range(3))
            loading = min(timed(load, path) for _ in range(3))
            rates = [table.nbytes / 1e9 / seconds for seconds in (writing, loading)]
            print(f"| {name} | {rates[0]:.2f} | {path.stat().st_size / len(table):.2f} | {rates[1]:.2f} |", flush=True)
        by_cores({"target": cleaned.targets, "weight": cleaned.weights}, path)


def by_cores(columns, path):
    most, size = processor.cores(), sum(column.nbytes for column in columns.values())
    print("\n| cores | write GB/s | load GB/s |\n|---|---|---|")
    for cores in sorted({1 << power for power in range(most.bit_length())} | {most}):
        processor.limit(cores)
        writing = min(timed(parquet.write, path, columns, dict) for _ in range(3))
        loading = min(timed(parquet.columns, path) for _ in range(3))
        print(f"| {cores} | {size / writing / 1e9:.2f} | {size / loading / 1e9:.2f} |", flush=True)


def write(table, path, options):
    defaults = {"compression": "none", "use_dictionary": False, "write_page_checksum": True, "row_group_size": 1 << 22}
    pq.write_table(table, path, write_statistics=False, **(defaults | options))


def load(path):
    table = pq.read_table(path, page_checksum_verification=True)
    return [table[name].to_numpy() for name in table.column_names]


def timed(function, *arguments):
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
