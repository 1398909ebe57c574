"""Dry runs of Snakemake without its second of imports: each is forked from a process that has imported it.

What a dry run imports of the checkout, it imports itself. As a script, the process that forks: it reads requests
(arguments, folder, environment, file for the output) as lines of JSON, and answers each with the exit status.
"""

import functools
import importlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# The others are what Snakemake imports when it needs them.
MODULES = ["snakemake.cli", "snakemake.dag", "snakemake.executors.dryrun", "dpath", "git", "smart_open", "yte"]


@functools.cache
def _forking():
    """One process for all dry runs of this one; it ends when its standard input is closed."""
    own = {"PYTHONPATH": "", "SLURM_CONF": os.devnull}  # as in checkouts, because plugins read them on import
    command = [sys.executable, __file__]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    return subprocess.Popen(command, env=os.environ | own, text=True, bufsize=1, **pipes)


def run(arguments, folder, environment):
    """Run `snakemake` with these arguments; return its exit status and what it wrote."""
    process = _forking()
    with tempfile.NamedTemporaryFile("r") as output:
        process.stdin.write(json.dumps([arguments, str(folder), environment, output.name]) + "\n")
        return int(process.stdout.readline()), output.read()


def _serve():
    for name in MODULES:
        importlib.import_module(name)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _become(*json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _become(arguments, folder, environment, output):
    from snakemake.cli import main

    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[0] = folder  # as for `python -m snakemake`
    file = os.open(output, os.O_WRONLY)
    os.dup2(file, 1)
    os.dup2(file, 2)
    sys.argv = [str(Path(sys.executable).with_name("snakemake")), *arguments]
    sys.exit(main())


if __name__ == "__main__":
    _serve()
