"""A compiled client in place of `python` in the commands of a workflow's jobs, which saves the start of an interpreter.

What it does not handle, such as starting the server, it leaves to the client in Python.
"""

import atexit
import contextlib
import os
import shutil
import sys
from pathlib import Path

from warpath.base import compiler
from warpath.base.errors import UserError
from warpath.warm import address

SOURCE = Path(__file__).with_name("native") / "client.cpp"


def install():
    """Compile the client and let jobs of this process find it as `python`; without a compiler they do without."""
    with contextlib.suppress(UserError, OSError, address.Unsafe):
        if os.environ.get(address.ISOLATION) == "process":
            return
        program = compiler.program("client", SOURCE)
        if not os.access(program, os.X_OK):
            return
        folder = f"{address.folder(os.getpid())}/bin"
        os.mkdir(folder)
        atexit.register(_remove, folder)
        os.symlink(sys.executable, f"{folder}/interpreter")
        os.symlink(program, f"{folder}/python")
        os.environ["PATH"] = os.pathsep.join([folder, os.environ["PATH"]])


def _remove(folder):
    """Remove what was installed: a workflow whose jobs need no server has nobody else to do so."""
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):  # the server's socket is there, and the server removes both
        os.rmdir(os.path.dirname(folder))
