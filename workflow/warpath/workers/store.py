"""Memory that the processes of a workflow share: sealed files without a name, which the server keeps within a limit.

Whoever has one maps it; nobody can write to it any more. The least recently used ones go first, and are gone with the
processes that use them.
"""

import collections
import contextlib
import fcntl
import json
import mmap
import os

from warpath.workers import address

SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
PIECE = 1 << 30  # bytes that one call writes at most; Linux takes no more than 2^31


class Store:
    """The server's side."""

    def __init__(self, limit):
        self._limit = limit
        self._files = collections.OrderedDict()  # name -> (file, bytes)

    def take(self, name, link):
        file, size = self._files.get(name, (None, None))
        if file is None:
            link.send({"size": None})
        else:
            self._files.move_to_end(name)
            link.send({"size": size}, [file])

    def put(self, name, size, file):
        if name in self._files or size > self._limit:
            os.close(file)
            return
        self._files[name] = file, size
        while sum(size for _, size in self._files.values()) > self._limit:
            os.close(self._files.popitem(last=False)[1][0])

    def close(self):
        for file, _ in self._files.values():
            os.close(file)
        self._files.clear()


def shared(name, about, buffers):
    """Return `(about, buffers)` as they were shared under that name, or share what these two functions return.

    `about()` is for JSON, `buffers()` a list of contiguous buffers; read-only views of mapped memory come back. Where
    there is no server, or no memory without a name, it is what the functions return.
    """
    link = address.server()
    if link is None:
        return about(), buffers()
    with contextlib.closing(link):
        link.send({"take": name})
        size = next(iter(link), {"size": None})["size"]
        if size is not None:
            return _mapped(link.take_files()[0])
        about, buffers = about(), buffers()
        with contextlib.suppress(OSError):
            file, size = _sealed(about, buffers)
            link.send({"put": name, "size": size}, [file])
            return _mapped(file)
        return about, buffers


def _sealed(about, buffers):
    """A file that holds the lengths, then `about`, then each buffer from a new page on."""
    views = [memoryview(buffer).cast("B") for buffer in buffers]
    head = json.dumps({"about": about, "sizes": [len(view) for view in views]}).encode()
    file = os.memfd_create("warpath", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        os.write(file, len(head).to_bytes(8, "little") + head)
        at = _page(8 + len(head))
        for view in views:
            os.lseek(file, at, os.SEEK_SET)
            for begin in range(0, len(view), PIECE):
                _write(file, view[begin : begin + PIECE])
            at = _page(at + len(view))
        os.ftruncate(file, at)
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, SEALS)
    except OSError:
        os.close(file)
        raise
    return file, at


def _write(file, view):
    while view:
        view = view[os.write(file, view) :]


def _mapped(file):
    mapped = mmap.mmap(file, 0, prot=mmap.PROT_READ)
    os.close(file)
    length = int.from_bytes(mapped[:8], "little")
    head = json.loads(mapped[8 : 8 + length])
    whole = memoryview(mapped)
    at, views = _page(8 + length), []
    for size in head["sizes"]:
        views.append(whole[at : at + size])
        at = _page(at + size)
    return head["about"], views


def _page(size):
    return -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
