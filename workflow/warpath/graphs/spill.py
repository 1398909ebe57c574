"""Large arrays, in memory or in a file without a name: the kernel then keeps in memory what fits."""

import mmap
import os
import shutil
import tempfile
from pathlib import Path

import numpy as np

from warpath.base import processor
from warpath.base.errors import UserError


def place(needed, remaining, in_file, folder, what):
    """Return None if `needed` bytes of memory are available, else the folder for a file; raise an error without room.

    With `in_file` bytes in the file, `remaining` bytes stay in memory.
    """
    if needed <= processor.free_bytes() or folder is None:
        processor.require_memory(needed, what)
        return None
    processor.require_memory(remaining, what)
    Path(folder).mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if in_file > free:
        memory = f"needs {_gigabytes(needed)} of memory, and {_gigabytes(processor.free_bytes())} are available"
        raise UserError(
            f"{what}: {memory}; a file of {_gigabytes(in_file)} in {folder} would do, where {_gigabytes(free)} are free"
        )
    return folder


def _gigabytes(count):
    return f"{count / 1e9:,.1f} GB"


def empty(count, dtype, folder):
    """Return an uninitialised array, in a file in `folder` unless that is None."""
    size = count * np.dtype(dtype).itemsize
    if folder is None or not size:
        return np.empty(count, dtype)
    with tempfile.TemporaryFile(dir=folder) as file:
        os.posix_fallocate(file.fileno(), 0, size)
        return np.frombuffer(mmap.mmap(file.fileno(), size), dtype)
