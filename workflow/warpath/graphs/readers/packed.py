"""The bytes of a file, unpacked: gzip (by isal where it is there), bz2, xz, zip or plain, by content, not by name."""

import bz2
import contextlib
import lzma
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from warpath.foundation.errors import Unusable, UserError

# Text about graphs packs ten to thirty times; what claims to be far beyond that is an attack or an accident.
LARGEST_RATIO = 300
SMALL = 100 << 20
PROSE = ("readme", "license", "licence", "citation")


def open_unpacked(path, member=None):
    """A binary file object with the content of `path`."""
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
        raise UserError(f"{path}: holds '{info.filename}', a path that leaves the archive; nothing of it is unpacked")
    if info.file_size > SMALL and info.file_size > LARGEST_RATIO * max(info.compress_size, 1):
        raise UserError(
            f"{path}: '{info.filename}' claims to unpack from {info.compress_size:,} to {info.file_size:,} bytes; "
            "no graph packs so well, and it is not unpacked"
        )


def _member(path, archive, wanted):
    names = [info.filename for info in archive.infolist() if not info.is_dir()]
    if wanted:
        if wanted not in names:
            raise UserError(f"{path}: holds no '{wanted}'; it holds {', '.join(names)}")
        return wanted
    graphs = [name for name in names if not PurePosixPath(name).name.lower().startswith(PROSE)]
    graphs = [name for name in graphs if not name.lower().endswith((".html", ".md")) and "__MACOSX" not in name]
    if len(graphs) != 1:
        held = f"it holds {', '.join(names)}" if names else "it is empty"
        raise UserError(f"{path}: which file of the zip is the graph? {held}; say which by the key member")
    return graphs[0]


@contextlib.contextmanager
def told(path):
    """Turn what the unpackers raise into one line."""
    try:
        yield
    except EOFError:
        raise Unusable(path, "cut off, its packed data end too early") from None
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, NotImplementedError, RuntimeError, OSError) as error:
        if isinstance(error, OSError) and error.errno:
            raise UserError(f"{path}: {error.strerror}") from None
        raise Unusable(path, f"damaged, it cannot be unpacked ({error})") from None


def inner_name(path, member=None):
    """The name without what says how it is packed: as-skitter.txt of as-skitter.txt.gz."""
    name = member or Path(path).name
    stem, _, suffix = name.rpartition(".")
    return stem if suffix.lower() in ("gz", "bz2", "xz", "zip") and stem else name
