"""Memory that the processes of a workflow share: sealed files without a name, which the server keeps.

Whoever has one maps it; nobody can write to it any more.
"""

import contextlib
import fcntl
import functools
import mmap
import os

import numpy as np

from warpath.warm import address

SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL


def shared(name, read):
    """Return `(about, arrays)` as they were shared under that name, or share what `read(empty)` returns.

    `about` is for JSON, `arrays` are contiguous, by name; read-only views of mapped memory come back. Arrays that
    `read` gets from `empty(count, dtype)` are shared without a copy. Where there is no server, or no memory without a
    name, it is what `read` returns.
    """
    server = address.server()
    if server is None:
        return read(np.empty)
    with server:
        server.send({"take": name})
        there = next(iter(server), None)
        if there:
            with open(*server.take_files(), "rb", 0) as file:
                return there["about"], _views(file, there["arrays"])
        try:
            number = os.memfd_create("warpath", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        except OSError:
            return read(np.empty)
        with open(number, "r+b", 0) as file:
            parts = {}  # address of an array in the file -> where it begins there, and its mapping
            about, arrays = read(functools.partial(_empty, file, parts))
            try:
                places = {key: _place(file, parts, array) for key, array in arrays.items()}
            except KeyError:  # no memory
                return about, arrays
            del arrays  # while anybody could write, the file cannot be sealed
            parts.clear()
            with contextlib.suppress(OSError):
                fcntl.fcntl(file, fcntl.F_ADD_SEALS, SEALS)
                size = os.fstat(number).st_size
                server.send({"put": name, "about": about, "arrays": places, "size": size}, [number])
            return about, _views(file, places)


def _empty(file, parts, count, dtype):
    """Return an array in the file, from a new page on; or elsewhere if the file cannot have it."""
    begin, size = os.fstat(file.fileno()).st_size, count * np.dtype(dtype).itemsize
    try:
        os.ftruncate(file.fileno(), begin + -(-size // mmap.PAGESIZE) * mmap.PAGESIZE)
        mapping = mmap.mmap(file.fileno(), size, offset=begin)
    except (OSError, ValueError):  # no memory, or of no bytes
        return np.empty(count, dtype)
    array = np.frombuffer(mapping, dtype, count)
    parts[array.ctypes.data] = begin, mapping
    return array


def _place(file, parts, array):
    """Return where the array begins in the file, its type and its length; copy it there if it is elsewhere."""
    if array.size and array.ctypes.data not in parts:
        elsewhere, array = array, _empty(file, parts, array.size, array.dtype)
        array[:] = elsewhere
    begin, _ = parts[array.ctypes.data] if array.size else (0, None)
    return begin, str(array.dtype), array.size


def _views(file, places):
    whole = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    return {
        key: np.frombuffer(whole, dtype, count, begin) if count else np.empty(0, dtype)
        for key, (begin, dtype, count) in places.items()
    }
