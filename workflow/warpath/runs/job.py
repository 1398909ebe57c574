"""One run from outside: a child process measures, this one watches the clock and writes the record.

A kernel that never ends, a fault that poisons the CUDA context or a crash of the host code takes down the child alone,
and what it had measured until then has already come through the link. The child is forked before anything heavy is
imported, so watching costs nothing. Locks of devices come through the link too: a child that is ending gives its files
back before the driver has cleared up its memory, and the next run shall not begin until then.
"""

import contextlib
import datetime
import json
import math
import os
import re
import selectors
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from warpath.foundation.files import sha256, write_json
from warpath.lifetime import folder, processes

FORMAT = 1


def run(spec, record):
    """Measure what `spec` (a runs.measure.Spec) says, write the record file, return the record."""
    started = _now()
    begin = time.perf_counter()
    git = _ask_git()  # which answers while the child is at work
    made = _blank(spec)  # with what is about to be compiled: an edit meanwhile is none of this run's
    child, link = _fork(spec)
    processes.end_with_workflow()  # by a thread, and so only after the fork
    with contextlib.ExitStack() as held:
        messages, verdict = _watch(child, link, spec.time_limit, held)
        made["started"], made["finished"] = started, _now()
    _add(messages, made)
    made |= _ending(verdict, spec.time_limit, made["error"])
    made["environment"]["commit"] = _commit(git)
    made["costs"]["total_s"] = time.perf_counter() - begin + spec.started_s
    folder.date_to_now(spec.graph_folder, spec.oracle, *made["kernel_sources"])  # the clock may have been set back
    _keep(record, made)
    return made


def failure_path(record):
    return Path(record).with_suffix(".failed.json")


def _keep(record, made):
    """A known outcome is a record. An unexpected failure is kept beside it, so that a plain rerun tries again."""
    record, failure = Path(record), failure_path(record)
    if made["status"] == "failed":
        record.unlink(missing_ok=True)
        write_json(failure, made)
    else:
        write_json(record, made)
        failure.unlink(missing_ok=True)


def _fork(spec):
    ours, its = socket.socketpair()
    parent = os.getpid()
    child = os.fork()
    if child:
        its.close()
        with contextlib.suppress(OSError):
            os.setpgid(child, child)  # here and in the child: whichever comes first, so that killing the group is safe
        return child, ours
    status = 1
    try:
        ours.close()
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
        processes.die_with(parent)  # no orphan keeps the GPU
        from warpath.runs import measure

        measure.measure(spec, lambda kind, locks=(), **message: _send(its, {"kind": kind, **message}, locks))
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


def _watch(child, link, time_limit, held):
    """Collect the child's messages until it ends; kill it when a stage takes longer than the limit.

    Loading and compiling have a limit of their own: a first compilation must not eat into the measurement, and whoever
    is late with it says nothing of the algorithm. Locks that the child sends are kept open by the stack `held`.
    """
    messages, buffer, deadline = [], b"", time.monotonic() + time_limit
    ready = timed_out = False
    selector = selectors.DefaultSelector()
    selector.register(link, selectors.EVENT_READ)
    with _passing_on_signals(child):
        while True:
            remaining = None if deadline == math.inf else max(0.0, deadline - time.monotonic())
            if not selector.select(remaining):
                timed_out = True
                _kill(child)
                break
            data, locks, _, _ = socket.recv_fds(link, 1 << 20, 8)
            for lock in locks:
                held.callback(os.close, lock)
            if not data:
                break
            *lines, buffer = (buffer + data).split(b"\n")
            for message in map(json.loads, lines):
                ready |= message["kind"] == "ready"
                if message["kind"] == "waiting":  # for a device that another run has leased, however long
                    deadline = math.inf
                elif deadline == math.inf or message["kind"] == "ready":
                    deadline = time.monotonic() + time_limit
                if message["kind"] == "leased":
                    message["leased"] = _now()
                if message["kind"] not in ("waiting", "ready"):
                    messages.append(message)
        _, status = os.waitpid(child, 0)
    link.close()
    late = "timeout" if ready else "never ready"
    return messages, (late if timed_out else os.waitstatus_to_exitcode(status))


@contextlib.contextmanager
def _passing_on_signals(child):
    """Ctrl-C or a scheduler's SIGTERM ends the child too: it leads a process group of its own."""

    def end(number, _frame):
        _kill(child)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(child, 0)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    earlier = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)


def _kill(child):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)


def _add(messages, made):
    """To the record what the child said."""
    for message in messages:
        kind = message.pop("kind")
        if kind == "sample":
            made["samples"].append(message)
        elif kind in ("costs", "environment"):
            made[kind].update(message)
        elif kind == "flag":
            made["flags"].append(message["flag"])
        else:
            made.update(message)


def _blank(spec):
    return {
        "format": FORMAT,
        "graph": spec.graph,
        "problem": spec.problem,
        "algorithm": spec.algorithm,
        "launch": spec.launch,
        "device": spec.device,
        "status": "failed",
        "error": None,
        "samples": [],
        "costs": {"start_s": spec.started_s},
        "environment": {},
        "kernel_sources": {str(path): sha256(path) for path in spec.sources_files},
        "command": spec.command,
        "flags": [],
    }


def _ending(verdict, time_limit, error):
    """What the child could not say itself."""
    if verdict == "timeout":
        return {"status": "timeout", "error": f"not finished after {time_limit:g} s"}
    if verdict == "never ready":
        return {"status": "failed", "error": f"loading, compiling and preparing took longer than {time_limit:g} s"}
    if verdict < 0:
        return {"status": "failed", "error": f"the measuring process was ended by {signal.Signals(-verdict).name}"}
    if verdict > 0 and error is None:
        return {"error": "the measuring process ended without saying why; see the log"}
    return {}


def _ask_git(folder=Path(__file__).parent):
    """A git that finds out which commit is checked out; None without git. `describe --dirty` would do, but it locks the
    index, and the user who commits meanwhile is refused."""
    asked = ["status", "--porcelain=v2", "--branch", "--no-ahead-behind", "--untracked-files=no"]
    command = ["git", "--no-optional-locks", "-C", str(folder), *asked]
    with contextlib.suppress(OSError):
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return None


def _commit(git):
    """The commit that was checked out, marked when files differed from it; None outside a repository."""
    if git is None:
        return None
    try:
        said = git.communicate(timeout=5)[0]
    except subprocess.TimeoutExpired:
        git.kill()
        return None
    commit = re.search(r"^# branch\.oid ([0-9a-f]{12})", said, re.M)
    differs = re.search(r"^[^#]", said, re.M)  # a line for each such file
    return commit and commit[1] + ("-dirty" if differs else "")


def _now():
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
