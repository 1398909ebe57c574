"""The one exception that a user is meant to read."""

import contextlib
import difflib
import os
import sys
from pathlib import Path


class UserError(Exception):
    """Something a user can mend: one line that names the place, what was found and what to do."""


class Unusable(UserError):
    """A file that was given, or fetched, and cannot be what it should be."""

    def __init__(self, path, reason):
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}; delete it and fetch it again")


class Damaged(UserError):
    """A file of the workflow's own that cannot be believed. It is put aside at once, so that a rerun makes it anew."""

    def __init__(self, path, reason):
        aside = Path(f"{path}.damaged")
        try:
            os.replace(path, aside)
            super().__init__(f"{path}: {reason}; put aside as {aside.name}, running again makes it anew")
        except OSError:
            super().__init__(f"{path}: {reason}; delete it and run again")


def known(wanted, names, missing, listed, by=""):
    """`wanted` (by whom), when all are among `names`; else one line says which is `missing` and what is there."""
    for name in wanted:
        if name not in names:
            raise UserError(f"{by}{missing} '{name}'.{did_you_mean(name, names)} {listed}: {', '.join(names)}")
    return wanted


def did_you_mean(name, names):
    """The nearest of these names as a sentence with a blank before it, or nothing."""
    near = difflib.get_close_matches(str(name), list(names), 2, 0.6)
    return f" Did you mean {' or '.join(near)}?" if near else ""


@contextlib.contextmanager
def one_line():
    """End the process with the message alone: a traceback would hide what the user has to read."""
    try:
        yield
    except UserError as error:
        sys.exit(f"warpath: {error}")
