"""The environment variables that a user may set; docs/settings.md explains them. An empty one is unset."""

import os
import re

from warpath.base.errors import UserError

VARIABLES = {  # what a value must match or fulfil, and how to say so
    "WARPATH_DEVICE": (re.compile("cuda|host").fullmatch, "cuda or host"),
    "WARPATH_LOCKS": (os.path.isdir, "a folder that exists"),
    "WARPATH_RESULTS": (re.compile(r"[^{}\x00-\x1f\x7f]+").fullmatch, "a folder without braces or control characters"),
    "WARPATH_SANITIZE": (re.compile("[a-z-]+(,[a-z-]+)*").fullmatch, "sanitizers of g++, such as address,undefined"),
    "WARPATH_THREADS": (re.compile("0*[1-9][0-9]*").fullmatch, "a number of cores, 1 or more"),
}


def value(name):
    """Return what the user has set, None if nothing."""
    given = os.environ.get(name)
    fits, wanted = VARIABLES[name]
    if given and not fits(given):
        raise UserError(f"{name} is '{given}'; it must be {wanted}")
    return given or None


def check():
    """Raise a one-line error for a wrong value, at the start of a command."""
    for name in VARIABLES:
        value(name)
