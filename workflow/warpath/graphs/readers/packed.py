"""Unpack a file as it is read: gzip, bz2, xz, zstd, zip, tar or plain, recognised by its content."""

import bz2
import contextlib
import functools
import io
import lzma
import re
import tarfile
import zipfile
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pyarrow
from isal import igzip

from warpath.base import processor
from warpath.base.errors import Unusable, UserError, did_you_mean
from warpath.base.text import escaped, reason

FORMATS = (".mtx", ".edges", ".gr", ".graph")  # of files that are never prose
LARGEST_RATIO = 200  # text of graphs packs ten to thirty times; far beyond that is an attack or an accident
SMALL = 100 << 20  # bytes that may have any ratio
PIECE = 64 << 20  # bytes that are asked for at a time
SKIPPED = 1 << 20  # bytes at a time
SAMPLE = 4096  # bytes at the start that tell what a file is
PACKINGS = ("gz", "bz2", "xz", "zip", "zst", "tgz", "tbz2")
BESIDE_THE_GRAPH = re.compile(  # files that archives of SuiteSparse, KONECT and the Network Repository have as well
    r"(^|/)(readme|license|licence|citation|meta\.|ent\.|rel\.|\.|__macosx)"
    r"|_(coord|nodename|b|x|xyz)\.(mtx|txt)$|\.(html|md|pdf|properties|json)$",
    re.IGNORECASE,
)


class Unpacked(NamedTuple):
    """The content of a file: `start` are its first bytes, which `file` yields again."""

    file: io.BufferedReader
    start: bytes
    name: str  # without the suffix of its packing, or the name within an archive
    plain: bool = False  # the file itself
    note: str | None = None  # which file of an archive it is
    stated: int | None = None  # the catalogue's key unpacked


def open_unpacked(path, member=None, stated=None):
    """Open the unpacked content of `path`; `member` chooses one file of an archive.

    `stated` is the catalogue's key unpacked: the bytes that may come out, however few they are packed in.
    """
    with unpacking(path):
        stream, magic = _stream(path, stated)
        if magic.startswith((b"PK\x03\x04", b"PK\x05\x06")):
            names = zipfile.ZipFile(path).namelist()
            if not names or not all(name.endswith(".npy") for name in names):  # as in an npz
                stream.close()
                return _from_zip(path, member, stated)
        unpacked = _unpacked(stream, inner_name(path))
        if _is_tar(unpacked.start):
            unpacked.file.close()
            return _from_tar(path, member, stated)
        if member:
            raise UserError(f"{path}: is no archive, so that it has no file '{member}'; remove the key member")
        return unpacked._replace(plain=unpacked.start.startswith(magic), stated=stated)


def _unpacked(stream, name, note=None):
    file = io.BufferedReader(stream, SAMPLE)
    return Unpacked(file, file.peek(), name, note=note)


def content(path, file):
    """Read the rest of a file, and ask for the memory before."""
    parts, size = [], 0
    with unpacking(path), file:
        while more := file.read(PIECE):
            parts.append(more)
            size += len(more)
            processor.require_memory(2 * size if len(more) == PIECE else size, f"{path}: {size:,} unpacked bytes")
    return b"".join(parts)


def _stream(path, stated=None):
    """Return the unpacked bytes of a file as a stream, and the first bytes of the file itself."""
    with open(path, "rb") as file:
        magic = file.read(6)
    unpack = next((unpack for letters, unpack in UNPACKERS.items() if magic.startswith(letters)), None)
    if unpack is None:
        return open(path, "rb", buffering=0), magic
    most = stated or max(SMALL, LARGEST_RATIO * Path(path).stat().st_size)
    return io.BufferedReader(_Bounded(unpack(str(path)), most, path)), magic


zstd = functools.partial(pyarrow.input_stream, compression="zstd")
ZSTD = (b"\x28\xb5\x2f\xfd", b"\x50\x2a\x4d\x18")  # the second begins a frame to skip
UNPACKERS = {b"\x1f\x8b": igzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open, **dict.fromkeys(ZSTD, zstd)}


class _Bounded(io.RawIOBase):
    """A stream that must not have more than `size` bytes."""

    def __init__(self, stream, size, path=None):
        self._stream, self._size, self._left, self._path = stream, size, size, path

    def readable(self):
        return True

    def readinto(self, buffer):
        count = self._stream.readinto(buffer)
        self._left -= count
        if self._left < 0:
            packed = Path(self._path).stat().st_size
            raise _too_large(self._path, "it", packed, f"more than {self._size:,}")
        return count

    def close(self):
        self._stream.close()
        super().close()


