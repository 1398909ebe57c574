"""The process that measures, and its watch.

A kernel that never ends, a fault that poisons the CUDA context, or a crash of host code takes down the child alone, and
the samples that it had already sent are kept. The child is forked before anything heavy is imported, so watching costs
nothing. The locks of devices are passed to the parent: a dying child closes its files before the driver has released
its memory, and the next run must not begin until then.
"""

import contextlib
import json
import math
import os
import signal
import socket
import sys
import time

from warpath.lifetime import processes


def fork(spec):
    """Start the process that measures; return its id and the socket that its messages arrive on."""
    ours, theirs = socket.socketpair()
    parent = os.getpid()
    process = os.fork()
    if process:
        theirs.close()
        with contextlib.suppress(OSError):
            os.setpgid(process, process)  # here and in the child: the group must exist before it is killed
        return process, ours
    status = 1
    try:
        ours.close()
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
        processes.die_with(parent)  # no orphan keeps the GPU
        from warpath.runs import measure

        measure.measure(spec, lambda kind, locks=(), **fields: _send(theirs, {"kind": kind, **fields}, locks))
        status = 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)  # no atexit handlers of the parent, no teardown of a context that may be poisoned


def _send(link, message, locks):
    line = json.dumps(message).encode() + b"\n"
    if locks:
        line = line[socket.send_fds(link, [line], locks) :]
    link.sendall(line)


def watch(process, link, time_limit, locks):
    """Collect the child's messages until it ends or its time is up; return them and its exit code.

    Each message carries the time at which it was `received`. The exit code is None if the child was killed at the
    deadline. The stack `locks` takes over the locks that the child sends.
    """
    deadline, messages, in_time = _Deadline(time_limit), [], True
    with _forwarding_signals(process):
        try:
            for message in _receive(link, deadline, locks):
                deadline.update(message["kind"])
                messages.append(message | {"received": time.time()})
        except TimeoutError:
            in_time = False
            _kill(process)
        _, status = os.waitpid(process, 0)
    link.close()
    return messages, os.waitstatus_to_exitcode(status) if in_time else None


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
    """Yield messages until the child closes the link; TimeoutError at the deadline."""
    buffer = b""
    while True:
        link.settimeout(deadline.timeout())
        data, files, _, _ = socket.recv_fds(link, 1 << 20, 8)
        for file in files:
            locks.callback(os.close, file)
        if not data:
            return
        *lines, buffer = (buffer + data).split(b"\n")
        yield from map(json.loads, lines)


@contextlib.contextmanager
def _forwarding_signals(process):
    """Kill the child on Ctrl-C or a scheduler's SIGTERM, which do not reach its own process group."""

    def end(number, _frame):
        _kill(process)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(process, 0)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    earlier = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)


def _kill(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
