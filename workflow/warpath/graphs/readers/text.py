"""Read a text file in blocks of whole lines: this thread unpacks the next blocks while others parse."""

import ctypes
import itertools
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from warpath.base import processor
from warpath.base.errors import UserError
from warpath.base.text import escaped as printable
from warpath.graphs import library
from warpath.graphs.blocks import LARGEST, Block
from warpath.graphs.readers import magic, packed

BLOCK = 4 << 20
BOM = b"\xef\xbb\xbf"
SHORTEST_EDGE = 4  # bytes: "1 2\n"
MEMORY_OF_A_BYTE = 6  # bytes: 12 for each neighbour in "1 1 1 "
LONGEST_NUMBER = 40  # digits in a header
MOST_FIELDS = 8  # of a header
NEGATIVE = ("refuse", "absolute", "keep")  # what becomes of a negative weight, as in parse.hpp
COLUMNS = ("the line's first letter", "the first vertex", "the second vertex", "the weight", "a neighbour")
ID_TOO_LARGE = 3
REASONS = {  # by the number of the error in parse.hpp
    1: "'{word}' is not a number where {column} should be",
    2: "{column} is negative",
    3: "{column} is larger than {last}",
    4: "the line ends before {column}",
    5: "{column} is not a finite number",
    6: "{column} is beyond 2^31 - 1",
    7: "{column} is negative, which shortest paths do not allow; weights: absolute drops the signs",
    8: "the line does not begin with the letter that this format requires",
    9: "{column} is smaller than the first id of this format",
    10: "there is more on the line than this format allows",
    11: "{column} becomes 0 when it is rounded; weights: {{scale: ...}} takes a larger factor",
}


class WideIds(UserError):
    """An id is too large for a plain read, or for any: that `word`."""

    def __init__(self, message, word=""):
        super().__init__(message)
        self.word = word


class Dialect(ctypes.Structure):
    """The syntax of a line of edges; the struct Dialect in parse.hpp explains the fields, in this order."""

    _fields_ = (
        ("comments", ctypes.c_char * 3),
        ("prefix", ctypes.c_char),
        ("separator", ctypes.c_char),
        ("strict", ctypes.c_bool),
        ("weighted", ctypes.c_bool),
        ("negative", ctypes.c_uint8),
        ("first", ctypes.c_uint32),
        ("last", ctypes.c_uint32),
        ("scale", ctypes.c_double),
    )

    def __init__(self, use, comments, separator=b" ", last=LARGEST, **more):
        negative, scale = NEGATIVE.index(use.negative), use.scale
        super().__init__((comments * 3)[:3], separator=separator, last=last, negative=negative, scale=scale, **more)


class Outcome(ctypes.Structure):
    """What became of a block, as in parse.hpp."""

    _fields_ = tuple((name, ctypes.c_int64) for name in ("edges", "lines", "error_at", "rounded"))
    _fields_ += tuple((name, ctypes.c_uint32) for name in ("error", "fractional", "largest", "column"))
    last = 0  # the largest id that the dialect allows


class Lines(NamedTuple):
    """Whole lines, buffer[begin:end]; the last byte is a newline."""

    buffer: bytearray
    begin: int
    end: int


def escaped(line, longest=60):
    """Return bytes or text for a message, with control characters escaped."""
    shown = line[: 8 * longest]
    shown = (shown.decode("utf-8", "replace") if isinstance(shown, bytes) else shown).strip()
    return printable(shown if len(shown) <= longest else shown[: longest - 3] + "...")


class Text:
    """The lines of a file, taken one by one or in blocks. `line` is the number of the last line taken."""

    def __init__(self, path, *how, opened=None):
        opened = opened or packed.open_unpacked(path, *how)
        self.path, self.how, self.name, self.line = path, how, opened.name, 0
        self.spare = []  # buffers to use again: fresh memory for each block would take as long as the parsing
        self._blocks = _whole_lines(path, opened.file, self.spare)
        self._lines = next(self._blocks, Lines(bytearray(), 0, 0))
        if self._lines.buffer.startswith(BOM):
            self._lines = self._lines._replace(begin=len(BOM))
        start = bytes(self._lines.buffer[self._lines.begin : min(packed.SAMPLE, self._lines.end)])
        if not start.strip():
            raise UserError(f"{path}: the file is empty")
        if kind := magic.unreadable(start, path):
            raise UserError(f"{path}: {kind}")
        self.skip_while(lambda line: not line.strip())

    def again(self, line):
        """Return the text once more, with so many lines taken."""
        text = Text(self.path, *self.how)
        while text.line < line:
            text.take()
        return text

    def peek(self):
        """Return the next line without taking it; None at the end."""
        if self._lines.begin == self._lines.end:
            self._lines = next(self._blocks, None) or Lines(bytearray(), 0, 0)
        buffer, begin, end = self._lines
        if begin == end:
            return None
        return bytes(buffer[begin : buffer.index(b"\n", begin)]).rstrip(b"\r")

    def ahead(self, count):
        """Return up to `count` of the next lines without taking them, fewer at the end of a block."""
        buffer, begin, end = self._lines
        return bytes(buffer[begin : min(end, begin + 128 * count)]).split(b"\n")[:count]

    def take(self):
        line = self.peek()
        if line is not None:
            buffer, begin, end = self._lines
            self._lines = Lines(buffer, buffer.index(b"\n", begin) + 1, end)
            self.line += 1
        return line

    def skip_while(self, test):
        """Take lines as long as `test` holds, and return them."""
        taken = []
        while (line := self.peek()) is not None and test(line):
            taken.append(self.take())
        return taken

    def header(self, prefix, names):
        """Take a line of `prefix` and numbers called `names`, and return the numbers, the number of vertices first.

        Names in brackets are optional.
        """
        line = self.take() or b""
        fields, names = line[len(prefix) :].split(maxsplit=MOST_FIELDS), names.split()
        digits = all(field.isdigit() and len(field) <= LONGEST_NUMBER for field in fields)
        required = sum(not name.startswith("[") for name in names)
        if not line.lower().startswith(prefix) or not digits or not required <= len(fields) <= len(names):
            syntax = " ".join([prefix.decode(), *names]).strip()
            raise self.error(f"expected '{syntax}', found '{escaped(line)}'")
        numbers = [int(field) for field in fields]
        if not 0 < numbers[0] <= LARGEST:
            raise self.error(f"{numbers[0]:,} {names[0]}; allowed are 1 to 2^31 - 1")
        return numbers

    def rest(self):
        """Yield the remaining lines in blocks, and ask for the memory of each block's edges before."""
        for lines in itertools.chain([self._lines], self._blocks):
            needed = (lines.end - lines.begin) * MEMORY_OF_A_BYTE
            processor.require_memory(needed, f"{self.path}: the edges after line {self.line:,}")
            if needed:
                yield lines

    def error(self, message, line=None, kind=UserError):
        """An error about the last line taken, or about `line`."""
        return kind(f"{self.path}, line {self.line if line is None else line}: {message}")


