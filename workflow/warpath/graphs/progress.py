"""The progress of a download: a line that is updated in a terminal, else a new line every ten seconds."""

import sys
import time

from warpath.base.text import escaped

BAR_WIDTH = 24


class Progress:
    def __init__(self, name, stream=None):
        self.name, self.stream = escaped(name), stream or sys.stderr
        self.terminal = self.stream.isatty()

    def start(self, received, total):
        """`received` bytes are there from earlier attempts; `total` is None if the server does not state it."""
        self.begin, self.resumed_at, self.total = time.monotonic(), received, total
        self.last_update = self.begin
        self.say(f"from {received:,} bytes on" if received else f"{_size(total)} to fetch" if total else "fetching")

    def show(self, received):
        now = time.monotonic()
        if now - self.last_update < (0.1 if self.terminal else 10):
            return
        self.last_update = now
        rate = (received - self.resumed_at) / max(now - self.begin, 1e-3)
        amount = f"{received / self.total:4.0%} of {_size(self.total)}" if self.total else _size(received)
        line = f"{amount}, {_size(rate)}/s"
        if self.terminal:
            bar = "#" * round(BAR_WIDTH * received / self.total) if self.total else ""
            print(f"\r{self.name} [{bar:{BAR_WIDTH}}] {line}\033[K", end="", file=self.stream, flush=True)
        else:
            self.say(line)

    def end(self, received):
        self.say(f"{_size(received)} in {time.monotonic() - self.begin:.1f} s")

    def say(self, message):
        """Print a line of its own; in a terminal it replaces the bar."""
        line = f"{self.name}: {escaped(message)}"
        print(f"\r{line}\033[K" if self.terminal else line, file=self.stream)


def _size(count):
    for unit, each in (("GB", 10**9), ("MB", 10**6), ("kB", 1000)):
        if count >= each:
            return f"{count / each:.1f} {unit}"
    return f"{count:.0f} bytes"
