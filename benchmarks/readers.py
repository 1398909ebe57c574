"""Compare warpath's conversion with the readers of other libraries, on the same edge lists of SNAP and the same cores.

    make peers
    python benchmarks/readers.py edges.txt edges.txt.gz

warpath reads, cleans, sorts, adds both directions and flushes Parquet to the disk; the others stop at a graph in
memory. Each runs in a process of its own. Times exclude imports; the peak is the memory of the whole process.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCRATCH = tempfile.TemporaryDirectory(prefix="warpath-")


def warpath(path):
    sys.path.insert(0, str(ROOT / "workflow"))
    import pyarrow.parquet  # noqa: F401, imported before the clock starts

    from warpath.graphs import catalogue, library, prepare

    for name in ("parse", "build"):  # compile before the clock starts
        library.load(name)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "c.yaml"
        file.write_text(json.dumps({"g": {"path": str(Path(path).resolve())}}))
        entry = catalogue.load(file)["g"]
        return lambda: prepare.prepare(entry, entry.path(), SCRATCH.name)["read"]["edges"]


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
    """The same edges as a Matrix Market file, which SciPy reads in threads. Its ids start at 1."""
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
    from pyarrow import csv  # noqa: F401, imported before the clock starts

    return lambda: _csr(*_columns(path))


def _columns(path):
    from pyarrow import csv

    options = csv.ReadOptions(column_names=["u", "v"], skip_rows=_comments(path))
    table = csv.read_csv(path, options, csv.ParseOptions(delimiter="\t"))
    return table["u"].to_numpy(), table["v"].to_numpy()


READERS = [warpath, networkit, igraph, numpy_scipy, scipy_mmread, pandas_scipy, pyarrow_scipy]
PACKED = ["warpath", "numpy_scipy", "pandas_scipy", "pyarrow_scipy"]  # those that read gzip


def _csr(tails, targets):
    import numpy as np
    from scipy.sparse import coo_array

    n = int(max(tails.max(), targets.max())) + 1
    matrix = coo_array((np.ones(len(tails), np.int8), (tails, targets)), shape=(n, n)).tocsr()
    assert matrix.nnz
    return len(tails)


def _comments(path):
    """The number of comment lines."""
    import gzip

    with (gzip.open if str(path).endswith("gz") else open)(path, "rb") as file:
        return next(number for number, line in enumerate(file) if not line.startswith(b"#"))


def _without_comments(path):
    bare = Path(SCRATCH.name) / "bare.txt"
    with open(path, "rb") as text, open(bare, "wb") as file:
        file.writelines(line for line in text if not line.startswith(b"#"))
    return str(bare)


def measure(name, path):
    read = globals()[name](path)
    begin, cpu_begin = time.perf_counter(), time.process_time()
    edges = read()
    seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu_begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"edges": int(edges), "seconds": seconds, "cpu": cpu, "peak": peak}))


def main(paths):
    print("| file | reader | seconds | M edges/s | CPU s | peak bytes an edge |\n|---|---|---|---|---|---|")
    for path in paths:
        for name in PACKED if path.endswith(".gz") else [reader.__name__ for reader in READERS]:
            print(f"| {Path(path).name} | {name} | {' | '.join(cells(name, path))} |", flush=True)


def cells(name, path):
    """The results of one reader in a process of its own, or the end of its error message."""
    command = [sys.executable, __file__, "--one", name, path]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode:
        return [process.stderr.strip().splitlines()[-1][:60], "", "", ""]
    result = json.loads(process.stdout.splitlines()[-1])
    edges, seconds = result["edges"], result["seconds"]
    rate, peak = edges / seconds / 1e6, result["peak"] / edges
    return [f"{seconds:.2f}", f"{rate:.2f}", f"{result['cpu']:.2f}", f"{peak:.0f}"]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        measure(*sys.argv[2:])
    else:
        main(sys.argv[1:])
