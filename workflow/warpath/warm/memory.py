"""Memory that the processes of a workflow share: sealed files without a name, which the server keeps.

Whoever has one maps it; nobody can write to it any more.
"""

import contextlib
import fcntl
import json
import mmap
import os

import numpy as np

from warpath.warm import address

SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL


def shared(name, read):
    """Return `(about, buffers)` as they were shared under that name, or share what `read(empty)` returns.

    `about` is for JSON, `buffers` a list of contiguous buffers; read-only views of mapped memory come back. Arrays that
    `read` gets from `empty(count, dtype)` are shared without a copy. Where there is no server, or no memory without a
    name, it is what `read` returns.
    """
    link = address.server()
    if link is None:
        return read(np.empty)
    with contextlib.closing(link):
        link.send({"take": name})
        if next(iter(link), {"size": None})["size"] is not None:
            with open(link.take_files()[0], "rb", 0) as file:
                return _mapped(file)
        return _share(link, name, read)


def _share(link, name, read):
    try:
        number = os.memfd_create("warpath", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    except OSError:
        return read(np.empty)
    with open(number, "r+b", 0) as file:
        filling = _Filling(file)
        about, buffers = read(filling.empty)
        try:
            filling.end(about, buffers)
        except OSError:
            return about, buffers
        del buffers  # while anybody could write, the file cannot be sealed
        with contextlib.suppress(OSError):
            fcntl.fcntl(file, fcntl.F_ADD_SEALS, SEALS)
            link.send({"put": name, "size": filling.size}, [file.fileno()])
        return _mapped(file)


class _Filling:
    """A file that is being filled with buffers, each from a new page on. The last page says where they are."""

    def __init__(self, file):
        self.size, self._file = 0, file
        self._parts = {}  # address of an array in the file -> where its part begins, and the mapping of that

    def empty(self, count, dtype):
        """Return an array in the file, or elsewhere if the file cannot have it."""
        try:
            begin, mapping = self._part(count * np.dtype(dtype).itemsize)
        except (OSError, ValueError):  # no memory, or of no bytes
            return np.empty(count, dtype)
        array = np.frombuffer(mapping, dtype, count)
        self._parts[array.ctypes.data] = begin, mapping
        return array

    def end(self, about, buffers):
        """Copy the buffers that are elsewhere, and write where all are; keep no mapping."""
        places = [self._place(np.frombuffer(buffer, np.uint8)) for buffer in buffers]
        self._parts.clear()
        index = json.dumps({"about": about, "places": places}).encode()
        _, mapping = self._part(_page(len(index) + 8))
        mapping[: len(index)], mapping[-8:] = index, len(index).to_bytes(8, "little")

    def _place(self, content):
        """Return where the bytes begin in the file, and how many they are; copy them there if they are elsewhere."""
        if not content.size:
            return 0, 0
        if content.ctypes.data in self._parts:
            begin, _ = self._parts[content.ctypes.data]
        else:
            begin, mapping = self._part(content.size)
            mapping[:] = content
        return begin, content.size

    def _part(self, size):
        """Make the file longer by the pages of so many bytes; return where they begin, and map them."""
        begin, file = self.size, self._file.fileno()
        os.ftruncate(file, begin + _page(size))
        mapping = mmap.mmap(file, size, offset=begin)
        self.size += _page(size)
        return begin, mapping


def _mapped(file):
    whole = memoryview(mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ))
    length = int.from_bytes(whole[-8:], "little")
    index = json.loads(bytes(whole[len(whole) - _page(length + 8) :][:length]))
    return index["about"], [whole[begin : begin + size] for begin, size in index["places"]]


def _page(size):
    return -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
