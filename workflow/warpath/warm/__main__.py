"""The server of a workflow, with what the commands of its jobs import: `python -m warpath.warm WORKFLOW`."""

import sys

from warpath import cli
from warpath.warm import server

# In this order, one at a time between requests: what runs need comes first. Nothing that touches a GPU.
MODULES = [
    "numpy",
    "pyarrow.parquet",
    "warpath.runs.job",
    "warpath.runs.measure",
    "warpath.runs.child",
    "warpath.runs.experiment",
    "warpath.devices.host",
    "warpath.devices.cpu",
    "scipy.sparse.csgraph",
    "warpath.graphs.prepare",
    "warpath.graphs.download",
    "pandas",
    "warpath.results.gather",
    "matplotlib.pyplot",
    "seaborn",
    "warpath.results.page",
    "warpath.results.charts",
    "warpath.results.libraries",
]


if __name__ == "__main__":
    cli.parser()  # once, for all commands
    server.serve(int(sys.argv[1]), cli.main, MODULES)
