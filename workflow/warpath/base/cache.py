"""The cache of compiled code: each file is built once for all jobs and named after a digest of its ingredients.

A file ends with a checksum of its content, which the dynamic linker ignores. One rename publishes content and checksum
together, and a damaged file is recognised and rebuilt.
"""

import hashlib
import os
import time
from pathlib import Path

from warpath.base import places
from warpath.base.files import atomic, locked

_MARK = b"\nwarpath "

build_seconds = []  # of each build in this process: a run reports them apart from its measurement


def folder():
    """The cache's folder: WARPATH_CACHE, or results/.cache."""
    return Path(os.environ.get("WARPATH_CACHE") or places.CACHE).absolute()


def built(name, suffix, ingredients, build):
    """Return the path of the cached file; `build(temporary_path)` writes it if it is missing or damaged."""
    path = folder() / f"{name}-{_digest(ingredients)}{suffix}"
    if content(path) is None:
        begin = time.perf_counter()
        with locked(path.with_name(path.name + ".lock")):
            if content(path) is None:
                with atomic(path) as temporary:
                    build(temporary)
                    _append_checksum(temporary)
        build_seconds.append(time.perf_counter() - begin)
    return path


def content(path):
    """Return a cached file's bytes without the checksum, or None if it is missing or damaged."""
    try:
        content_and_checksum = path.read_bytes()
    except FileNotFoundError:
        return None
    content, mark, checksum = content_and_checksum.rpartition(_MARK)
    return content if mark and hashlib.sha256(content).digest() == checksum else None


def _append_checksum(path):
    checksum = hashlib.sha256(path.read_bytes()).digest()
    with path.open("ab") as file:
        file.write(_MARK + checksum)


def _digest(ingredients):
    digest = hashlib.sha256()
    for ingredient in ingredients:
        part = ingredient if isinstance(ingredient, bytes) else str(ingredient).encode()
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()[:24]
