"""The environment variables that a user may set; docs/settings.md explains them. An empty one is unset."""

import os
import re
from pathlib import Path

from warpath.base import places
from warpath.base.errors import UserError


def _can_be_written(value):
    """Whether files can be made in the folder, or the folder in what there is of its path."""
    there = next(filter(os.path.exists, (value, *Path(value).absolute().parents)))
    return places.longest_name(value) <= places.LONGEST_NAME and Path(there).is_dir() and os.access(there, os.W_OK)


def _may_be_results(value):
    """Whether rules of Snakemake can have outputs in the folder."""
    return _can_be_written(value) and value.isprintable() and not {*value} & {*"{}"}


WRITABLE = "a folder that can be written to"
AS_OUTPUT = "without braces, control characters or names of more than 255 bytes"

VARIABLES = {  # what a value must match or fulfil, and how to say so
    "WARPATH_CACHE": (_can_be_written, WRITABLE),
    "WARPATH_DEVICE": (re.compile("cuda|host").fullmatch, "cuda or host"),
    "WARPATH_LOCKS": (os.path.isdir, "a folder that exists"),
    "WARPATH_RESULTS": (_may_be_results, f"{WRITABLE}, {AS_OUTPUT}"),
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
