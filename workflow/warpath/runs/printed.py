"""What a run prints, on its way to the log: no control characters, and of very much the first and the last part."""

import codecs
import contextlib
import os

from warpath.base.text import escaped

MOST = 256_000  # letters of the first part, and of the last


def pass_on(source, log):
    """Write what arrives at `source` until it is closed to the file `log`; a full disk costs the log alone."""
    decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
    room, last, left_out = MOST, "", 0

    def write(text):
        with contextlib.suppress(OSError):
            os.write(log, text.encode())

    with open(source, "rb", buffering=0) as arriving:
        while data := arriving.read(1 << 16):
            text = escaped(decode(data), keep="\n\t")
            write(text[:room])
            last += text[room:]
            room = max(0, room - len(text))
            left_out += max(0, len(last) - MOST)
            last = last[-MOST:]
        if left_out:
            write(f"\n[{left_out:,} letters are left out here]\n")
        write(last)
