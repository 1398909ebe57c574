"""The server of one workflow, `python -m warpath.warm.server WORKFLOW ENTRY`, which ends with it.

Its children do commands or are lent. It has one thread, so that forking is safe, and never touches a GPU.
"""

import contextlib
import functools
import gc
import importlib
import itertools
import os
import selectors
import shutil
import signal
import socket
import sys
import traceback
from dataclasses import dataclass, field
from pathlib import Path

from warpath.base import processor
from warpath.base.files import started
from warpath.warm import address, messages, processes

# Libraries must not start threads when they are imported: a fork would lose the threads and keep their locks.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "JE_ARROW_MALLOC_CONF": "background_thread:false"}

TELLING = ("WARPATH_", "CUDA_", "CUPY_", "LD_", "NVIDIA_")  # how variables begin that a resident reads once


def serve(workflow, entry):
    """Serve until `workflow` is gone: `entry` has `main(arguments)`, and AHEAD, the modules to import beforehand."""
    os.environ |= ONE_THREAD
    processes.adopt()
    entry = importlib.import_module(entry)
    try:
        watched = os.pidfd_open(workflow)
    except ProcessLookupError:
        return
    folder = address.folder(workflow)
    for other in address.BASE.iterdir():  # servers that were killed could not remove their folders
        process, _, start = other.name.partition("-")
        if str(started(process)) != start:
            shutil.rmtree(other, ignore_errors=True)
    (folder / "socket").unlink(missing_ok=True)  # of a server that was killed
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(folder / "socket"))
    listener.listen(1024)
    try:
        _Server(listener, watched, entry.main, list(entry.AHEAD)).loop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(eq=False)
class _Child:
    process: int
    link: messages.Link
    client: messages.Link | None = None  # whoever waits for it
    key: tuple | None = None  # of a resident: what it is asked for by
    numbers: dict = field(default_factory=dict)  # of those that borrowed it, by name


