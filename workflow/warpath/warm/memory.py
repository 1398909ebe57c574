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
    """Return `(about, buffers)` as they were shared under that name, or share what `read(empty)` returns.

    `about` is plain data, `buffers` a list of contiguous buffers; read-only views of mapped memory come back. Arrays
    that `read` gets from `empty(count, dtype)` are shared without a copy. Where there is no server, or no memory
    without a name, it is what `read` returns.
    """
    server = address.server()
    if server is None:
        return read(np.empty)
    with server:
        server.send({"take": name})
        for there in server:
            if there is None:
                break
            with open(*server.take_files(), "rb", 0) as file:
                return there["about"], _views(file, there["places"])
        try:
            number = os.memfd_create("warpath", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        except OSError:
            return read(np.empty)
        with open(number, "r+b", 0) as file:
            parts = {}  # address of an array in the file -> where its part begins, and the mapping of that
            about, buffers = read(functools.partial(_empty, file, parts))
            try:
                places = [_place(file, parts, np.frombuffer(buffer, np.uint8)) for buffer in buffers]
            except OSError:
                return about, buffers
            del buffers  # while anybody could write, the file cannot be sealed
            parts.clear()
            with contextlib.suppress(OSError):
                fcntl.fcntl(file, fcntl.F_ADD_SEALS, SEALS)
                size = os.fstat(file.fileno()).st_size
                server.send({"put": name, "about": about, "places": places, "size": size}, [file.fileno()])
            return about, _views(file, places)


def _empty(file, parts, count, dtype):
    """Return an array in the file, or elsewhere if the file cannot have it."""
    try:
        begin, mapping = _part(file, count * np.dtype(dtype).itemsize)
    except (OSError, ValueError):  # no memory, or of no bytes
        return np.empty(count, dtype)
    array = np.frombuffer(mapping, dtype, count)
    parts[array.ctypes.data] = begin, mapping
    return array


def _place(file, parts, content):
    """Return where the bytes begin in the file, and how many they are; copy them there if they are elsewhere."""
    if not content.size:
        return 0, 0
    begin, mapping = parts.get(content.ctypes.data) or _part(file, content.size)
    if content.ctypes.data not in parts:
        mapping[:] = content
    return begin, content.size


def _part(file, size):
    """Make the file longer by the pages of so many bytes; return where they begin, and map them."""
    begin = os.fstat(file.fileno()).st_size
    os.ftruncate(file.fileno(), begin + -(-size // mmap.PAGESIZE) * mmap.PAGESIZE)
    return begin, mmap.mmap(file.fileno(), size, offset=begin)


def _views(file, places):
    whole = memoryview(mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ))
    return [whole[begin : begin + size] for begin, size in places]
