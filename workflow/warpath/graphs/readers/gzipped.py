"""Unpack gzip: by isal in one thread, and large files by rapidgzip in many.

rapidgzip guesses where a file can be unpacked from, which takes about twice the CPU time. docs/graphs.md has the rates.
"""

import io
import weakref
from pathlib import Path

from warpath.base import processor

LEAST_THREADS, MOST_THREADS = 4, 16  # fewer are hardly faster than isal
LARGE = 64 << 20  # packed bytes, from which on many threads have something to do
LEAST_PIECE, PIECE = 4 << 20, 32 << 20  # packed bytes for a thread: the more, the less of them is guessed
MOST_KEPT = 128  # bytes for each byte of a piece, as of a file of zeros; fewer threads keep MOST_THREADS pieces too


def by_one(file):
    """Unpack a path or a stream."""
    try:
        from isal import igzip
    except ImportError:  # no wheel for this platform
        import gzip as igzip
    return igzip.open(file)


def by_many(path):
    """Unpack a path by many threads; None where one will do."""
    threads = min(processor.cores(), MOST_THREADS)
    piece = min(PIECE, processor.free_bytes() // (MOST_THREADS * MOST_KEPT))
    if threads < LEAST_THREADS or Path(path).stat().st_size < LARGE or piece < LEAST_PIECE:
        return None
    try:
        from rapidgzip import RapidgzipFile

        return _Shared(path, RapidgzipFile(str(path), parallelization=threads, chunk_size=piece))
    except (ImportError, ValueError, RuntimeError):  # no wheel for this platform, or a file of which isal tells more
        return None


class _Shared(io.RawIOBase):
    """What rapidgzip unpacks. If it fails, or ends elsewhere than the file says, isal goes on from there.

    rapidgzip takes some files that are cut off for complete ones, and isal says what is wrong with any.
    """

    def __init__(self, path, stream):
        self._path, self._stream, self._position, self._by_many = path, stream, 0, True
        self._close_threads = weakref.finalize(self, stream.close)  # if open at the end, they abort the interpreter

    def readable(self):
        return True

    def readinto(self, buffer):
        if self._by_many:
            count = self._taken(buffer)
            if count or (count == 0 and self._position % 2**32 == _stated_size(self._path)):
                return count
            self._close_threads()
            self._stream, self._by_many = by_one(self._path), False
            skip(self._stream, self._position)
        return self._stream.readinto(buffer)

    def _taken(self, buffer):
        """The bytes that rapidgzip has put into the buffer; None after an error."""
        try:
            count = self._stream.readinto(buffer)
        except (ValueError, RuntimeError):
            return None
        self._position += count
        return count

    def close(self):
        self._close_threads()
        self._stream.close()
        super().close()


def _stated_size(path):
    """The unpacked size that the end of the file states, mod 2^32; of several parts that of the last one."""
    with open(path, "rb") as file:
        file.seek(-4, io.SEEK_END)
        return int.from_bytes(file.read(), "little")


def skip(stream, count=None):
    """Read on without keeping anything: `count` bytes, or to the end."""
    buffer = memoryview(bytearray(1 << 20))
    while count != 0:
        taken = stream.readinto(buffer[: min(count or len(buffer), len(buffer))])
        if not taken and count is None:
            return
        if not taken:
            raise EOFError
        count = None if count is None else count - taken
