"""Whole lines of a file, block by block: unpacked by this thread while others parse the blocks before."""

import ctypes
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from warpath.foundation import processor
from warpath.foundation.errors import UserError
from warpath.graphs import library
from warpath.graphs.readers import packed
from warpath.graphs.readers.room import Room

BLOCK = 4 << 20
SHORTEST_EDGE = 4  # bytes: "1 2\n"
LONGEST_NUMBER = 18  # digits in a header
COLUMNS = ("the line's first letter", "the first vertex", "the second vertex", "the weight", "a neighbour")


class Dialect(NamedTuple):
    """How lines of edges look; parse.cpp explains the fields."""

    comments: bytes = b"#"
    prefix: bytes = b"\0"
    separator: bytes = b" "
    strict: bool = False
    weighted: bool = False
    negative: str = "refuse"
    first: int = 0
    last: int = 2**31 - 1


class _Dialect(ctypes.Structure):
    _fields_ = (
        ("prefix", ctypes.c_char),
        ("comment", ctypes.c_char * 3),
        ("separator", ctypes.c_char),
        ("strict", ctypes.c_char),
        ("weighted", ctypes.c_char),
        ("negative", ctypes.c_char),
        ("first", ctypes.c_uint32),
        ("last", ctypes.c_uint32),
    )


class _Outcome(ctypes.Structure):
    _fields_ = (
        ("edges", ctypes.c_int64),
        ("lines", ctypes.c_int64),
        ("error_at", ctypes.c_int64),
        ("error", ctypes.c_int32),
        ("fractional", ctypes.c_int32),
        ("largest", ctypes.c_uint32),
        ("column", ctypes.c_uint32),
    )


class Lines(NamedTuple):
    """Whole lines: buffer[begin:end], of which the last byte is a newline."""

    buffer: bytearray
    begin: int
    end: int


class Text:
    """The lines of a file. `line` counts those behind us."""

    def __init__(self, path, member=None):
        self.path, self.line = path, 0
        self._spare = []  # buffers that have been parsed: memory that is touched anew for each costs as much as parsing
        self._blocks = _whole_lines(path, member, self._spare)
        self._lines = next(self._blocks, Lines(bytearray(), 0, 0))
        start = bytes(self._lines.buffer[: min(4096, self._lines.end)]).lstrip(b"\xef\xbb\xbf \t\r\n")
        if not start:
            raise UserError(f"{path}: is empty")
        if start.startswith(b"<"):
            raise UserError(f"{path}: is a web page or XML, not a graph; delete it and look at its URL in a browser")

    def peek(self):
        """The next line, or None at the end."""
        if self._lines.begin == self._lines.end:
            self._lines = next(self._blocks, None) or Lines(bytearray(), 0, 0)
        buffer, begin, end = self._lines
        if begin == end:
            return None
        return bytes(buffer[begin : buffer.index(b"\n", begin)]).rstrip(b"\r")

    def take(self):
        line = self.peek()
        if line is not None:
            buffer, begin, end = self._lines
            self._lines = Lines(buffer, buffer.index(b"\n", begin) + 1, end)
            self.line += 1
        return line

    def skip_while(self, test):
        """Take the lines for which `test` holds."""
        taken = []
        while (line := self.peek()) is not None and test(line):
            taken.append(self.take())
        return taken

    def header(self, begins, names):
        """The numbers on the next line, which begins so and then says `names`; those in brackets may be absent.

        The first number is that of the vertices.
        """
        line = self.take() or b""
        fields, names = line[len(begins) :].split(), names.split()
        counts = all(field.isdigit() and len(field) <= LONGEST_NUMBER for field in fields)
        needed = sum(not name.startswith("[") for name in names)
        if not line.startswith(begins) or not counts or not needed <= len(fields) <= len(names):
            wanted = " ".join([begins.decode(), *names]).strip()
            raise self.wrong(f"'{wanted}' should be here (found: {line.decode('utf-8', 'replace')[:60]})")
        numbers = [int(field) for field in fields]
        if not 0 < numbers[0] < 2**31:
            raise self.wrong(f"{numbers[0]:,} {names[0]}; allowed are 1 to 2^31 - 1")
        return numbers

    def rest(self):
        """What is left, block by block."""
        if self._lines.begin < self._lines.end:
            yield self._lines
        yield from self._blocks

    def reuse(self, buffer):
        self._spare.append(buffer)

    def wrong(self, what, line=None):
        return UserError(f"{self.path}, line {self.line if line is None else line}: {what}")


