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
    try:
        processor.require_memory(needed, what)
        return None
    except UserError as error:
        too_little = error
    processor.require_memory(remaining, what)
    Path(folder).mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if in_file > free:
        file = f"a file of {in_file / 1e9:,.1f} GB in {folder} would do, where {free / 1e9:,.1f} GB are free"
        raise UserError(f"{too_little}; {file}")
    return folder


def empty(count, dtype, folder):
    """Return an uninitialised array, in a file in `folder` unless that is None."""
    size = count * np.dtype(dtype).itemsize
    if folder is None or not size:
        return np.empty(count, dtype)
    with tempfile.TemporaryFile(dir=folder) as file:
        os.posix_fallocate(file.fileno(), 0, size)
        return np.frombuffer(mmap.mmap(file.fileno(), size), dtype)
