"""The compiled client, which saves jobs the start of an interpreter."""

import contextlib
import os
from pathlib import Path

from warpath.base import compiler
from warpath.base.errors import UserError
from warpath.warm import address

SOURCE = Path(__file__).with_name("native") / "client.cpp"


def install():
    """Compile the client and let jobs of this process know; without a compiler they do without."""
    with contextlib.suppress(UserError, OSError):
        if os.environ.get(address.ISOLATION) != "process":
            os.environ[address.CLIENT] = str(compiler.program("client", SOURCE))
