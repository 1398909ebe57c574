"""Unpack a file as it is read: gzip, bz2, xz, zip or plain, recognised by its content."""

import bz2
import contextlib
import lzma
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from warpath.foundation.errors import Unusable, UserError

LARGEST_RATIO = 300  # text of graphs packs ten to thirty times; far beyond that is an attack or an accident
SMALL = 100 << 20  # bytes that may have any ratio
PROSE = ("readme", "license", "licence", "citation")


def open_unpacked(path, member=None):
    """Open the unpacked content of `path` as a binary file; `member` chooses one file of a zip."""
    with open(path, "rb") as file:
        magic = file.read(6)
    if magic.startswith(b"\x1f\x8b"):
        return _gzip(path)
    if magic.startswith(b"BZh"):
        return bz2.open(path)
    if magic.startswith(b"\xfd7zXZ\x00"):
        return lzma.open(path)
    if magic.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip(path, member)
    return open(path, "rb", buffering=0)


def _gzip(path):
    try:
        from isal import igzip
    except ImportError:  # no wheel for this platform
        import gzip as igzip
    return igzip.open(path)


def _zip(path, member):
    archive = zipfile.ZipFile(path)
    for info in archive.infolist():
        _check(path, info)
    return archive.open(_member(path, archive, member))


def _check(path, info):
    name = PurePosixPath(info.filename.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts or (name.parts and name.parts[0].endswith(":")):
        raise UserError(f"{path}: '{info.filename}' is a path that leaves the archive; nothing was unpacked")
    if info.file_size > SMALL and info.file_size > LARGEST_RATIO * max(info.compress_size, 1):
        raise UserError(
            f"{path}: '{info.filename}' would unpack from {info.compress_size:,} to {info.file_size:,} bytes; "
            f"more than {LARGEST_RATIO} times its size is refused, and nothing was unpacked"
        )


def _member(path, archive, member):
    """The name of the file to read: `member`, or the only one that is not prose."""
    names = [info.filename for info in archive.infolist() if not info.is_dir()]
    if member:
        if member not in names:
            raise UserError(f"{path}: has no file '{member}'; it has {', '.join(names)}")
        return member
    graphs = [name for name in names if not PurePosixPath(name).name.lower().startswith(PROSE)]
    graphs = [name for name in graphs if not name.lower().endswith((".html", ".md")) and "__MACOSX" not in name]
    if len(graphs) != 1:
        content = f"it has {', '.join(names)}" if names else "it is empty"
        raise UserError(f"{path}: which file of the zip is the graph? {content}; name it in the key member")
    return graphs[0]


@contextlib.contextmanager
def unpacking(path):
    """Turn errors of the unpackers into one line."""
    try:
        yield
    except EOFError:
        raise Unusable(path, "cut off: its packed data end too early") from None
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, NotImplementedError, RuntimeError, OSError) as error:
        if isinstance(error, OSError) and error.errno:
            raise UserError(f"{path}: {error.strerror}") from None
        raise Unusable(path, f"damaged: it cannot be unpacked ({error})") from None


def inner_name(path):
    """The name without the suffix of its packing: as-skitter.txt for as-skitter.txt.gz."""
    name = Path(path).name
    stem, _, suffix = name.rpartition(".")
    return stem if suffix.lower() in ("gz", "bz2", "xz", "zip") and stem else name
