"""The server of a workflow, with what the commands of its jobs import: `python -m warpath.warm WORKFLOW`."""

import sys

from warpath import cli
from warpath.warm import server

# In this order, one at a time between requests: what runs need comes first. Nothing that touches a GPU.
MODULES = [
    "numpy",
    "pyarrow.parquet",
    "pyarrow.dataset",
    "warpath.runs.job",
    "warpath.runs.measure",
    "warpath.runs.child",
    "warpath.runs.experiment",
    "warpath.runs.oracle",
    "warpath.devices.host",
    "warpath.devices.cpu",
    "scipy.sparse.csgraph",
    "warpath.graphs.prepare",
    "warpath.graphs.download",
    "pandas",
    "jsonschema_rs",
    "warpath.results.gather",
    "matplotlib.pyplot",
    "seaborn",
    "matplotlib.backends.backend_svg",
    "warpath.results.page",
    "warpath.results.charts",
    "warpath.results.libraries",
    "pandas.core.arrays.arrow.extension_types",  # pandas imports these when they are first needed
    "pandas.io.formats.csvs",
]


if __name__ == "__main__":
    cli.parser()  # once, for all commands
    server.serve(int(sys.argv[1]), cli.main, MODULES)
