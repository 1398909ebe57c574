"""A server of toy commands: `python toy.py FOLDER WORKFLOW`; what it imports beforehand stands in TOY_MODULES."""

import contextlib
import mmap
import os
import signal
import sys
import time
from pathlib import Path

from warpath.warm import address, memory, resident, server


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
        time.sleep(60)
    Path(file).write_text(f"{os.getpid()} {grandchild}")
    time.sleep(60)


def command_threads():
    """How many threads the server has, which has imported by now whatever it was told to."""
    print(len(list(Path("/proc", str(os.getppid()), "task").iterdir())))


def command_modules():
    print(" ".join(sys.modules))


def command_ask(what, file=os.devnull):
    """Borrow a resident and print what it answers and how it ended."""
    with resident.borrowed("toy", "toy:serve") as borrowed:
        Path(file).write_text(str(borrowed.process))
        borrowed.link.send({"what": what})
        answers = [message["answer"] for message in borrowed.link]
        print(borrowed.process, answers, borrowed.ending(), *["waited"] * (borrowed.waited > 0.1))


def command_hang(file):
    """Borrow a resident that never answers, and kill it."""
    with resident.borrowed("toy", "toy:serve") as borrowed:
        borrowed.link.send({"what": "sleep"})
        Path(file).write_text(str(borrowed.process))
        borrowed.kill()
        print(borrowed.process, borrowed.ending())


def command_share(name, text):
    """Share a text, and print what is there under that name and how often it was read; keep the text "held"."""
    calls, held = [], []

    def read(empty):
        calls.append(1)
        filled = empty(len(text), "uint8")
        filled[:] = list(text.encode())
        if text == "held":
            held.append(filled)
        return {"text": text}, [filled, b"ab", b""]

    about, buffers = memory.shared(name, read)
    print(about["text"], *(bytes(buffer).decode() for buffer in buffers[:2]), len(buffers[2]), len(calls))


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


def command_alone():
    with resident.borrowed("toy", "toy:serve") as borrowed:
        print(borrowed)


def serve(link, kept):
    what = next(iter(link))["what"]
    kept["served"] = kept.get("served", 0) + 1
    if what == "die":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "sleep":
        time.sleep(60)
    while what.startswith("/") and not Path(what).exists():
        time.sleep(0.005)
    link.send({"answer": kept["served"]})
    return what != "retire"


if __name__ == "__main__":
    sys.modules["toy"] = sys.modules["__main__"]
    with contextlib.suppress(KeyboardInterrupt):
        server.serve(sys.argv[1], int(sys.argv[2]), run, os.environ.get("TOY_MODULES", "").split())
