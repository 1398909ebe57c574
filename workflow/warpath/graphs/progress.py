"""How far a download is: a line that changes on a terminal, a line every ten seconds elsewhere."""

import sys
import time

BAR = 24


class Progress:
    def __init__(self, name, stream=None):
        self.name, self.stream = name, stream or sys.stderr
        self.live = self.stream.isatty()

    def start(self, have, total):
        self.begun, self.first, self.total = time.monotonic(), have, total
        self.shown = self.begun
        self.say(f"from {have:,} bytes on" if have else f"{_size(total)} to fetch" if total else "fetching")

    def show(self, have):
        now = time.monotonic()
        if now - self.shown < (0.1 if self.live else 10):
            return
        self.shown = now
        rate = (have - self.first) / max(now - self.begun, 1e-3)
        line = f"{_size(have)}, {_size(rate)}/s"
        if self.total:
            line = f"{have / self.total:4.0%} of {_size(self.total)}, {_size(rate)}/s"
        if self.live:
            filled = round(BAR * have / self.total) if self.total else 0
            print(f"\r{self.name} [{'#' * filled:{BAR}}] {line}\033[K", end="", file=self.stream, flush=True)
        else:
            self.say(line)

    def end(self, have):
        seconds = time.monotonic() - self.begun
        self.say(f"{_size(have)} in {seconds:.1f} s")

    def say(self, line):
        print(
            f"{chr(13) if self.live else ''}{self.name}: {line}{chr(27) + '[K' if self.live else ''}", file=self.stream
        )


def _size(count):
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
