"""Toy commands of a server; what it imports beforehand stands in TOY_MODULES."""

import os
import signal
import sys
import time
from pathlib import Path

from warpath.warm import client

AHEAD = os.environ.get("TOY_MODULES", "").split()


def main(arguments):
    return globals()[f"command_{arguments[0]}"](*arguments[1:])


def command_say(text):
    print(text, os.environ.get("TOY"), Path.cwd(), file=sys.stderr)
    print(f"{os.getpid()} {os.getppid()}")


def command_exit(status):
    return int(status)


def command_quit(message):
    sys.exit(message)


def command_raise():
    raise RuntimeError("toy")


def command_die():
    os.kill(os.getpid(), signal.SIGKILL)


def command_sleep(file):
    """Leave a grandchild behind as well, to see that it ends."""
    grandchild = os.fork()
    if not grandchild:
        time.sleep(600)
    Path(file).write_text(f"{os.getpid()} {grandchild}")
    time.sleep(600)


def command_server():
    """Print how many threads the server has, which has imported by now whatever it was told to, and what that is."""
    print(len(list(Path("/proc", str(os.getppid()), "task").iterdir())), *sys.modules)


def command_files():
    """Print how many files this process has open."""
    print(len(list(Path("/proc/self/fd").iterdir())))


def command_ask(what, file=os.devnull, number="0"):
    """Borrow a resident and print what it answers and how it ended; kill one that is to "hang"."""
    with client.borrowed("toy:serve", ("run", int(number))) as (process, link, ending):
        link.send({"what": what})
        Path(file).write_text(str(process))
        if what == "hang":
            os.kill(process, signal.SIGKILL)
        print(process, [message["answer"] for message in link], ending())


def serve(link, kept):
    what = next(iter(link))["what"]
    kept["served"] = kept.get("served", 0) + 1
    if what == "die":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what in ("sleep", "hang"):
        time.sleep(600)
    link.send({"answer": kept["served"]})
    return what != "retire"
