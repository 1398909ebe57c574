"""The steps of the workflow as sub-commands, each from files to files. Rules call them, and they work by hand."""

import argparse
import functools
import sys

from warpath import __version__
from warpath.base import variables
from warpath.base.errors import UserError
from warpath.base.text import escaped
from warpath.warm import processes


def main(arguments=None):
    parsed = parser().parse_args(arguments)
    if not getattr(parsed, "forks", False):
        processes.end_with_workflow()
    try:
        variables.check()
        return parsed.command(parsed) or 0
    except UserError as error:
        print(*error.notes, f"warpath: {error}", sep="\n", file=sys.stderr)
    except ModuleNotFoundError as error:
        print(f"warpath: {sys.executable} lacks {error.name}; activate .venv (make run creates it)", file=sys.stderr)
    except KeyboardInterrupt:
        print("warpath: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        return 1
    except OSError as error:
        place = f"{escaped(error.filename)}: " if error.filename else ""
        print(f"warpath: {place}{error.strerror or escaped(error)}", file=sys.stderr)
    return 2


@functools.cache
def parser():
    from warpath.graphs import commands as graphs
    from warpath.results import commands as results
    from warpath.results.comparisons import commands as comparisons
    from warpath.runs import commands as runs

    whole = argparse.ArgumentParser(prog="warpath", description=__doc__)
    whole.add_argument("--version", action="version", version=__version__)
    subparsers = whole.add_subparsers(required=True, metavar="step")
    for layer in (graphs, runs, results, comparisons):
        layer.add_to(subparsers)
    return whole
