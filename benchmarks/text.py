"""Write generated edges as a SNAP text file.

python benchmarks/text.py OUTPUT EDGES [SCALE]
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow"))

import pyarrow as pa
import pyarrow.csv

from warpath.graphs import generators


def write(path, edges, scale=22):
    """Write R-MAT edges of 2^scale vertices, separated by tabs. Ids are not contiguous."""
    generated = generators.rmat(scale, edge_factor=edges / 2**scale)
    options = pa.csv.WriteOptions(include_header=False, delimiter="\t")
    with open(path, "wb") as file:
        file.write(f"# {edges} generated edges\n# FromNodeId\tToNodeId\n".encode())
        for tails, targets, _ in generated.blocks:
            pa.csv.write_csv(pa.table([tails, targets], names=["u", "v"]), file, options)


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]), *map(int, sys.argv[3:]))
