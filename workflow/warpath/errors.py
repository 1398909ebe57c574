"""The one exception that a user is meant to read."""

import contextlib
import sys


class UserError(Exception):
    """Something a user can mend: one line that names the place, what was found and what to do."""


@contextlib.contextmanager
def one_line():
    """End the process with the message alone: a traceback would hide what the user has to read."""
    try:
        yield
    except UserError as error:
        sys.exit(f"warpath: {error}")
