"""Unpack a file as it is read: gzip, bz2, xz, zstd, zip, tar or plain, recognised by its content."""

import bz2
import contextlib
import io
import lzma
import re
import tarfile
import zipfile
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pyarrow

from warpath.base import processor
from warpath.base.errors import Unusable, UserError, did_you_mean
from warpath.base.text import escaped, reason

FORMATS = (".mtx", ".edges", ".gr", ".graph", ".graphml", ".gml")  # of files that are never prose
LARGEST_RATIO = 300  # text of graphs packs ten to thirty times; far beyond that is an attack or an accident
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


def open_unpacked(path, member=None):
    """Open the unpacked content of `path`; `member` chooses one file of an archive."""
    with unpacking(path):
        stream, magic = _stream(path)
        if magic.startswith((b"PK\x03\x04", b"PK\x05\x06")) and not _is_npz(path):
            stream.close()
            return _from_zip(path, member)
        unpacked = _unpacked(stream, inner_name(path))
        if _is_tar(unpacked.start):
            unpacked.file.close()
            return _from_tar(path, member)
        if member:
            raise UserError(f"{path}: is no archive, so that it has no file '{member}'; remove the key member")
        return unpacked._replace(plain=unpacked.start.startswith(magic))


def _unpacked(stream, name, note=None):
    file = io.BufferedReader(stream, SAMPLE)
    return Unpacked(file, file.peek(), name, note=note)


def content(path, file, each=1):
    """Read the rest of a file, and ask for the memory before: `each` bytes for a byte of it."""
    parts, size = [], 0
    with unpacking(path), file:
        while more := file.read(PIECE):
            parts.append(more)
            size += len(more)
            needed = each * size + (size if len(more) == PIECE else 0)
            processor.require_memory(needed, f"{path}: {size:,} unpacked bytes")
    return b"".join(parts)


def _stream(path):
    """Return the unpacked bytes of a file as a stream, and the first bytes of the file itself."""
    with open(path, "rb") as file:
        magic = file.read(6)
    if magic.startswith(b"\x1f\x8b"):
        try:
            from isal import igzip
        except ImportError:  # no wheel for this platform
            import gzip as igzip
        return igzip.open(path), magic
    if magic.startswith(b"BZh"):
        return bz2.open(path), magic
    if magic.startswith(b"\xfd7zXZ\x00"):
        return lzma.open(path), magic
    if magic.startswith(b"\x28\xb5\x2f\xfd"):
        return pyarrow.input_stream(str(path), compression="zstd"), magic
    return open(path, "rb", buffering=0), magic


class _Part(io.RawIOBase):
    """The next `size` bytes of a stream. At their end the rest is unpacked as well, because checksums come last."""

    def __init__(self, stream, size):
        self._stream, self._left = stream, size

    def readable(self):
        return True

    def readinto(self, buffer):
        count = self._stream.readinto(memoryview(buffer)[: self._left])
        if not count and self._left:
            raise EOFError
        self._left -= count
        while not self._left and self._stream.read(SKIPPED):
            pass
        return count

    def close(self):
        self._stream.close()
        super().close()


def _is_npz(path):
    names = zipfile.ZipFile(path).namelist()
    return bool(names) and all(name.endswith(".npy") for name in names)


def _from_zip(path, member):
    archive = zipfile.ZipFile(path)
    for info in archive.infolist():
        check_member(path, info)
    sizes = {info.filename: info.file_size for info in archive.infolist() if not info.is_dir()}
    name, note = _member(path, sizes, member)
    return _unpacked(archive.open(name), PurePosixPath(name).name, note)


def _is_tar(start):
    with contextlib.suppress(tarfile.HeaderError):
        tarfile.TarInfo.frombuf(start[:512], "utf-8", "surrogateescape")
        return True
    return False


def _from_tar(path, member):
    """Read a file of a tar. Unless one is the graph beyond doubt, a first pass lists all of them."""
    files = {}
    with tarfile.open(fileobj=_stream(path)[0], mode="r|", bufsize=1 << 20) as archive:
        for info in archive:
            if info.isreg() and not info.issparse():
                files[info.name] = info
                if info.name == member or (not member and _is_named_like(path, info.name, FORMATS)):
                    break
    name, note = _member(path, {name: info.size for name, info in files.items()}, member)
    stream, _ = _stream(path)
    for begin in range(0, files[name].offset_data, SKIPPED):
        stream.read(min(SKIPPED, files[name].offset_data - begin))
    return _unpacked(_Part(stream, files[name].size), PurePosixPath(name).name, note)


def check_member(path, info):
    """Refuse a file of a zip without a name, whose path leaves the archive, or far larger than its packed data."""
    if not info.filename:
        raise Unusable(path, "damaged: a file of the archive has no name")
    name = PurePosixPath(info.filename.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts or (name.parts and name.parts[0].endswith(":")):
        raise UserError(f"{path}: '{info.filename}' is a path that leaves the archive; nothing was unpacked")
    if info.file_size > SMALL and info.file_size > LARGEST_RATIO * max(info.compress_size, 1):
        raise UserError(
            f"{path}: '{info.filename}' would unpack from {info.compress_size:,} to {info.file_size:,} bytes; "
            f"more than {LARGEST_RATIO} times its size is refused, and nothing was unpacked"
        )


def _member(path, sizes, member):
    """Return which file of an archive to read, and a note: `member`, the one named like the archive, or the largest."""
    listed = ", ".join(escaped(name) for name in list(sizes)[:20])
    if member:
        if member not in sizes:
            raise UserError(f"{path}: has no file '{member}'.{did_you_mean(member, sizes)} It has {listed}")
        return member, None
    graphs = [name for name in sizes if not BESIDE_THE_GRAPH.search(name)]
    if not graphs:
        content = f"it has {listed}" if sizes else "it is empty"
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