def _whole_lines(path, file, spare):
    with packed.unpacking(path), file:
        carry = b""  # twice as much is read each time that a line goes on, so that long lines take linear time
        while True:
            if spare and len(carry) < BLOCK // 2:
                buffer = spare.pop()
            else:
                size = len(carry) + max(BLOCK, len(carry))
                if len(carry) >= BLOCK // 2:
                    processor.require_memory(size, f"{path}: a line of more than {len(carry):,} bytes")
                buffer = bytearray(size)
            buffer[: len(carry)] = carry
            end = len(carry) + file.readinto(memoryview(buffer)[len(carry) :])
            is_last = end < len(buffer)
            if is_last and end and buffer[end - 1] != ord("\n"):
                buffer[end] = ord("\n")
                end += 1
            cut = end if is_last else buffer.rfind(b"\n", len(carry)) + 1
            if cut:
                yield Lines(buffer, 0, cut)
            if is_last:
                return
            carry = bytes(buffer[cut:])


def edge_blocks(text, dialect, more=None, parser=("parse", "parse_edges"), shortest=SHORTEST_EDGE):
    """Return the edges on the remaining lines in blocks, the outcome of each, and how many weights were rounded.

    `parser` is a library and its function, which gets `more` after the columns of a block. An edge has at least
    `shortest` bytes.
    """

    def parse(lines):
        capacity = (lines.end - lines.begin) // shortest + 1
        dtypes = np.uint32, np.uint32, np.int32 if dialect.weighted else None
        columns = [dtype and np.empty(capacity, dtype) for dtype in dtypes]
        outcome = call_parser(parser, lines, dialect, *columns, more)
        block = Block(*(None if column is None else column[: outcome.edges].copy() for column in columns))
        return block._replace(weights=block.weights.view(np.float32)) if outcome.fractional else block, outcome

    parsed = list(parse_blocks(text, parse))
    blocks, outcomes = [block for block, _ in parsed], [outcome for _, outcome in parsed]
    rounded = sum(outcome.rounded for outcome in outcomes)
    if any(outcome.fractional for outcome in outcomes):
        floats = [block.weights.astype(np.float32) for block in blocks]
        rounded += sum(int(np.count_nonzero(new != block.weights)) for new, block in zip(floats, blocks, strict=True))
        blocks = [block._replace(weights=new) for new, block in zip(floats, blocks, strict=True)]
    return blocks, outcomes, rounded


def parse_blocks(text, parse):
    """Yield `parse(lines)` for the remaining blocks, in order, computed by several threads; stop at the first error.

    It returns what it has read, and an Outcome.
    """
    workers = processor.cores()
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
    """Return what was read and the outcome; raise the error, if there is one, with its line."""
    block, outcome = future.result()
    if not outcome.error:
        text.line += outcome.lines
        text.spare.append(lines.buffer)
        return block, outcome
    buffer, position = lines.buffer, lines.begin + outcome.error_at
    begin = buffer.rfind(b"\n", 0, position) + 1
    line = escaped(bytes(buffer[begin : buffer.index(b"\n", position)]))
    words = bytes(buffer[position : position + 40]).replace(b",", b" ").split()
    word = escaped(words[0]) if words else ""
    last = f"the {outcome.last:,} vertices of the header" if outcome.last < LARGEST else "2^63 - 1"
    reason = REASONS[outcome.error].format(word=word, column=COLUMNS[outcome.column], last=last)
    kind = WideIds if outcome.error == ID_TOO_LARGE else UserError
    raise text.error(f"{reason} (found: {line})", text.line + outcome.lines + 1, kind)


def call_parser(parser, lines, dialect, *arguments):
    outcome = Outcome()
    outcome.last = dialect.last
    view = (ctypes.c_char * len(lines.buffer)).from_buffer(lines.buffer)
    block = ctypes.byref(view, lines.begin), lines.end - lines.begin
    library.call(*parser, *block, ctypes.byref(dialect), *arguments, ctypes.byref(outcome))
    return outcome
