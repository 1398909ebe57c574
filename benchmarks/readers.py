"""Our conversion beside other people's readers, on the same files and cores.

    make peers
    python benchmarks/text.py /tmp/edges.txt 50000000 && gzip -k /tmp/edges.txt
    python benchmarks/readers.py /tmp/edges.txt /tmp/edges.txt.gz

Ours reads, cleans, sorts, stores both directions and writes Parquet to the disk (flushed); the others stop at a graph
in memory. Each runs in a process of its own; imports are not counted, the peak of memory is the whole process's.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCRATCH = tempfile.TemporaryDirectory(prefix="warpath-")  # goes with the process


def warpath(path):
    sys.path.insert(0, str(ROOT / "workflow"))
    import pyarrow.parquet  # noqa: F401, not to be timed

    from warpath.graphs import catalogue, library, prepare

    for name in ("parse", "build"):  # compiled once per machine, not per graph
        library.load(name)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "c.yaml"
        file.write_text(json.dumps({"g": {"path": str(Path(path).resolve())}}))
        entry = catalogue.load(file)["g"]
        return lambda: prepare.prepare(entry, entry.inputs(), SCRATCH.name)["read"]["edges"]


def networkit(path):
    import networkit

    reader = networkit.graphio.EdgeListReader("\t", 0, "#", continuous=False, directed=False)
    return lambda: reader.read(path).numberOfEdges()


def igraph(path):
    import igraph

    bare = _without_comments(path)
    return lambda: igraph.Graph.Read_Edgelist(bare, directed=False).ecount()


def numpy_scipy(path):
    import numpy as np

    return lambda: _csr(*np.loadtxt(path, dtype=np.int64, comments="#").T)


def scipy_mmread(path):
    """The same edges as a Matrix Market file, whose ids count from 1 and which SciPy reads in threads."""
    import numpy as np
    from pyarrow import csv, table
    from scipy.io import mmread

    columns = [column + 1 for column in _columns(path)]
    matrix, n = Path(SCRATCH.name) / "g.mtx", max(map(np.max, columns))
    with open(matrix, "wb") as file:
        file.write(f"%%MatrixMarket matrix coordinate pattern general\n{n} {n} {len(columns[0])}\n".encode())
        csv.write_csv(table(columns, ["u", "v"]), file, csv.WriteOptions(include_header=False, delimiter=" "))

    return lambda: _csr(*mmread(matrix).coords)


def pandas_scipy(path):
    import pandas as pd

    def read():
        table = pd.read_csv(path, sep="\t", comment="#", header=None, dtype="int64", engine="c")
        return _csr(table[0].to_numpy(), table[1].to_numpy())

    return read


def pyarrow_scipy(path):
    from pyarrow import csv  # noqa: F401, not to be timed

    return lambda: _csr(*_columns(path))


def _columns(path):
    from pyarrow import csv

    options = csv.ReadOptions(column_names=["u", "v"], skip_rows=_comments(path))
    table = csv.read_csv(path, options, csv.ParseOptions(delimiter="\t"))
    return table["u"].to_numpy(), table["v"].to_numpy()


READERS = [warpath, networkit, igraph, numpy_scipy, scipy_mmread, pandas_scipy, pyarrow_scipy]
PACKED = ["warpath", "numpy_scipy", "pandas_scipy", "pyarrow_scipy"]  # those that unpack gzip themselves


def _csr(sources, targets):
    import numpy as np
    from scipy.sparse import coo_array

    n = int(max(sources.max(), targets.max())) + 1
    matrix = coo_array((np.ones(len(sources), np.int8), (sources, targets)), shape=(n, n)).tocsr()
    assert matrix.nnz
    return len(sources)


def _comments(path):
    import gzip

    with (gzip.open if str(path).endswith("gz") else open)(path, "rb") as file:
        return next(number for number, line in enumerate(file) if not line.startswith(b"#"))


def _without_comments(path):
    bare = Path(SCRATCH.name) / "bare.txt"
    with open(path, "rb") as source, open(bare, "wb") as file:
        file.writelines(line for line in source if not line.startswith(b"#"))
    return str(bare)


def measure(name, path):
    read = globals()[name](path)
    start, used = time.perf_counter(), time.process_time()
    edges = read()
    seconds, used = time.perf_counter() - start, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"edges": int(edges), "seconds": seconds, "cpu": used, "peak": peak}))


def main(paths):
    print("| file | reader | seconds | M edges/s | CPU s | peak bytes an edge |\n|---|---|---|---|---|---|")
    for path in paths:
        names = PACKED if path.endswith(".gz") else [reader.__name__ for reader in READERS]
        for name in names:
            command = [sys.executable, __file__, "--one", name, path]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"| {Path(path).name} | {name} | {done.stderr.strip().splitlines()[-1][:60]} | | | |", flush=True)
                continue
            found = json.loads(done.stdout.splitlines()[-1])
            edges, seconds = found["edges"], found["seconds"]
            rate, peak = edges / seconds / 1e6, found["peak"] / edges
            print(
                f"| {Path(path).name} | {name} | {seconds:.2f} | {rate:.2f} | {found['cpu']:.2f} | {peak:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        measure(*sys.argv[2:])
    else:
        main(sys.argv[1:])
