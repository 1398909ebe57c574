"""The steps of the workflow as sub-commands, each from files to files. Rules call them, and they work by hand."""

import argparse
import os
import sys
import traceback

from warpath import __version__
from warpath.algorithms.programs import commands as programs
from warpath.base import folder, outcome, places, settings, variables
from warpath.base.errors import UserError
from warpath.base.text import escaped
from warpath.graphs import commands as graphs
from warpath.results import commands as results
from warpath.results.comparisons import commands as comparisons
from warpath.runs import commands as runs
from warpath.warm import processes

INTERRUPTED = 130

# What the server of a workflow imports between requests, in this order: what runs need comes first. Nothing that
# touches a GPU.
AHEAD = [
    "numpy",
    "pyarrow.parquet",
    "warpath.runs.job",
    "warpath.runs.experiment",
    "scipy.sparse.csgraph",
    "warpath.graphs.prepare",
    "warpath.graphs.download",
    "pandas",
    "warpath.results.gather",
    "matplotlib.pyplot",
    "seaborn",
    "warpath.results.page",
    "warpath.results.charts",
]


def main(arguments=None):
    parsed = PARSER.parse_args(arguments)
    if not parsed.forks:
        processes.end_with_workflow()
    try:
        variables.check()
        begun = settings.workflow()
        if begun and begun["machine"] == os.uname().nodename:
            folder.own(begun["process"])
        if parsed.module:
            given = places.enter(parsed.module, sys.argv[1:] if arguments is None else arguments)
            parsed = PARSER.parse_args(given)
        status, error = _run(parsed)
        if parsed.outcome and status != INTERRUPTED:
            outcome.write(parsed.outcome, error, parsed.again)
            return 0
        return status
    except UserError as error:
        print(f"warpath: {error}", file=sys.stderr)
    return 2


def _run(parsed):
    """Run a step; return its exit status, and why it failed."""
    try:
        return parsed.command(parsed) or 0, None
    except UserError as error:
        print(error.note, end="\n" if error.note else "", file=sys.stderr)
        reason = str(error)
    except ModuleNotFoundError as error:
        reason = f"{sys.executable} lacks {error.name}; activate .venv (make run creates it)"
    except KeyboardInterrupt:
        print("warpath: interrupted", file=sys.stderr)
        return INTERRUPTED, None
    except BrokenPipeError:
        return 1, None
    except OSError as error:
        place = f"{escaped(error.filename)}: " if error.filename else ""
        reason = f"{place}{error.strerror or escaped(error)}"
    except Exception as error:
        if not parsed.outcome:
            raise
        traceback.print_exc()
        reason = f"{type(error).__name__}: {escaped(error)}"
    print(f"warpath: {reason}", file=sys.stderr)
    return 2, reason


def _parser():
    whole = argparse.ArgumentParser(prog="warpath", description=__doc__)
    whole.add_argument("--version", action="version", version=__version__)
    whole.add_argument("--folder", dest="module", help="the folder of a module, in which its jobs work")
    whole.add_argument("--outcome", metavar="FILE", help="write what became of the step, and exit with 0")
    whole.add_argument("--again", default=outcome.FIRST, help="what the outcome says of why the step was due")
    subparsers = whole.add_subparsers(required=True, metavar="step")

    def step(name, command, about, *parents, forks=False, **options):
        parser = subparsers.add_parser(name, help=about, parents=parents, **options)
        parser.set_defaults(command=command, forks=forks)
        return parser

    for layer in (graphs, programs, runs, results, comparisons):
        layer.add_to(step)
    return whole


PARSER = _parser()  # once, for all commands of a server
