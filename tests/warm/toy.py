"""A server of toy commands: `python toy.py WORKFLOW`; what it imports beforehand stands in TOY_MODULES."""

import contextlib
import mmap
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np

from warpath.base import processor
from warpath.warm import address, client, memory, server


def run(arguments):
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


def command_ask(what, file=os.devnull):
    """Borrow a resident and print what it answers and how it ended; kill one that is to "hang"."""
    with client.borrowed("toy:serve") as (process, link, ending):
        link.send({"what": what})
        Path(file).write_text(str(process))
        if what == "hang":
            os.kill(process, signal.SIGKILL)
        print(process, [message["answer"] for message in link], ending())


def command_share(name, text):
    """Share a text, and print what is there under that name and how often it was read; keep the text "held"."""
    calls, held = [], []

    def read(empty):
        calls.append(1)
        filled = empty(len(text), "uint8")
        filled[:] = list(text.encode())
        if text == "held":
            held.append(filled)
        return {"text": text}, {"filled": filled, "elsewhere": np.arange(2), "none": np.empty(0, "int32")}

    about, arrays = memory.shared(name, read)
    print(about["text"], bytes(arrays.pop("filled")).decode(), *(str(each) for each in arrays.values()), len(calls))


def command_overwrite(name):
    """Print the pages of what is shared, and try to write to it."""
    with address.server() as link:
        link.send({"take": name})
        next(iter(link))
        (file,) = link.take_files()
        print(os.fstat(file).st_size // mmap.PAGESIZE)
        for attempt in (lambda: os.pwrite(file, b"x", 0), lambda: mmap.mmap(file, 0)):
            try:
                attempt()
                print("written")
            except PermissionError:
                print("refused")


def serve(link, kept):
    what = next(iter(link))["what"]
    kept["served"] = kept.get("served", 0) + 1
    if what == "die":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what in ("sleep", "hang"):
        time.sleep(600)
    link.send({"answer": kept["served"]})
    return what != "retire"


if __name__ == "__main__":
    sys.modules["toy"] = sys.modules["__main__"]
    server.SHARED = 20_000 / processor.free_bytes()
    with contextlib.suppress(KeyboardInterrupt):
        server.serve(int(sys.argv[1]), run, os.environ.get("TOY_MODULES", "").split())
