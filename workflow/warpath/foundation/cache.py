"""Compiled code, kept under a name made of everything that went into it, so that it is compiled once for all jobs.

A file ends with the checksum of what is before it, which neither the dynamic linker nor anything else minds. So one
rename makes it whole, and one that a crash or a disk has damaged is noticed and built again.
"""

import hashlib
import os
import time
from pathlib import Path

from warpath.foundation.files import atomic, locked

_MARK = b"\nwarpath "

build_seconds = []  # of each build by this process: a run reports them apart from what it measures


def folder():
    return Path(os.environ.get("WARPATH_CACHE") or "results/.cache").absolute()


def built(name, suffix, ingredients, build):
    """The path of the file that `build(temporary_path)` makes of the ingredients; builds only if there is none."""
    path = folder() / f"{name}-{_digest(ingredients)}{suffix}"
    if content(path) is None:
        begin = time.perf_counter()
        with locked(path.with_name(path.name + ".lock")):
            if content(path) is None:
                with atomic(path) as temporary:
                    build(temporary)
                    _seal(temporary)
        build_seconds.append(time.perf_counter() - begin)
    return path


def content(path):
    """What was built, without its seal, or None if it is missing or damaged."""
    try:
        sealed = path.read_bytes()
    except FileNotFoundError:
        return None
    built, mark, checksum = sealed.rpartition(_MARK)
    return built if mark and hashlib.sha256(built).digest() == checksum else None


def _seal(path):
    checksum = hashlib.sha256(path.read_bytes()).digest()
    with path.open("ab") as file:
        file.write(_MARK + checksum)


def _digest(ingredients):
    digest = hashlib.sha256()
    for ingredient in ingredients:
        part = ingredient if isinstance(ingredient, bytes) else str(ingredient).encode()
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()[:24]
