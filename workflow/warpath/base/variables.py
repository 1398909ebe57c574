"""The environment variables that a user may set; docs/settings.md explains them. An empty one is unset."""

import os
import re
from pathlib import Path

from warpath.base.errors import UserError


def _may_be_folder(value):
    """Whether no part of the path is a file."""
    return not any(map(os.path.isfile, [value, *Path(value).absolute().parents]))


VARIABLES = {  # what a value must match or fulfil, and how to say so
    "WARPATH_CACHE": (_may_be_folder, "a folder"),
    "WARPATH_DEVICE": (re.compile("cuda|host").fullmatch, "cuda or host"),
    "WARPATH_LOCKS": (os.path.isdir, "a folder that exists"),
    "WARPATH_RESULTS": (_may_be_folder, "a folder"),
    "WARPATH_SANITIZE": (re.compile("[a-z-]+(,[a-z-]+)*").fullmatch, "sanitizers of g++, such as address,undefined"),
    "WARPATH_SCRATCH": (_may_be_folder, "a folder"),
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
