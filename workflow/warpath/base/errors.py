"""Errors that a user can fix. Other exceptions are defects and keep their traceback."""

import contextlib
import difflib
import os
import sys
from pathlib import Path

from warpath.base.text import escaped, without_credentials


class UserError(Exception):
    """One line for the user: where, what is wrong, what to do. What came from outside is escaped.

    `note` is what a tool said in full, for the log.
    """

    def __init__(self, message, note=""):
        super().__init__(escaped(without_credentials(str(message))))
        self.note = escaped(note, keep="\n\t")


class Unusable(UserError):
    """An input file, downloaded or the user's own, that is damaged or of the wrong kind."""

    def __init__(self, path, reason):
        self.path, self.reason = path, reason
        super().__init__(f"{path}: {reason}; delete it and fetch it again")


class Damaged(UserError):
    """A damaged file that the workflow can make again; it is renamed at once, so that a rerun replaces it."""

    def __init__(self, path, reason):
        aside = Path(f"{path}.damaged")
        try:
            os.replace(path, aside)
            super().__init__(f"{path}: {reason}; put aside as {aside.name}, run again to replace it")
        except OSError:
            super().__init__(f"{path}: {reason}; delete it and run again")


def require_known(requested, names, missing, plural, by=""):
    """Return `requested` if each of them is in `names`, else raise an error that names the first unknown one.

    `missing` and `plural` are parts of its message ("there is no figure", "Figures"); `by` says who requested it.
    """
    for name in requested:
        if name not in names:
            raise UserError(f"{by}{missing} '{name}'.{did_you_mean(name, names)} {plural}: {', '.join(names)}")
    return requested


def did_you_mean(name, names):
    """A sentence that suggests the most similar names, after a space; empty if none is similar."""
    similar = difflib.get_close_matches(str(name), list(names), 2, 0.6)
    return f" Did you mean {' or '.join(similar)}?" if similar else ""


@contextlib.contextmanager
def one_line():
    """On a UserError, or one of the operating system, exit with its message and without a traceback."""
    try:
        yield
    except (UserError, OSError) as error:
        sys.exit(f"warpath: {error}")
