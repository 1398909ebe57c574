"""Processes that outlive a command because what they hold is costly to open; each is lent to one command at a time.

A resident serves a borrower by calling `module:function` with the link to it and with a dict that stays from one
borrower to the next. It is kept while that function returns True. A borrower that leaves early takes it along. Where
the environment limits the number of residents of a kind, further borrowers wait for their turn.
"""

import contextlib
import importlib
import os
import signal
import socket
import time
from dataclasses import dataclass

from warpath.warm import address
from warpath.warm.messages import Link, pair

MOST = "WARPATH_RESIDENTS"  # in the environment of a job: how many residents of a kind there may be


class Borrowed:
    """A resident as its borrower sees it: `link` leads to it until it has served.

    `waited` has the seconds until it was free.
    """

    def __init__(self, server, process, link, waited):
        self.process, self.link, self.waited, self._server = process, link, waited, server

    def kill(self):
        kill(self.process)

    def ending(self):
        """Wait until it is idle again (None) or has ended (its exit status as subprocess has it)."""
        for message in self._server:
            return message["ending"]
        return -signal.SIGKILL  # the server is gone, and all residents with it


@contextlib.contextmanager
def borrowed(kind, entry):
    """In a command: a resident, or None where there is no server.

    `kind` and the borrower's environment tell residents apart. One that is still serving when the block is left is
    killed.
    """
    server, lent = _lent(kind, entry)
    if lent is None:
        yield None
        return
    with contextlib.closing(server), contextlib.closing(Link(socket.socket(fileno=server.take_files()[0]))) as link:
        yield Borrowed(server, lent["process"], link, lent["waited"])


def _lent(kind, entry):
    """Ask the server for a resident; (its link, its answer), or (None, None) where there is no server."""
    server = address.server()
    if server is None:
        return None, None
    try:
        server.send({"borrow": kind, "entry": entry, "environment": dict(os.environ), "folder": os.getcwd()})
        return server, next(iter(server), None)
    except OSError:
        return server, None


@dataclass(eq=False)
class _Resident:
    process: int
    control: Link
    key: tuple
    borrower: Link | None = None


class Pool:
    """The server's side: which residents there are, and who has which."""

    def __init__(self, fork, watch, unwatch):
        self._fork, self._watch, self._unwatch = fork, watch, unwatch
        self._residents = []
        self._waiting = []  # (message, borrower, since when), first come first served

    def lend(self, message, borrower, since=None):
        """Lend a resident now, or when one is free."""
        now = time.monotonic()
        named = (message[name] for name in ("borrow", "entry", "folder"))
        key = (*named, *sorted(_telling(message["environment"]).items()))
        alike = [resident for resident in self._residents if resident.key == key]
        idle = next((resident for resident in alike if resident.borrower is None), None)
        if not idle and len(alike) >= int(message["environment"].get(MOST) or len(alike) + 1):
            self._waiting.append((message, borrower, since or now))
            return
        resident = idle or self._start(key, message)
        ours, theirs = pair()
        try:
            resident.control.send({}, [theirs.fileno()])
        except OSError:  # it has just ended
            resident = self._start(key, message)
            resident.control.send({}, [theirs.fileno()])
        resident.borrower = borrower
        with contextlib.suppress(OSError):  # it has just left, of which `left` will hear
            borrower.send({"process": resident.process, "waited": now - (since or now)}, [ours.fileno()])
        ours.close()
        theirs.close()

    def left(self, borrower):
        """The borrower's link has ended: what it still has is not sound."""
        self._waiting = [request for request in self._waiting if request[1] is not borrower]
        for resident in self._residents:
            if resident.borrower is borrower:
                kill(resident.process)

    def ended(self, process, status):
        for resident in [resident for resident in self._residents if resident.process == process]:
            self._residents.remove(resident)
            self._unwatch(resident.control)
            resident.control.close()
            self._free(resident, status)

    def processes(self):
        return [resident.process for resident in self._residents]

    def close(self):
        """In a child: links to residents are the server's alone."""
        for resident in self._residents:
            resident.control.close()

    def _start(self, key, message):
        self._end_idle_elsewhere(key)
        ours, theirs = pair()

        def live():
            ours.close()
            return _live(theirs, message)

        resident = _Resident(self._fork(live), ours, key)
        theirs.close()
        self._residents.append(resident)
        self._watch(ours, lambda: self._hear(resident))
        return resident

    def _end_idle_elsewhere(self, key):
        """What idle residents of other folders, those of other modules, keep on a GPU is not to be had otherwise."""
        for resident in self._residents:
            if resident.borrower is None and resident.key[:2] == key[:2] and resident.key[2] != key[2]:
                resident.key = ()  # nobody asks for it any more
                kill(resident.process)

    def _hear(self, resident):
        messages = resident.control.receive()
        if messages is None:
            self._unwatch(resident.control)  # it is ending
        elif messages:  # it says one thing: that it is idle
            self._free(resident, None)

    def _free(self, resident, ending):
        borrower, resident.borrower = resident.borrower, None
        if borrower:
            with contextlib.suppress(OSError):
                borrower.send({"ending": ending})
        waiting, self._waiting = self._waiting, []
        for request in waiting:
            self.lend(*request)


def _telling(environment):
    """Variables that a resident reads once."""
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(("WARPATH_", "CUDA_", "CUPY_", "LD_", "NVIDIA_"))
    }


def _live(control, message):
    """In the resident: serve one borrower after the other."""
    os.environ.clear()
    os.environ |= message["environment"]
    os.chdir(message["folder"])
    module, _, function = message["entry"].partition(":")
    serve = getattr(importlib.import_module(module), function)
    kept = {}
    for _ in control:
        (file,) = control.take_files()
        with contextlib.closing(Link(socket.socket(fileno=file))) as link:
            if not serve(link, kept):
                return 0
            control.send({})  # before the link ends: the next borrower finds it idle
    return 0


def kill(process):
    """A process and all of its group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, signal.SIGKILL)
