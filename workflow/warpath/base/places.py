"""Paths of the checkout, and of every file that a workflow reads or writes."""

import os
from pathlib import Path

from warpath.base import variables

ROOT = Path(__file__).resolve().parents[3]
CONFIG = ROOT / "config"
WORKFLOW = ROOT / "workflow"

# Environment variable of jobs that work in the folder of a module: the folder that Snakemake works in.
HOME = "WARPATH_HOME"

# Relative to the working folder, and strings: Snakemake compares paths as text.
DOWNLOADS = "resources/downloads"
GRAPHS = "resources/graphs"
ORACLES = "resources/oracles"
CACHE = "results/.cache"
RESULTS = str(Path(variables.value("WARPATH_RESULTS") or "results"))
RECORDS = f"{RESULTS}/runs"
TIMINGS = f"{RESULTS}/timings.parquet"
SUMMARY = f"{RESULTS}/summary.csv"
FIGURES = f"{RESULTS}/figures"
LEVELS = f"{RESULTS}/levels"
REPORT = f"{RESULTS}/report.html"
PROBE = f"{RESULTS}/probe.json"
COMPARISON = f"{RESULTS}/comparison"
HISTORY = f"{RESULTS}/history"
SETTINGS = "config/config.yaml"
BUNDLED = "resources/bundled"
GLOSSARY = "docs/data.md"
LOGS = "logs" if RESULTS == "results" else f"{RESULTS}/logs"
SNAKEMAKE_LOGS = ".snakemake/log"

FIGURE_SUFFIXES = ("svg", "png", "csv")


def shown(path):
    """`path`, relative to the working folder if it lies in it."""
    path = Path(path)
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def own(path):
    """A file or folder of the user's. A module's jobs work in the folder that is its prefix, but not for these."""
    return str(Path(os.environ[HOME], path)) if HOME in os.environ else path


def configured(path):
    """A file of the configuration: the user's own, else the one that comes with the repository."""
    return own(path) if Path(own(path)).exists() or not (ROOT / path).exists() else str(shown(ROOT / path))


def data(path):
    """A local graph file: the user's own, or in resources/bundled that of the repository."""
    return os.path.relpath(ROOT / path) if path.startswith(f"{BUNDLED}/") else own(path)


def graph(name):
    """The folder of a prepared graph."""
    return f"{GRAPHS}/{name}"


def prepared(name):
    """The file by which a graph is known to be prepared: it is written last."""
    return f"{graph(name)}/vertices.parquet"


def oracle(graph, problem):
    return f"{ORACLES}/{graph}/{problem}.parquet"


def record(graph, problem, algorithm, launch):
    return f"{RECORDS}/{graph}/{problem}/{algorithm}/{launch}.json"


def failure(record):
    """Where an unexpected failure is recorded: `record` itself stays absent, so that a rerun repeats the run."""
    return Path(record).with_suffix(".failed.json")


def is_record(path):
    """Whether this output of a job is a record; a module may have a prefix."""
    return f"/{RECORDS}/" in f"/{path}" and path.endswith(".json")


def previous(record):
    """Where the last good record stays while its run is repeated, and after that failed."""
    return f"{record}.previous"


def unchanged(record):
    """Where a record stays whose run is repeated only because its graph is prepared anew."""
    return f"{record}.unchanged"


def downloads(folder):
    """The folder of a graph's downloaded files; graphs of one base share it."""
    return f"{DOWNLOADS}/{folder}"


def download(folder, file):
    return f"{downloads(folder)}/{file}"


def figure(name, suffix):
    return f"{FIGURES}/{name}.{suffix}"


def log(*parts):
    """The log of a step, such as log("oracle", graph, problem)."""
    return f"{LOGS}/{'/'.join(parts)}.log"


def figure_files(name):
    """The files of a drawn figure."""
    return [f"{FIGURES}/{name}.{suffix}" for suffix in FIGURE_SUFFIXES]


def graph_table(graph):
    """The table of all runs on one graph."""
    return f"{RECORDS}/{graph}.csv"
