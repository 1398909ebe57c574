"""The code file of kernels or of a baseline, and what it is compiled with on every device."""

import re
from pathlib import Path

from warpath.base import compiler, places
from warpath.base.errors import UserError


def options(defines):
    """Return compiler options that g++ and NVRTC both take."""
    return [f"-D{name.upper()}={value}" for name, value in defines.items()]


def include(file):
    """Return the folder of headers that a code file shares: that of its own kernels, or of this checkout's."""
    own = Path(file).absolute().parents[1] / "include"
    return own if own.exists() else places.KERNELS / "include"


def files(stem, suffix):
    """Return the code file of that stem, which may end in .py as an algorithm's does, and every header it includes."""
    file = Path(stem).with_suffix(suffix)
    if not file.exists():
        raise UserError(f"{file}: not found (needed by {Path(stem).name})")
    return compiler.included(file, include(file))


def contents(files, names):
    """Return the bytes of each file; a missing function is a one-line error, where a compiler prints many lines."""
    parts = [file.read_bytes() for file in files]
    text = b"".join(parts).decode()
    for name in names:
        if not re.search(rf"\b{re.escape(name)}\s*\(", text):
            raise UserError(f'{files[0]}: has no `extern "C"` function {name}')
    return parts
