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


def install():
    """Compile the client and let jobs of this process find it as `python`; without a compiler they do without."""
    with contextlib.suppress(UserError, OSError, address.Unsafe):
        program = compiler.program("client", SOURCE)
        if not os.access(program, os.X_OK):
            return
        folder = f"{address.folder(os.getpid())}/bin"
        os.mkdir(folder)
        os.symlink(sys.executable, f"{folder}/interpreter")
        os.symlink(program, f"{folder}/python")
        os.environ["PATH"] = os.pathsep.join([folder, os.environ["PATH"]])
