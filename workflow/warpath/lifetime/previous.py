"""Keep the last good record of each run that a workflow repeats, and the record itself where nothing about it changed.

Snakemake deletes a record before the job that repeats the run, and repeats every run behind a graph that is prepared
anew, before it can know that the graph comes out the same. So the records get further names when a workflow begins:

<launch>.json.previous   for the tables, if the run fails; the next good record of the run replaces it; removed when a
                         workflow ends that was forced to repeat the run and has not come to it
<launch>.json.unchanged  for the run, which keeps it if its graph is the same; removed when the workflow ends
"""

import contextlib
import os
import shutil
from pathlib import Path

from warpath.base import places


@contextlib.contextmanager
def keeping(workflow):
    """Keep the records that the jobs of this workflow are about to replace."""
    unchanged, forced = [], []
    for job in workflow.dag.needrun_jobs():
        for record in filter(places.is_record, job.output):
            Path(places.unchanged(record)).unlink(missing_ok=True)  # of a workflow that was killed
            if Path(record).exists():
                _link(record, places.previous(record))
                if workflow.dag.reason(job).forced:
                    forced.append(record)
                if _only_for_its_graph(workflow, job, record):
                    _link(record, places.unchanged(record))
                    unchanged.append(Path(places.unchanged(record)))
    try:
        yield
    finally:
        for path in unchanged:
            path.unlink(missing_ok=True)
        for record in filter(os.path.exists, forced):  # interrupted before its turn: it is not due the next time
            Path(places.previous(record)).unlink(missing_ok=True)


def _only_for_its_graph(workflow, job, record):
    """Whether the job is due only because its graph or the right answers for it are made anew."""
    reason, persistence = workflow.dag.reason(job), workflow.persistence
    if reason.forced or reason.missing_output or reason.incomplete_output or persistence.metadata(record) is None:
        return False
    changed = persistence.params_changed, persistence.code_changed, persistence.input_changed
    return not any(bool(_any(change(job))) for change in changed)


def _any(change):
    """Snakemake answers with a truth value, or with the outputs that changed."""
    return any(change) if hasattr(change, "__next__") else change


def _link(record, name):
    Path(name).unlink(missing_ok=True)
    try:
        os.link(record, name)
    except OSError:  # a file system without hard links
        with contextlib.suppress(OSError):
            shutil.copy2(record, name)
