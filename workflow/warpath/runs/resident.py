"""A resident that measures: it keeps the context of its GPU, and graphs on it, from one run to the next."""

import contextlib
import os
import sys

from warpath.runs.kept import Kept
from warpath.runs.measure import Spec, measure

KIND, ENTRY = "gpu", "warpath.runs.resident:serve"


def serve(link, state):
    """Measure the run that the link asks for; whether this process may measure another."""
    kept = state.setdefault("kept", Kept())
    for message in link:
        with _streams(*link.take_files()):
            return measure(
                Spec(**message["spec"]),
                lambda kind, locks=(), **fields: link.send({"kind": kind, **fields}, locks),
                kept,
                message["waited"],
            )
    return False


@contextlib.contextmanager
def _streams(output, error):
    """Print where the run's job prints."""
    own = [os.dup(1), os.dup(2)]
    _redirect(output, error)
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        _redirect(*own)


def _redirect(output, error):
    for file, stream in ((output, 1), (error, 2)):
        os.dup2(file, stream)
        os.close(file)
