"""The cache of compiled code: each file is built once for all jobs and named after a digest of its ingredients.

A file ends with a checksum of its content, which the dynamic linker ignores. One rename publishes content and checksum
together, and a damaged file is recognised and rebuilt.
"""

import hashlib
import time
from pathlib import Path

from warpath.base import places, variables
from warpath.base.files import atomic, locked

_MARK = b"\nwarpath "

build_seconds = []  # of each build in this process: a run reports them apart from its measurement


def folder():
    return Path(variables.value("WARPATH_CACHE") or places.CACHE).absolute()


def path(name, suffix, ingredients):
    """Where the cached file is, or will be, that these ingredients make."""
    parts = [part if isinstance(part, bytes) else str(part).encode() for part in ingredients]
    digest = hashlib.sha256(b"".join(len(part).to_bytes(8, "little") + part for part in parts))
    return folder() / f"{name}-{digest.hexdigest()[:24]}{suffix}"


def built(path, build):
    """Return the path of a cached file, which `build(temporary_path)` writes if it is missing or damaged."""
    if content(path) is None:
        begin = time.perf_counter()
        with locked(path.with_name(path.name + ".lock")):
            if content(path) is None:
                with atomic(path) as temporary:
                    build(temporary)
                    checksum = hashlib.sha256(temporary.read_bytes()).digest()
                    with temporary.open("ab") as file:
                        file.write(_MARK + checksum)
        build_seconds.append(time.perf_counter() - begin)
    return path


def content(path):
    """Return a cached file's bytes without the checksum, or None if it is missing or damaged."""
    try:
        whole = path.read_bytes()
    except FileNotFoundError:
        return None
    content, mark, checksum = whole.rpartition(_MARK)
    return content if mark and hashlib.sha256(content).digest() == checksum else None