def _whole_lines(path, member, spare):
    with packed.told(path), packed.open_unpacked(path, member) as file:
        carry = b""
        while True:
            buffer = spare.pop() if spare and len(carry) < BLOCK // 2 else bytearray(len(carry) + BLOCK)
            buffer[: len(carry)] = carry
            end = _fill(file, buffer, len(carry))
            if end < len(buffer):  # the end of the file, with or without a final newline
                if end and buffer[end - 1] != ord("\n"):
                    buffer[end] = ord("\n")
                    end += 1
                if end:
                    yield Lines(buffer, 0, end)
                return
            cut = buffer.rfind(b"\n", len(carry)) + 1
            carry = bytes(buffer[cut:])
            if cut:
                yield Lines(buffer, 0, cut)


def _fill(file, buffer, filled):
    with memoryview(buffer) as view:
        while filled < len(buffer) and (got := file.readinto(view[filled:])):
            filled += got
    return filled


def edge_blocks(text, dialect, seen=None):
    """Blocks of edges, the largest id and the number of lines, of all that is left of `text`."""

    room = Room(dialect.weighted)

    def parse(lines):
        def fill(block):
            return call("parse_edges", lines, dialect, *map(library.pointer, (*block, seen)))

        return room.block((lines.end - lines.begin) // SHORTEST_EDGE + 1, fill)

    blocks, largest = [], 0
    for block, outcome in parsed(text, parse):
        blocks.append(block)
        largest = max(largest, outcome.largest)
    return same_weights(blocks), largest


def parsed(text, parse):
    """`parse` over the blocks of `text` in order, by several threads; the first error ends it."""
    workers = processor.cores()
    library.load("parse")  # built by this thread, not by each of them
    with ThreadPoolExecutor(workers) as pool:
        waiting = deque()
        try:
            for lines in text.rest():
                waiting.append((lines, pool.submit(parse, lines)))
                if len(waiting) > workers:
                    yield _finish(text, *waiting.popleft())
            while waiting:
                yield _finish(text, *waiting.popleft())
        finally:
            for _, future in waiting:
                future.cancel()


def _finish(text, lines, future):
    block, outcome = future.result()
    if outcome.error:
        raise _complaint(text, lines, outcome)
    text.line += outcome.lines
    text.reuse(lines.buffer)
    return block, outcome


def call(function, lines, dialect, *arguments):
    """Call a parser of parse.cpp on the lines."""
    outcome = _Outcome()
    view = (ctypes.c_char * len(lines.buffer)).from_buffer(lines.buffer)
    getattr(library.load("parse"), function)(
        ctypes.byref(view, lines.begin),
        ctypes.c_int64(lines.end - lines.begin),
        ctypes.byref(_c_dialect(dialect)),
        *arguments,
        ctypes.byref(outcome),
    )
    return outcome


def _c_dialect(dialect):
    return _Dialect(
        prefix=dialect.prefix,
        comment=(dialect.comments * 3)[:3],
        separator=dialect.separator,
        strict=bytes([dialect.strict]),
        weighted=bytes([dialect.weighted]),
        negative=bytes([("refuse", "absolute", "keep").index(dialect.negative)]),
        first=dialect.first,
        last=dialect.last,
    )


def same_weights(blocks):
    """Real weights everywhere, if anywhere."""
    if any(block.weights is not None and block.weights.dtype == np.float32 for block in blocks):
        blocks = [block._replace(weights=block.weights.astype(np.float32)) for block in blocks]
    return blocks


def _complaint(text, lines, outcome):
    buffer, at = lines.buffer, lines.begin + outcome.error_at
    start = buffer.rfind(b"\n", 0, at) + 1
    line = buffer[start : buffer.index(b"\n", at)].decode("utf-8", "replace").strip()
    shown = line if len(line) <= 60 else line[:57] + "..."
    word = buffer[at : at + 40].decode("utf-8", "replace").replace(",", " ").split()
    column = COLUMNS[outcome.column]
    reasons = {
        1: f"'{word[0] if word else ''}' is not a number where {column} should be",
        2: f"{column} is negative",
        3: f"{column} is larger than allowed here (the header's number of vertices, or 2^31 - 1)",
        4: f"the line ends before {column}",
        5: f"{column} is not a finite number",
        6: f"{column} is beyond 2^31 - 1",
        7: f"{column} is negative, which shortest paths do not allow; weights: absolute would drop the signs",
        8: "the line does not begin as this format's lines do",
        9: f"{column} is smaller than the first id of this format",
        10: "there is more on the line than this format has",
    }
    return text.wrong(f"{reasons[outcome.error]} (found: {shown})", text.line + outcome.lines + 1)
