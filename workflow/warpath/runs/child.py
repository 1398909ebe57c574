"""The process that measures, and its watch.

A kernel that never ends, a fault that poisons the CUDA context, or a crash of host code takes down that process alone,
and the samples that it had already sent are kept. It is a child, or on a GPU a resident of the workflow's workers,
which keeps the context, and graphs on the GPU, from one run to the next. The locks of devices are passed on: a dying
process closes its files before the driver has released its memory, and the next run must not begin until then.
"""

import contextlib
import dataclasses
import functools
import math
import os
import sys
import threading
import time

from warpath.runs import measure, printed
from warpath.runs.guard import Guard
from warpath.runs.kept import Kept
from warpath.warm import client, messages, processes

# Devices on which a resident measures: where a context is costly, and memory is apart from the host's.
RESIDENT = {"cuda"}


def watch(spec, locks, lent=None):
    """Collect the messages of the process that measures until it ends or its time is up; return them and its exit code.

    Each message carries the time at which it was `received`. The exit code is 0 for a resident that may serve again;
    None if the process was killed at the deadline, where the time limit counts once for preparing and once for
    measuring, and not while waiting for a device; a status and its reason if it was killed for what it took. The stack
    `locks` takes over the locks that the process sends. A process that is `lent`, with what `_measuring` yields, has
    the spec already.
    """
    received, end = [], time.monotonic() + spec.time_limit
    with contextlib.nullcontext(lent) if lent else _measuring(spec) as (process, link, wait):
        while True:
            link.connection.settimeout(None if end == math.inf else max(0.001, end - time.monotonic()))
            try:
                arrived = link.receive()
            except TimeoutError:
                processes.kill(process)
                wait()
                return received, None
            for file in link.take_files():
                locks.callback(os.close, file)
            if arrived is None:
                return received, wait() or 0  # a resident that is idle again has none
            for message in arrived:
                if message["kind"] == "done":  # of a process that waits for its next run
                    return received, 0
                if message["kind"] == "waiting":
                    end = math.inf
                elif message["kind"] == "ready" or end == math.inf:
                    end = time.monotonic() + spec.time_limit
                received.append(message | {"received": time.time(), "at": time.monotonic()})


@contextlib.contextmanager
def _measuring(spec):
    """Yield the resident or child that measures, a link to it and a function that waits for its exit code."""
    apart = f"{spec.graph}/{spec.described.id}/{spec.launch}", spec.process
    is_lent = spec.device in RESIDENT
    resident = client.borrowed("warpath.runs.child:serve", apart) if is_lent else contextlib.nullcontext()
    with contextlib.ExitStack() as at_end:
        guard = Guard() if spec.described.program else None
        process, link, wait = at_end.enter_context(resident) or at_end.enter_context(forked(guard))
        source, sink = os.pipe()
        printing = threading.Thread(target=printed.pass_on, args=(source, 2), daemon=True)
        link.send(dataclasses.asdict(spec), (sink, sink))
        os.close(sink)
        printing.start()
        yield process, link, wait
    printing.join()


@contextlib.contextmanager
def forked(guard=None):
    """Yield a process that serves until its link is closed, the link, and a function that waits for its exit code."""
    ours, theirs = messages.pair()
    others = processes.children()
    processes.adopt()

    def work():
        ours.close()
        if guard:
            guard.enter()
        kept = {}
        while serve(theirs, kept):
            theirs.send({"kind": "done"})

    @functools.cache
    def wait():
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        return (guard and guard.excess) or code

    def end_others():
        """End what the process has started, once it has ended: that may hold what would tell of it."""
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
        processes.end_children(but={process, *others})

    process = processes.fork(work)
    theirs.close()
    processes.end_with_workflow()  # starts a thread, as others do: hence only after the fork
    ending = threading.Thread(target=end_others)
    ending.start()
    if guard:
        guard.watch(process)
    try:
        yield process, ours, wait
    except BaseException:  # such as Ctrl-C, which does not reach its group
        processes.kill(process)
        raise
    finally:
        ours.close()
        ending.join()
        wait()
        if guard:
            guard.end()


def serve(link, state):
    """In a resident: measure the run that the link asks for, printing where its job prints."""
    processes.adopt()

    def report(kind, locks=(), **fields):
        link.send({"kind": kind, **fields}, locks)

    for fields in link:
        own = [os.dup(1), os.dup(2)]
        _print_to(link.take_files())
        try:
            return measure.measure(measure.Spec(**fields), report, state.setdefault("kept", Kept()))
        finally:
            processes.end_children()
            _print_to(own)
    return False


def _print_to(files):
    for file, number, stream in zip(files, (1, 2), (sys.stdout, sys.stderr), strict=True):
        stream.flush()
        os.dup2(file, number)
        os.close(file)
