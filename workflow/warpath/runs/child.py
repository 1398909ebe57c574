"""The process that measures, and its watch.

A kernel that never ends, a fault that poisons the CUDA context, or a crash of host code takes down that process alone,
and the samples that it had already sent are kept. It is a child, or on a GPU a resident of the workflow's workers. The
locks of devices are passed on: a dying process closes its files before the driver has released its memory, and the next
run must not begin until then.
"""

import contextlib
import dataclasses
import math
import os
import signal
import sys
import time

from warpath.base.parent import die_with
from warpath.lifetime import processes
from warpath.warm import messages
from warpath.warm.resident import borrowed, kill

RESIDENT = {
    "cuda"
}  # devices on which a resident measures: where a context is costly, and memory is apart from the host's


@contextlib.contextmanager
def measuring(spec):
    """Have the run measured; yields the link to the process that does it, and functions that kill it and wait for it.

    Waiting returns its exit code, 0 for a resident that may serve again.
    """
    with _resident(spec) as resident:
        if resident:
            resident.link.send({"spec": _fields(spec), "waited": resident.waited}, (1, 2))
            yield resident.link, resident.kill, lambda: resident.ending() or 0
        else:
            process, link = _fork(spec)
            with contextlib.closing(link):
                yield link, lambda: kill(process), lambda: os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _resident(spec):
    from warpath.runs import resident

    return borrowed(resident.KIND, resident.ENTRY) if spec.device in RESIDENT else contextlib.nullcontext()


def _fields(spec):
    return {field.name: getattr(spec, field.name) for field in dataclasses.fields(spec)}


def _fork(spec):
    ours, theirs = messages.pair()
    parent = os.getpid()
    process = os.fork()
    if process:
        theirs.close()
        with contextlib.suppress(OSError):
            os.setpgid(process, process)  # here and in the child: the group must exist before it is killed
        processes.end_with_workflow()  # starts a thread, hence only after the fork
        return process, ours
    status = 1
    try:
        ours.close()
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
        die_with(parent)  # no orphan keeps the GPU
        from warpath.runs import measure

        measure.measure(spec, lambda kind, locks=(), **fields: theirs.send({"kind": kind, **fields}, locks))
        status = 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)  # no atexit handlers of the parent, no teardown of a context that may be poisoned


def watch(spec, locks):
    """Collect the messages of the process that measures until it ends or its time is up; return them and its exit code.

    Each message carries the time at which it was `received`. The exit code is None if the process was killed at the
    deadline. The stack `locks` takes over the locks that it sends.
    """
    received, in_time = [], True
    with measuring(spec) as (link, end, wait), _forwarding_signals(end, wait):
        deadline = _Deadline(spec.time_limit)
        try:
            for message in _receive(link, deadline, locks):
                deadline.update(message["kind"])
                received.append(message | {"received": time.time()})
        except TimeoutError:
            in_time = False
            end()
        exit_code = wait()
    return received, exit_code if in_time else None


class _Deadline:
    """The time limit, once for preparing and once for measuring; waiting for a device does not count."""

    def __init__(self, time_limit):
        self._time_limit = time_limit
        self._restart()

    def _restart(self):
        self._end = time.monotonic() + self._time_limit

    def update(self, kind):
        """Follow the child's progress by the kind of its latest message."""
        if kind == "waiting":
            self._end = math.inf
        elif kind == "ready" or self._end == math.inf:
            self._restart()

    def timeout(self):
        """Return the time that remains as a socket's timeout: None for ever; 0 would switch waiting off."""
        return None if self._end == math.inf else max(0.001, self._end - time.monotonic())


def _receive(link, deadline, locks):
    """Yield messages until the other end closes the link; TimeoutError at the deadline."""
    while True:
        link.connection.settimeout(deadline.timeout())
        try:
            arrived = link.receive()
        except ConnectionResetError:
            arrived = None
        for file in link.take_files():
            locks.callback(os.close, file)
        if arrived is None:
            return
        yield from arrived


@contextlib.contextmanager
def _forwarding_signals(end, wait):
    """Kill the process that measures on Ctrl-C or a scheduler's SIGTERM, which do not reach its process group."""

    def handle(number, _frame):
        end()
        with contextlib.suppress(ChildProcessError):
            wait()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    earlier = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)
