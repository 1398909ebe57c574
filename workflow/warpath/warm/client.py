"""What is asked of the workflow's server: a job hands it the command, a command borrows a resident."""

import contextlib
import os
import select
import signal
import socket
import sys
import time
from pathlib import Path

from warpath.base.files import locked, started
from warpath.warm import address, messages

PATIENCE = 30  # seconds for a server to open its socket
GRACE = 5  # seconds for a command to die with its server: it must not write beside the one that takes its place
SOURCE = Path(__file__).with_name("native") / "client.cpp"  # of the compiled client, which saves the start of Python


def hand_over(arguments, entry):
    """Return the exit status of the command, or None where it must be run here; `entry` is the module that does it."""
    workflow = address.workflow()
    if workflow is None:
        return None
    try:
        link, is_new = _connected(workflow, entry)
    except OSError as reason:
        print(f"warpath: no warm worker ({reason}); running without", file=sys.stderr)
        return None
    alive, held = os.pipe()  # the command holds the other end for as long as it lives
    with contextlib.suppress(OSError):
        try:
            link.send(_request(arguments), (1, 2, held))
        finally:
            os.close(held)
        if is_new and "--folder" not in arguments:  # a module keeps everything in its folder
            _compile()
        for code in link:
            return code if code >= 0 else 128 - code  # as a shell has it
    select.select([alive], [], [], GRACE)
    print("warpath: the worker is gone; running without", file=sys.stderr)
    return None


def _request(arguments):
    os.umask(mask := os.umask(0o077))
    begun = started("self") / os.sysconf("SC_CLK_TCK")
    environment = [f"{name}={value}" for name, value in os.environ.items()]
    texts = [Path.cwd(), mask, begun, len(arguments), *arguments, *environment]
    return b"\0".join(os.fsencode(str(text)) for text in texts)


def _connected(workflow, entry):
    """Return a link to the server, which is started if there is none, and whether it was."""
    folder = address.folder(workflow)
    with contextlib.suppress(FileNotFoundError, ConnectionRefusedError):
        return messages.connect(folder / "socket"), False
    with locked(folder / "lock"):
        process, end = None, time.monotonic() + PATIENCE
        while time.monotonic() < end and (process is None or process.poll() is None):
            with contextlib.suppress(FileNotFoundError, ConnectionRefusedError):
                return messages.connect(folder / "socket"), process is not None
            process = process or _start([sys.executable, "-m", "warpath.warm.server", str(workflow), entry])
            time.sleep(0.002)
    raise OSError("the server did not start; logs/workers.log may say why")


def _start(command):
    """Start a process of its own session, so that Ctrl-C in the terminal is the workflow's alone."""
    import subprocess

    Path("logs").mkdir(exist_ok=True)
    with open("logs/workers.log", "ab") as log:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)


def _compile():
    """Compile the client for the jobs that follow, which find it in the cache; without a compiler they do without."""
    from warpath.base import cache, compiler
    from warpath.base.errors import UserError

    with contextlib.suppress(UserError, OSError):
        options = "-std=c++17", "-O1"
        program = cache.path("client", "", [compiler.identity(), *options, SOURCE.read_bytes()])
        cache.built(program, lambda output: compiler.compile_to(output, [*options, SOURCE]))
        link = cache.folder() / f"client.{os.getpid()}"
        link.symlink_to(program.name)
        link.replace(cache.folder() / "client")


@contextlib.contextmanager
def borrowed(entry, apart=("", 0)):
    """In a command: yield a resident's number, a link to it and a function; or None where there is no server.

    The resident serves by calling `module:function`, the entry, with its end of the link and with a dict that stays
    from one borrower to the next. It is kept while that function returns True. One that is still serving when the block
    is left is killed. The function yielded waits until the resident is idle again (None) or has ended (its exit status
    as subprocess has it). `apart` is a name and a number: borrowers with the same name and different numbers never
    have the same resident.
    """
    workflow, lent = address.workflow(), None
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # there is no server, or it is gone
            if workflow is not None:
                server = messages.connect(address.folder(workflow) / "socket")
                stack.callback(server.close)
                place = {"environment": dict(os.environ), "folder": str(Path.cwd())}
                server.send({"borrow": entry, "apart": apart} | place)
                lent = next(iter(server), None)
        if lent is None:
            yield None
            return
        link = messages.Link(socket.socket(fileno=server.take_files()[0]))
        stack.callback(link.close)
        yield lent["process"], link, lambda: next(iter(server), -signal.SIGKILL)  # residents end with the server
