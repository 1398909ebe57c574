"""Files that are either whole or absent."""

import contextlib
import hashlib
import json
import os
import secrets
from pathlib import Path


@contextlib.contextmanager
def atomic(path):
    """Yield a temporary path beside `path`; it takes the place of `path` only if the block succeeds.

    The data reach the disk before the name does, so that neither a kill nor a power cut leaves half a file
    under a name that a later run would trust.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        yield temporary
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_json(path, value):
    with atomic(path) as temporary:
        temporary.write_text(json.dumps(value, indent=1, allow_nan=False) + "\n")


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
