"""The source file of kernels and what belongs to it, the same for every device."""

import re
from pathlib import Path

from warpath.algorithms import discovery
from warpath.foundation.errors import UserError

INCLUDE = discovery.KERNELS / "include"


def beside(file, suffix):
    """The source beside an algorithm's Python file."""
    source = Path(file).with_suffix(suffix)
    if not source.exists():
        raise UserError(f"{source}: there is no such file, though {Path(file).name} asks for what is in it")
    return source


def options(defines):
    """For g++ and NVRTC alike."""
    return [f"-I{INCLUDE}", *(f"-D{name.upper()}={value}" for name, value in defines.items())]


def contents(source):
    """The bytes of the source and of every header of ours that it includes."""
    return [path.read_bytes() for path in discovery.included(source, INCLUDE)]


def refuse_absent(source, names):
    """Says so in one line; the compilers need many."""
    code = b"".join(contents(source)).decode()
    for name in names:
        if not re.search(rf"\b{re.escape(name)}\s*\(", code):
            raise UserError(f'{source}: has no `extern "C"` function {name}')
