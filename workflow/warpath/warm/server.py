"""The server of one workflow: forks a child for each command, keeps residents, ends with the workflow.

It has one thread, so that forking is safe, and never touches a GPU.
"""

import contextlib
import gc
import importlib
import os
import selectors
import shutil
import signal
import socket
import sys
import traceback

from warpath.base import parent, processor
from warpath.warm import address
from warpath.warm.messages import Link, pair
from warpath.warm.resident import Pool, kill
from warpath.warm.store import Store

# Libraries must not start threads when they are imported: a fork would lose the threads and keep their locks.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "JE_ARROW_MALLOC_CONF": "background_thread:false"}

SHARED = 0.5  # of the free memory that files shared by the processes of the workflow may take


def serve(folder, workflow, run, modules):
    """Serve until the process `workflow` is gone. `run(arguments)` does a command; `modules` are imported meanwhile."""
    os.environ |= ONE_THREAD
    try:
        watched = os.pidfd_open(workflow)
    except ProcessLookupError:
        return
    _sweep()
    with contextlib.suppress(FileNotFoundError):
        os.unlink(f"{folder}/socket")  # of a server that was killed
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(f"{folder}/socket")
    listener.listen(1024)
    try:
        _Server(listener, watched, run, list(modules)).loop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep():
    """Remove the folders of workflows that are gone: a server that was killed could not."""
    for name in os.listdir(address.base()):
        process, _, start = name.partition("-")
        try:
            gone = str(address.started(process)) != start
        except OSError:
            gone = True
        if gone:
            shutil.rmtree(f"{address.base()}/{name}", ignore_errors=True)


class _Server:
    def __init__(self, listener, watched, run, modules):
        self.listener, self.watched, self.run, self.modules = listener, watched, run, modules
        self.clients = {}  # process of a command -> the link of the job that waits for it
        self.spare = None  # (process, link) of a child that waits for a command: forking takes longer than a message
        self.links = set()
        self.selector = selectors.DefaultSelector()
        self.residents = Pool(self.fork, self._watch, self._unwatch)
        self.store = Store(int(SHARED * processor.free_bytes()))
        reader, writer = socket.socketpair()
        for end in (reader, writer):
            end.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        self.ended = False
        self.selector.register(watched, selectors.EVENT_READ, self._end)
        self.selector.register(listener, selectors.EVENT_READ, self._accept)
        self.selector.register(reader, selectors.EVENT_READ, lambda: self._reap(reader))
        self.inherited = [listener, reader, writer]

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
                self.spare = self._fork_spare()
        self._kill_all()

    def _may_prepare(self):
        """Import and fork only beside commands that do not need the core: they may be measuring."""
        return (self.modules or not self.spare) and (not self.clients or processor.can_spare_cores())

    def _import_next(self):
        name = self.modules.pop(0)
        try:
            importlib.import_module(name)
        except ImportError as error:
            print(f"{name}: not imported beforehand ({error})", file=sys.stderr)
        gc.freeze()

    def _end(self):
        self.ended = True

    def _accept(self):
        link = Link(self.listener.accept()[0])
        self.links.add(link)
        self._watch(link, lambda: self._hear(link))

    def _watch(self, link, hear):
        self.selector.register(link, selectors.EVENT_READ, hear)

    def _unwatch(self, link):
        with contextlib.suppress(KeyError):
            self.selector.unregister(link)

    def _hear(self, link):
        """A new request, or the end of a link."""
        messages = link.receive()
        if messages is None:
            self._left(link)
        for message in messages or ():
            if "command" in message:
                self.clients[self._begin(message, link.take_files())] = link
            elif "borrow" in message:
                self.residents.lend(message, link)
            elif "take" in message:
                self.store.take(message["take"], link)
            elif "put" in message:
                self.store.put(message["put"], message["size"], link.take_files()[0])

    def _fork_spare(self):
        ours, theirs = pair()

        def work():
            ours.close()
            with theirs:
                for request in theirs:
                    return _command(request, theirs, self.run)

        process = self.fork(work)
        theirs.close()
        return process, ours

    def _begin(self, request, files):
        """Have a child do the command; return the child's number."""
        (process, link), self.spare = self.spare or self._fork_spare(), None
        try:
            link.send(request, files)
        except OSError:  # it was killed
            process, link = self._fork_spare()
            link.send(request, files)
        link.close()
        for file in files:
            os.close(file)
        return process

    def _left(self, link):
        """A job that is gone takes its command along, a borrower the resident that it still has."""
        self.links.discard(link)
        self._unwatch(link)
        link.close()
        for process, client in self.clients.items():
            if client is link:
                kill(process)
        self.residents.left(link)

    def _reap(self, reader):
        with contextlib.suppress(BlockingIOError):
            while reader.recv(4096):
                pass
        while True:
            try:
                process, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not process:
                return
            kill(process)  # what is left of its group
            code = os.waitstatus_to_exitcode(status)
            self.residents.ended(process, code)
            if self.spare and self.spare[0] == process:
                self.spare[1].close()
                self.spare = None
            link = self.clients.pop(process, None)
            if link is not None:
                with contextlib.suppress(OSError):
                    link.send({"status": code if code >= 0 else 128 - code})  # as a shell has it

    def fork(self, work):
        """Run `work` in a child that is killed with this process; its number. `work` returns the exit status."""
        server = os.getpid()
        process = os.fork()
        if process:
            with contextlib.suppress(OSError):
                os.setpgid(process, process)  # here and in the child: whichever comes first
            return process
        status = 1
        try:
            with contextlib.suppress(OSError):
                os.setpgid(0, 0)
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            parent.die_with(server)
            self._close_inherited()
            status = work() or 0
        except BaseException:
            traceback.print_exc()
        finally:
            for stream in (sys.stdout, sys.stderr):
                with contextlib.suppress(OSError, ValueError, AttributeError):
                    stream.flush()
            os._exit(status)

    def _close_inherited(self):
        """A child must not hold links of other jobs open, nor watch the workflow twice."""
        self.selector.close()
        for end in self.inherited:
            end.close()
        os.close(self.watched)
        for link in self.links:
            link.connection.close()
        if self.spare:
            self.spare[1].close()
        self.residents.close()
        self.store.close()

    def _kill_all(self):
        spare = [self.spare[0]] if self.spare else []
        for process in [*self.clients, *spare, *self.residents.processes()]:
            kill(process)


def _command(request, link, run):
    """In the child: become the process that the job would have been, and do its command."""
    out, error, _ = link.take_files()  # the third stays open until the end: its other end tells the client
    link.connection.close()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os.dup2(out, 1)
    os.dup2(error, 2)
    os.close(out)
    os.close(error)
    os.environ.clear()
    os.environb |= request["environment"]
    os.umask(request["umask"])
    os.chdir(request["folder"])
    parent.job_started = request["started"]
    arguments = list(map(os.fsdecode, request["command"]))
    sys.argv = ["warpath", *arguments]
    try:
        return run(arguments)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            return 1
        return end.code
