"""The code file of kernels or of a baseline, and what it is compiled with on every device."""

import re
from pathlib import Path

from warpath.base import compiler, places
from warpath.base.errors import UserError

INCLUDE = places.KERNELS / "include"


def path(stem, suffix):
    """Return the code file of that stem; `stem` may end in .py, as the __file__ of an algorithm does."""
    file = Path(stem).with_suffix(suffix)
    if not file.exists():
        raise UserError(f"{file}: not found (needed by {Path(stem).name})")
    return file


def options(defines):
    """Return compiler options that g++ and NVRTC both take."""
    return [f"-I{INCLUDE}", *(f"-D{name.upper()}={value}" for name, value in defines.items())]


def contents(file):
    """Return the bytes of the code file and of every local header that it includes."""
    return [part.read_bytes() for part in compiler.included(file, INCLUDE)]


def require_functions(file, names):
    """Raise a one-line error where a function is missing; a compiler would print many lines."""
    text = b"".join(contents(file)).decode()
    for name in names:
        if not re.search(rf"\b{re.escape(name)}\s*\(", text):
            raise UserError(f'{file}: has no `extern "C"` function {name}')
