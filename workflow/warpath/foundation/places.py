"""Where everything lies: in the checkout, and under the folder in which a workflow runs."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CONFIG = ROOT / "config"
WORKFLOW = ROOT / "workflow"

# Under the working folder, as text: Snakemake compares paths by their letters.
DOWNLOADS = "resources/downloads"
GRAPHS = "resources/graphs"
ORACLES = "resources/oracles"
CACHE = "results/.cache"
RECORDS = "results/runs"
TIMINGS = "results/timings.parquet"
SUMMARY = "results/summary.csv"
FIGURES = "results/figures"
REPORT = "results/report.html"
PROBE = "results/probe.json"
LOGS = "logs"

GRAPH_FILES = ("vertices.parquet", "edges.parquet")


def graph(name):
    """The folder of a prepared graph."""
    return f"{GRAPHS}/{name}"


def oracle(graph, problem):
    return f"{ORACLES}/{graph}/{problem}.parquet"


def record(graph, problem, algorithm, launch):
    return f"{RECORDS}/{graph}/{problem}/{algorithm}/{launch}.json"


def failure(record):
    """The record of a run that failed unexpectedly: beside the one it has not, so that a plain rerun tries again."""
    return Path(record).with_suffix(".failed.json")


def downloads(folder):
    """The folder of a graph's downloaded files; graphs of one base share it."""
    return f"{DOWNLOADS}/{folder}"


def log(*parts):
    """The log of a step, such as log("oracle", graph, problem)."""
    return f"{LOGS}/{'/'.join(parts)}.log"


def graph_table(graph):
    """The table of one graph's runs."""
    return f"{RECORDS}/{graph}.csv"
