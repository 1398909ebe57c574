"""The command of a job: hand it to the workflow's server and pass on how it ended.

Standard library only, and little of that: a job costs what this costs.
"""

import os
import sys
import time

from warpath.warm import address, messages

PATIENCE = 30  # seconds for a server to open its socket
GRACE = 5  # seconds for a command to die with its server: it must not write beside the one that takes its place


def hand_over(arguments, server):
    """The exit status of the command, or None where it must be run here: by hand, or if no server can be had.

    `server` is the command line that starts one.
    """
    workflow = address.workflow()
    if workflow is None:
        return None
    try:
        link = _connected(workflow, server)
    except (OSError, address.Unsafe) as reason:
        print(f"warpath: no warm worker ({reason}); running without", file=sys.stderr)
        return None
    request = {
        "command": list(map(os.fsencode, arguments)),
        "folder": os.getcwdb(),
        "environment": dict(os.environb),
        "umask": _umask(),
        "started": address.started("self"),
    }
    alive, held = os.pipe()  # the command holds the other end for as long as it lives
    try:
        try:
            link.send(request, (1, 2, held))
        finally:
            os.close(held)
        for message in link:
            return message["status"]
    except OSError:
        pass
    _wait_for_end(alive)
    print("warpath: the worker is gone; running without", file=sys.stderr)
    return None


def _wait_for_end(alive):
    import select

    select.select([alive], [], [], GRACE)


def _connected(workflow, server):
    folder = address.folder(workflow)
    path = f"{folder}/socket"
    try:
        return messages.connect(path)
    except (FileNotFoundError, ConnectionRefusedError):
        pass
    import fcntl

    with open(f"{folder}/lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            return messages.connect(path)
        except (FileNotFoundError, ConnectionRefusedError):
            process = _start([*server, folder, str(workflow)])
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                return messages.connect(path)
            except (FileNotFoundError, ConnectionRefusedError):
                if os.waitpid(process, os.WNOHANG)[0]:
                    break
                time.sleep(0.002)
    raise OSError("the server did not start; logs/workers.log may say why")


def _start(command):
    """Start a process of its own session, so that Ctrl-C in the terminal is the workflow's alone."""
    process = os.fork()
    if process:
        return process
    try:
        os.setsid()
        os.makedirs("logs", exist_ok=True)
        log = os.open("logs/workers.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.execv(command[0], command)
    finally:
        os._exit(127)


def _umask():
    current = os.umask(0o077)
    os.umask(current)
    return current
