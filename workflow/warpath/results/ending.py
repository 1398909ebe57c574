"""What a workflow says when it begins and when it ends. A module's user calls these from handlers of his own."""

import os
import sys
from pathlib import Path

from warpath.base import folder, outcome, places, settings
from warpath.base.errors import one_line
from warpath.base.text import counted
from warpath.results import repeat
from warpath.runs import overhead


def onstart():
    """Refuse a folder in which another workflow runs, or its jobs do, before the first job."""
    with one_line():
        folder.own(os.getpid())
        if settings.workflow().get("submits"):
            folder.require_no_jobs()
    repeat.remember()


def onsuccess(study, prefix):
    """Say how the runs ended, which programs could not be built, and where the page is."""
    begun = folder.running_since() or 0
    lines = overhead.lines([f"{prefix}{run.record}" for run in study.runs], since=begun)
    for name in dict.fromkeys(program.name for program in study.programs.values()):
        if why := outcome.error(f"{prefix}{places.program(name)}"):
            lines.append(f"{name} is not built: {why}")
    page = Path(f"{prefix}{places.REPORT}")
    if page.exists() and page.stat().st_mtime >= begun:
        lines.append(f"The report: {page}")
    print(*(f"{prefix}{': ' if prefix else ''}{line}" for line in lines), sep="\n", file=sys.stderr, flush=True)


def onerror(study, settings, prefix):
    """Say what `onsuccess` does, how much is left to do, and what tells why jobs failed.

    Nothing where only another workflow's jobs did.
    """
    begun = folder.running_since() or 0
    if not any(path.stat().st_mtime >= begun for path in Path(f"{prefix}{places.LOGS}").rglob("*.log")):
        return
    onsuccess(study, prefix)
    if left := sum(not Path(f"{prefix}{run.record}").exists() for run in study.runs):
        done = f"{len(study.runs) - left:,} of {counted(len(study.runs), 'run')} are kept"
        print(f"{done}; the same command goes on with the other {left:,}.", file=sys.stderr, flush=True)
    print(f"What failed and how to do it again: {repeat.failures(prefix, settings)}", file=sys.stderr, flush=True)