class _Server:
    def __init__(self, listener, watched, run, modules):
        self.listener, self.run, self.modules = listener, run, modules
        self.children = []  # one of them waits for a command: forking takes longer than a message
        self.ended = False
        self.selector = selectors.DefaultSelector()
        self._watch(watched, lambda: setattr(self, "ended", True))
        self._watch(listener, self._accept)

    def loop(self):
        while not self.ended:
            ready = self.selector.select(0 if self._may_prepare() else None)
            for key, _ in ready:
                try:
                    key.data()
                except Exception:  # of one request; the others go on
                    traceback.print_exc()
            if not ready and self.modules:
                self._import_next()
            elif not ready:
                self._fork()
        for child in self.children:
            processes.kill(child.process)

    def _may_prepare(self):
        """Import and fork only beside commands that do not need the core: they may be measuring."""
        idle = not any(child.client for child in self.children)
        return (self.modules or not self._waiting(None)) and (idle or processor.can_spare_cores())

    def _import_next(self):
        name = self.modules.pop(0)
        try:
            importlib.import_module(name)
        except ImportError as error:
            print(f"{name}: not imported beforehand ({error})", file=sys.stderr)
        gc.freeze()

    def _watch(self, file, hear):
        self.selector.register(file, selectors.EVENT_READ, hear)

    def _unwatch(self, file):
        with contextlib.suppress(KeyError):
            self.selector.unregister(file)

    def _accept(self):
        link = messages.Link(self.listener.accept()[0])
        self._watch(link, functools.partial(self._hear, link))

    def _hear(self, link):
        """Do what a link asks for. One that ends, or fails, takes along the child that it waits for."""
        goes_on = False
        try:
            requests = link.receive()
            for request in requests or ():
                self._do(request, link)
            goes_on = requests is not None
        finally:
            if not goes_on:
                for child in self.children:
                    if child.client is link:  # a command may be writing its result; residents do what others wrote
                        processes.kill(child.process, signal.SIGKILL if child.key else signal.SIGTERM)
                self._unwatch(link)
                link.close()

    def _do(self, request, link):
        files = link.take_files()
        try:
            if isinstance(request, bytes):
                self._hand(request, files, link)
            else:
                self._lend(request, link)
        finally:
            for file in files:
                os.close(file)

    def _waiting(self, key, apart=("", 0)):
        name, number = apart
        waiting = [child for child in self.children if child.client is None and child.key == key]
        return [child for child in waiting if child.numbers.get(name, number) == number]

    def _hand(self, request, files, client, key=None, apart=("", 0)):
        """Hand the request to a child that waits for one; return the child."""
        for child in itertools.chain(self._waiting(key, apart), self._waiting(None), iter(self._fork, None)):
            with contextlib.suppress(OSError):  # it was killed
                child.link.send(request, files)
                child.client, child.key = client, key
                child.numbers |= [apart]
                return child

    def _lend(self, request, client):
        telling = {name: value for name, value in request["environment"].items() if name.startswith(TELLING)}
        key = (request["borrow"], *sorted(telling.items()))
        if not self._waiting(key, request["apart"]):  # what idle residents keep on a GPU is not to be had otherwise
            for child in self.children:
                if child.key and child.client is None:
                    child.key = ()  # nobody asks for it any more
                    processes.kill(child.process)
        ours, theirs = messages.pair()
        with contextlib.closing(ours), contextlib.closing(theirs):
            child = self._hand(request, [theirs.fileno()], client, key, request["apart"])
            client.send({"process": child.process}, [ours.fileno()])

    def _hear_child(self, child):
        """A child says one thing, as a resident: that it is idle."""
        if child in self.children:
            if child.link.receive() is None:
                self._unwatch(child.link)
            else:
                self._answer(child, None)

    def _answer(self, child, ending):
        client, child.client = child.client, None
        if client:
            with contextlib.suppress(OSError):
                client.send(ending)

    def _fork(self):
        ours, theirs = messages.pair()

        def work():
            os.closerange(3, theirs.fileno())  # links of others, and what would watch the workflow twice
            os.closerange(theirs.fileno() + 1, max(int(file.name) for file in Path("/proc/self/fd").iterdir()) + 1)
            return _work(theirs, self.run)

        child = _Child(processes.fork(work), ours)
        theirs.close()
        ending = os.pidfd_open(child.process)
        self._watch(ending, functools.partial(self._end, child, ending))
        self._watch(child.link, functools.partial(self._hear_child, child))
        self.children.append(child)
        return child

    def _end(self, child, ending):
        processes.kill(child.process)  # what is left of its group
        code = os.waitstatus_to_exitcode(os.waitpid(child.process, 0)[1])
        self.children.remove(child)
        processes.end_children(but=[other.process for other in self.children])  # what it has left behind
        for file in (ending, child.link):
            self._unwatch(file)
        os.close(ending)
        child.link.close()
        self._answer(child, code)


def _work(link, run):
    """In a child: do one command, or serve one borrower after the other."""
    kept = None
    for request in link:
        files = link.take_files()
        if isinstance(request, bytes):
            link.close()
            return _command(request, files, run)
        if kept is None:
            kept = {}
            _become(request["environment"])
        os.chdir(request["folder"])
        module, _, function = request["borrow"].partition(":")
        with contextlib.closing(messages.Link(socket.socket(fileno=files[0]))) as borrower:
            if not getattr(importlib.import_module(module), function)(borrower, kept):
                return 0
        link.send(None)
    return 0


def _command(request, files, run):
    """Become the process that the job would have been, and do its command."""
    folder, mask, began, count, *words = map(os.fsdecode, request.split(b"\0"))
    arguments, environment = words[: int(count)], words[int(count) :]
    out, error, _ = files  # the third stays open until the end: its other end tells the client
    for file, stream in ((out, 1), (error, 2)):
        os.dup2(file, stream)
        os.close(file)
    os.umask(int(mask))
    os.chdir(folder)
    _become(dict(variable.split("=", 1) for variable in environment))
    processes.job_started = float(began)
    sys.argv = ["warpath", *arguments]
    try:
        return run(arguments)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            return 1
        return end.code


def _become(environment):
    os.environ.clear()
    os.environ |= environment


if __name__ == "__main__":
    serve(int(sys.argv[1]), sys.argv[2])
