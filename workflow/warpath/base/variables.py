"""The environment variables that a user may set; docs/settings.md explains them. An empty one is unset."""

import os
import re
from pathlib import Path

from warpath.base import places
from warpath.base.errors import UserError

_exists = os.path.exists  # which does not fail where a folder may not be looked into


def _may_be_folder(value):
    """Whether no part of the path is a file, nor longer than file systems take."""
    too_long = places.longest_name(value) > places.LONGEST_NAME
    return not too_long and not any(map(os.path.isfile, [value, *Path(value).absolute().parents]))


def _can_be_written(value):
    """Whether files can be made in the folder, or the folder in what there is of its path."""
    there = next(filter(_exists, (value, *Path(value).absolute().parents)))
    return _may_be_folder(value) and os.access(there, os.W_OK)


def _may_be_results(value):
    """Whether rules of Snakemake can have outputs in the folder."""
    return _can_be_written(value) and value.isprintable() and not {*value} & {*"{}"}


def _may_be_scratch(value):
    """Whether it may be a folder of the machines where jobs run; here there may be none."""
    return _can_be_written(value) if _exists(value) else _may_be_folder(value)


WRITABLE = "a folder that can be written to"


VARIABLES = {  # what a value must match or fulfil, and how to say so
    "WARPATH_CACHE": (_can_be_written, WRITABLE),
    "WARPATH_DEVICE": (re.compile("cuda|host").fullmatch, "cuda or host"),
    "WARPATH_LOCKS": (os.path.isdir, "a folder that exists"),
    "WARPATH_RESULTS": (
        _may_be_results,
        f"{WRITABLE}, without braces, control characters or names of more than 255 bytes",
    ),
    "WARPATH_SANITIZE": (re.compile("[a-z-]+(,[a-z-]+)*").fullmatch, "sanitizers of g++, such as address,undefined"),
    "WARPATH_SCRATCH": (_may_be_scratch, WRITABLE),
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
