"""A compiled client in place of `python` in the commands of a workflow's jobs, which saves the start of an interpreter.

What it does not handle, such as starting the server, it leaves to the client in Python.
"""

import contextlib
import os
import sys
from pathlib import Path

from warpath.foundation import compiler
from warpath.foundation.errors import UserError
from warpath.workers import address

SOURCE = Path(__file__).with_name("native") / "client.cpp"


def folders():
    """Where the jobs of this workflow look for `python` first: the compiled client, if installed, then this Python."""
    return [_folder(), str(Path(sys.executable).parent)]


def install():
    """Compile the client and put it where jobs find it; without a compiler they do without."""
    with contextlib.suppress(UserError, OSError, address.Unsafe):
        program = compiler.program("client", SOURCE)
        if os.access(program, os.X_OK):
            address.folder(os.getpid())
            os.mkdir(_folder())
            os.symlink(sys.executable, f"{_folder()}/interpreter")
            os.symlink(program, f"{_folder()}/python")


def _folder():
    return f"{address.place(os.getpid())}/bin"
