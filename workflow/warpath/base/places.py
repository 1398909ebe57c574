"""Paths of the checkout, and of every file that a workflow reads or writes."""

import os
from pathlib import Path

from warpath.base.errors import UserError

ROOT = Path(__file__).resolve().parents[3]
CONFIG = ROOT / "config"
WORKFLOW = ROOT / "workflow"
KERNELS = ROOT / "kernels"

# Relative to the working folder, and strings: Snakemake compares paths as text.
DOWNLOADS = "resources/downloads"
GRAPHS = "resources/graphs"
ORACLES = "resources/oracles"
CACHE = "results/.cache"
RESULTS = str(Path(os.environ.get("WARPATH_RESULTS") or "results"))
RECORDS = f"{RESULTS}/runs"
TIMINGS = f"{RESULTS}/timings.parquet"
SUMMARY = f"{RESULTS}/summary.csv"
FIGURES = f"{RESULTS}/figures"
REPORT = f"{RESULTS}/report.html"
KEPT = f"{RESULTS}/kept"
PROBE = f"{RESULTS}/probe.json"
COMPLETE = f"{RESULTS}/complete.json"
WORKFLOW_STATE = f"{RESULTS}/workflow.json"
COMPARISON = f"{RESULTS}/comparison"
TURNS = f"{RESULTS}/ab"
SETTINGS = "config/config.yaml"
BUNDLED = "resources/bundled"
GLOSSARY = "docs/data.md"
LOGS = "logs" if RESULTS == "results" else f"{RESULTS}/logs"
SNAKEMAKE_LOGS = ".snakemake/log"

LONGEST_NAME = 255  # bytes, on all usual file systems

home = None  # the folder that files of the user's are in, where a module's jobs work in another one
entered = ""  # that other folder, as `prefix` returns it


def prefix(setting):
    """The folder of all that a module makes, with a final slash; empty without one."""
    folder = f"{setting.rstrip('/')}/" if setting else ""
    if folder == "resources/":
        raise UserError('prefix "resources" is taken by files in it; choose another')
    return folder


def enter(folder, arguments):
    """Work in the folder of a module; return a job's arguments as they are there."""
    global home, entered
    home, entered = Path.cwd(), folder
    Path(folder).mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    return [argument.removeprefix(folder) for argument in arguments]


def is_own(basedir):
    """Whether a workflow's Snakefile, which lies in `basedir`, is that of this repository."""
    return Path(basedir).resolve() in (ROOT, WORKFLOW)


def shown(path):
    path = Path(path)
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def own(path):
    """A file or folder of the user's. A module's jobs work in the folder that is its prefix, but not for these."""
    if longest_name(path) > LONGEST_NAME:
        raise UserError(f"{path[:80]}...: has a name of more than {LONGEST_NAME} bytes")
    if path.startswith("~/"):
        path = str(Path(path).expanduser())
    return str(Path(home, path)) if home else path


def longest_name(path):
    """The bytes of the longest name of a folder or file in a path."""
    return max((len(part.encode(errors="replace")) for part in Path(path).parts), default=0)


def configured(path):
    """A file of the configuration: the user's own, else the one that comes with the repository."""
    return own(path) if Path(own(path)).exists() or not (ROOT / path).exists() else str(shown(ROOT / path))


def of_paper(paper, file):
    """A file of a paper: in config/papers/<paper>, or in a folder of the user's, which is named with a slash."""
    return Path(own(paper), file) if "/" in paper else Path(configured(f"config/papers/{paper}/{file}"))


def papers(file):
    """The papers in config/papers, the user's and those of the repository, whose folders have this file."""
    roots = CONFIG, Path(own("config"))
    return sorted({found.parent.name for root in roots for found in root.glob(f"papers/*/{file}")})


def data(path):
    """A local graph file: the user's own, or in resources/bundled that of the repository."""
    return os.path.relpath(ROOT / path) if path.startswith(f"{BUNDLED}/") else own(path)


def outcome(file):
    """What became of the step that makes this file."""
    return f"{file}.outcome"


def program(name):
    return f"{RESULTS}/programs/{name}.outcome"


def graph(name):
    return f"{GRAPHS}/{name}"


def prepared(name):
    """The file by which a graph is known to be prepared: it is written last."""
    return f"{graph(name)}/vertices.parquet"


def oracle(graph, problem):
    return f"{ORACLES}/{graph}/{problem}.parquet"


def record(graph, problem, algorithm, part):
    return f"{RECORDS}/{graph}/{problem}/{algorithm}/{part}.json"


def part(launch, process):
    """The last part of the names of a run's files: its launch, and the number of a process that is not the first."""
    return launch if process == 1 else f"{launch}.p{process}"


def download(folder, file):
    """A downloaded file; graphs of one base share the folder."""
    return f"{DOWNLOADS}/{folder}/{file}"


def figure(name, suffix):
    return f"{FIGURES}/{name}.{suffix}"


def log(*parts):
    """The log of a step, such as log("oracle", graph, problem)."""
    return f"{LOGS}/{'/'.join(parts)}.log"


def figure_files(name):
    return [figure(name, suffix) for suffix in ("svg", "csv")]


def graph_table(graph):
    return f"{RECORDS}/{graph}.csv"
