"""What jobs inherit from their workflow, and how they end with it."""

import json
import os
import signal
import sys
import threading
from pathlib import Path

from warpath.base import places
from warpath.warm.address import ISOLATION, MODULES, WORKFLOW

# Environment variable of jobs: the catalogues, the mirrors and the slowest download in use.
GRAPHS = "WARPATH_GRAPHS"


def prepare_jobs(package, catalogues, settings, prefix=""):
    """Set the environment that jobs inherit; those of a module with a prefix take theirs from it.

    `python -m warpath` in a rule becomes this Python with this package, which knows the same graphs and ends with this
    process.
    """
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    os.environ["PYTHONPATH"] = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
    os.environ[WORKFLOW] = str(os.getpid())
    graphs = {"catalogue": catalogues, "mirror": settings["mirrors"], "download_rate": settings["download_rate"]}
    environment = {GRAPHS: json.dumps(graphs), ISOLATION: settings["isolation"]}
    if prefix:
        modules = json.loads(os.environ.get(MODULES, "{}"))
        modules[prefix] = environment | {places.HOME: str(Path.cwd())}
        environment = {MODULES: json.dumps(modules)}
    os.environ |= environment


def defer_sigterm():
    """Run Snakemake's SIGTERM handler in a thread of its own. Call this once Snakemake has installed the handler.

    It takes a lock that the interrupted thread may hold, and would then never return.
    """
    handler = signal.getsignal(signal.SIGTERM)
    if callable(handler):
        signal.signal(signal.SIGTERM, lambda *arguments: threading.Thread(target=handler, args=arguments).start())
