"""The process that measures, and its watch.

A kernel that never ends, a fault that poisons the CUDA context, or a crash of host code takes down that process alone,
and the samples that it had already sent are kept. It is a child, or on a GPU a resident of the workflow's workers,
which keeps the context, and graphs on the GPU, from one run to the next. The locks of devices are passed on: a dying
process closes its files before the driver has released its memory, and the next run must not begin until then.
"""

import contextlib
import dataclasses
import math
import os
import sys
import time

from warpath.runs import measure
from warpath.runs.kept import Kept
from warpath.warm import client, messages, processes

# Devices on which a resident measures: where a context is costly, and memory is apart from the host's.
RESIDENT = {"cuda"}


def watch(spec, locks, lent=None):
    """Collect the messages of the process that measures until it ends or its time is up; return them and its exit code.

    Each message carries the time at which it was `received`. The exit code is 0 for a resident that may serve again,
    and None if the process was killed at the deadline: the time limit counts once for preparing and once for measuring,
    and not while waiting for a device. The stack `locks` takes over the locks that the process sends. A process that is
    `lent`, with what `_measuring` yields, has the spec already.
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
                return received, wait()
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
    """Have the run measured; yield the process that does it, a link to it and a function that waits for its exit code.

    It is a resident where there can be one, but none that was another process of the same run; otherwise a child.
    """
    apart = f"{spec.graph}/{spec.described.id}/{spec.launch}", spec.process
    is_lent = spec.device in RESIDENT
    resident = client.borrowed("warpath.runs.child:serve", apart) if is_lent else contextlib.nullcontext()
    with resident as lent:
        if lent:
            process, link, ending = lent
            link.send(dataclasses.asdict(spec), (1, 2))
            yield process, link, lambda: ending() or 0
            return
    ours, theirs = messages.pair()

    def work():
        _measure(spec, theirs)

    with contextlib.closing(ours):
        process = processes.fork(work)
        theirs.close()
        processes.end_with_workflow()  # starts a thread, hence only after the fork
        try:
            yield process, ours, lambda: os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        except BaseException:  # such as Ctrl-C, which does not reach its group
            processes.kill(process)
            raise


def _measure(spec, link, kept=None):
    """Measure the run and send each result over the link; whether this process is as sound as before."""
    return measure.measure(spec, lambda kind, locks=(), **fields: link.send({"kind": kind, **fields}, locks), kept)


def serve(link, state):
    """In a resident: measure the run that the link asks for, printing where its job prints."""
    for fields in link:
        own = [os.dup(1), os.dup(2)]
        _print_to(link.take_files())
        try:
            return _measure(measure.Spec(**fields), link, state.setdefault("kept", Kept()))
        finally:
            _print_to(own)
    return False


def _print_to(files):
    for file, number, stream in zip(files, (1, 2), (sys.stdout, sys.stderr), strict=True):
        stream.flush()
        os.dup2(file, number)
        os.close(file)