def _too_large(path, name, packed, unpacked):
    advice = "if that is right, state the bytes in the key unpacked"
    return UserError(f"{path}: {name} would unpack from {packed:,} to {unpacked} bytes; {advice}")


class _Part(_Bounded):
    """The next `size` bytes of a stream. At their end the rest is unpacked as well, because checksums come last."""

    def readinto(self, buffer):
        count = super().readinto(memoryview(buffer)[: self._left])
        if not count and self._left:
            raise EOFError
        while not self._left and self._stream.read(SKIPPED):
            pass
        return count


def _from_zip(path, member, stated):
    archive = zipfile.ZipFile(path)
    for info in archive.infolist():
        check_member(path, info, stated)
    sizes = {info.filename: info.file_size for info in archive.infolist() if not info.is_dir()}
    name, note = _member(path, sizes, member)
    return _unpacked(archive.open(name), PurePosixPath(name).name, note)


def _is_tar(start):
    with contextlib.suppress(tarfile.HeaderError):
        tarfile.TarInfo.frombuf(start[:512], "utf-8", "surrogateescape")
        return True
    return False


def _from_tar(path, member, stated):
    """Read a file of a tar. Unless one is the graph beyond doubt, a first pass lists all of them."""
    files, links = {}, []
    with tarfile.open(fileobj=_stream(path, stated)[0], mode="r|", bufsize=1 << 20) as archive:
        for info in archive:
            links += [info.name] * (info.issym() or info.islnk())
            if info.isreg() and not info.issparse():
                files[info.name] = info
                if info.name == member or (not member and _is_named_like(path, info.name, FORMATS)):
                    break
    if links and not files:
        raise UserError(f"{path}: the archive has links only, such as '{escaped(links[0])}'; pack the files themselves")
    name, note = _member(path, {name: info.size for name, info in files.items()}, member)
    stream, _ = _stream(path, stated)
    for begin in range(0, files[name].offset_data, SKIPPED):
        stream.read(min(SKIPPED, files[name].offset_data - begin))
    return _unpacked(_Part(stream, files[name].size), PurePosixPath(name).name, note)


def check_member(path, info, stated=None):
    """Refuse a file of a zip without a name, or far larger than its packed data."""
    if not info.filename:
        raise Unusable(path, "damaged: a file of the archive has no name")
    if info.file_size > (stated or max(SMALL, LARGEST_RATIO * info.compress_size)):
        raise _too_large(path, f"'{info.filename}'", info.compress_size, f"{info.file_size:,}")


def _member(path, sizes, member):
    """Return which file of an archive to read, and a note: `member`, the one named like the archive, or the largest."""
    listed = ", ".join(escaped(name) for name in list(sizes)[:20])
    if member:
        if member not in sizes:
            raise UserError(f"{path}: has no file '{member}'.{did_you_mean(member, sizes)} It has {listed}")
        return member, None
    graphs = [name for name in sizes if not BESIDE_THE_GRAPH.search(name)]
    if not graphs:
        content = f"it has {listed}" if sizes else "it has no file"
        raise UserError(f"{path}: which file of the archive is the graph? {content}; name it in the key member")
    named = [name for name in graphs if _is_named_like(path, name)]
    chosen = max(named or graphs, key=sizes.get)
    others = f"read {escaped(chosen)} of {len(sizes)} files in the archive (key member)"
    return chosen, others if len(graphs) > 1 else None


def _is_named_like(path, name, suffixes=None):
    """Whether a file of an archive has the archive's name, as in g.tar.gz: g/g.mtx, or the name of KONECT's edges."""
    name = PurePosixPath(name)
    same = name.stem == inner_name(path).partition(".")[0] and (suffixes is None or name.suffix in suffixes)
    return not BESIDE_THE_GRAPH.search(str(name)) and (same or name.name.startswith("out."))


@contextlib.contextmanager
def unpacking(path):
    """Turn errors of the unpackers into one line."""
    try:
        yield
    except EOFError:
        raise Unusable(path, "cut off: its packed data end too early") from None
    except (UserError, MemoryError):
        raise
    except Exception as error:  # unpackers raise whatever their parsers raise
        if isinstance(error, OSError) and error.errno:
            raise UserError(f"{path}: {error.strerror}") from None
        raise Unusable(path, f"damaged: it cannot be unpacked ({reason(error)})") from None


def inner_name(path):
    """The name without the suffix of its packing: as-skitter.txt for as-skitter.txt.gz."""
    name = Path(path).name
    stem, _, suffix = name.rpartition(".")
    return stem if suffix.lower() in PACKINGS and stem else name
