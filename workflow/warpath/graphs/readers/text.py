"""Whole lines of a file, block by block: unpacked by this thread while others parse the blocks before."""

import ctypes
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from warpath.errors import UserError
from warpath.graphs import library
from warpath.graphs.edges import Block
from warpath.graphs.readers import packed

BLOCK = 4 << 20
SHORTEST_EDGE = 4  # bytes: "1 2\n"
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


class Text:
    """The lines of a file. `line` counts those behind us."""

    def __init__(self, path, member=None):
        self.path, self.line, self._at = path, 0, 0
        self._blocks = _whole_lines(path, member)
        self._block = next(self._blocks, bytearray())
        start = bytes(self._block[:4096]).lstrip(b"\xef\xbb\xbf \t\r\n")
        if not start:
            raise UserError(f"{path}: is empty")
        if start.startswith(b"<"):
            raise UserError(f"{path}: is a web page or XML, not a graph; delete it and look at its URL in a browser")

    def peek(self):
        """The next line, or None at the end."""
        while self._at == len(self._block):
            self._block, self._at = next(self._blocks, None), 0
            if self._block is None:
                self._block = bytearray()
                return None
        end = self._block.index(b"\n", self._at)
        return bytes(self._block[self._at : end]).rstrip(b"\r")

    def skip(self):
        self._at = self._block.index(b"\n", self._at) + 1
        self.line += 1

    def take(self):
        line = self.peek()
        if line is not None:
            self.skip()
        return line

    def skip_while(self, test):
        """Take the lines for which `test` holds."""
        taken = []
        while (line := self.peek()) is not None and test(line):
            taken.append(self.take())
        return taken

    def rest(self):
        """What is left, as (buffer, begin) pairs."""
        if self._at < len(self._block):
            yield self._block, self._at
        yield from ((block, 0) for block in self._blocks)

    def wrong(self, what, line=None):
        return UserError(f"{self.path}, line {self.line if line is None else line}: {what}")


def _whole_lines(path, member):
    """Buffers that end with a newline each."""
    with packed.told(path), packed.open_unpacked(path, member) as file:
        carry = b""
        while True:
            block = bytearray(len(carry) + BLOCK)
            block[: len(carry)] = carry
            filled = _fill(file, block, len(carry))
            if filled < len(block):  # the end of the file, with or without a final newline
                del block[filled:]
                if block and not block.endswith(b"\n"):
                    block += b"\n"
                if block:
                    yield block
                return
            cut = block.rfind(b"\n", len(carry)) + 1
            carry = bytes(block[cut:]) if cut else bytes(block)
            if cut:
                del block[cut:]
                yield block


def _fill(file, block, filled):
    view = memoryview(block)
    while filled < len(block) and (got := file.readinto(view[filled:])):
        filled += got
    view.release()
    return filled


def edge_blocks(text, dialect, seen=None):
    """Blocks of edges, the largest id and the number of lines, of all that is left of `text`."""

    def parse(buffer, begin):
        capacity = (len(buffer) - begin) // SHORTEST_EDGE + 1
        block = Block(*_arrays(capacity, dialect.weighted))
        outcome = call("parse_edges", buffer, begin, dialect, *map(library.pointer, (*block, seen)))
        return _shrunk(block, outcome), outcome

    blocks, largest = [], 0
    for block, outcome in parsed(text, parse):
        blocks.append(block)
        largest = max(largest, outcome.largest)
    return same_weights(blocks), largest


def parsed(text, parse):
    """`parse` over the blocks of `text` in order, by several threads; the first error ends it."""
    workers = library.threads()
    library.load("parse")  # built by this thread, not by each of them
    with ThreadPoolExecutor(workers) as pool:
        waiting = deque()
        try:
            for buffer, begin in text.rest():
                waiting.append((buffer, begin, pool.submit(parse, buffer, begin)))
                if len(waiting) > workers:
                    yield _finish(text, *waiting.popleft())
            while waiting:
                yield _finish(text, *waiting.popleft())
        finally:
            for *_, future in waiting:
                future.cancel()


def _finish(text, buffer, begin, future):
    block, outcome = future.result()
    if outcome.error:
        raise _complaint(text, buffer, begin, outcome)
    text.line += outcome.lines
    return block, outcome


def call(function, buffer, begin, dialect, *arguments):
    """Call a parser of parse.cpp on the buffer from `begin`."""
    outcome = _Outcome()
    view = (ctypes.c_char * len(buffer)).from_buffer(buffer)
    getattr(library.load("parse"), function)(
        ctypes.byref(view, begin),
        ctypes.c_int64(len(buffer) - begin),
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


def _arrays(capacity, weighted):
    sources, targets = np.empty(capacity, np.uint32), np.empty(capacity, np.uint32)
    return sources, targets, np.empty(capacity, np.int32) if weighted else None


def _shrunk(block, outcome):
    """Give back the memory beyond the edges that were found."""
    for array in block:
        if array is not None:
            array.resize(outcome.edges, refcheck=False)
    if outcome.fractional:
        block = block._replace(weights=block.weights.view(np.float32))
    return block


def same_weights(blocks):
    """Real weights everywhere, if anywhere."""
    if any(block.weights is not None and block.weights.dtype == np.float32 for block in blocks):
        blocks = [block._replace(weights=block.weights.astype(np.float32)) for block in blocks]
    return blocks


def _complaint(text, buffer, begin, outcome):
    at = begin + outcome.error_at
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
