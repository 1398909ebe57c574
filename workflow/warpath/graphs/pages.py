"""Write columns of integers as a Parquet file: the one that Arrow would write, byte by byte.

Arrow encodes in one thread, and takes longer than it takes to sort a graph. native/pages.cpp encodes the pages in
threads, each a group of rows; this module puts them one after the other, and the footer behind them.
"""

import collections
import ctypes
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from warpath.base import processor
from warpath.graphs import library, thrift
from warpath.graphs.library import int64, pointer
from warpath.graphs.thrift import BINARY, I32, I64, LIST, STRUCT

MAGIC = b"PAR1"
TYPES = {np.dtype(np.int32): 1, np.dtype(np.int64): 2}
REQUIRED, DATA_PAGE = 0, 0
RLE, DELTA = 3, 5  # encodings, the former of levels, which required columns do not have


class Encoded(NamedTuple):
    """A group of rows; `sizes` has the bytes of each column."""

    rows: int
    sizes: list
    buffer: np.ndarray


def can_write(columns):
    """Whether all columns are integers, and have rows."""
    return all(column.dtype in TYPES and len(column) for column in columns.values())


def write(path, columns, rows_per_group, metadata):
    """Write the columns, arrays by name; `metadata()`, a string by key, is called once they are encoded."""
    columns = {name: np.ascontiguousarray(column) for name, column in columns.items()}
    rows = len(next(iter(columns.values())))
    spare, groups, end = [], [], len(MAGIC)

    def encode(first):
        return _encode([column[first : first + rows_per_group] for column in columns.values()], spare)

    with open(path, "wb") as file, ThreadPoolExecutor(processor.cores()) as pool:
        file.write(MAGIC)
        for encoded in _ahead(pool, encode, range(0, rows, rows_per_group)):
            groups.append(_group(columns, encoded, end))
            size = sum(encoded.sizes)
            file.write(encoded.buffer[:size].data)
            spare.append(encoded.buffer)
            end += size
        footer = _footer(columns, rows, groups, metadata())
        file.write(footer + len(footer).to_bytes(4, "little") + MAGIC)


def _ahead(pool, work, items):
    """Yield the results in order, with as many items under way as there are threads, and as many more waiting."""
    under_way = collections.deque()
    for item in items:
        if len(under_way) == 2 * processor.cores():
            yield under_way.popleft().result()
        under_way.append(pool.submit(work, item))
    while under_way:
        yield under_way.popleft().result()


def _encode(columns, spare):
    """Encode a group of rows in a buffer, one of the `spare` ones if there is any: fresh memory takes time."""
    native = library.load("pages")
    native.room_for.restype = native.encode_pages.restype = ctypes.c_int64
    room = sum(native.room_for(int64(len(column)), column.itemsize) for column in columns)
    try:
        buffer, sizes = spare.pop(), []
    except IndexError:
        buffer, sizes = np.empty(room, np.uint8), []
    for column in columns:
        into = pointer(buffer[sum(sizes) :])
        sizes.append(native.encode_pages(pointer(column), int64(len(column)), column.itemsize, into))
    return Encoded(len(columns[0]), sizes, buffer)


def _group(columns, encoded, offset):
    """Describe a group of rows that begins at `offset` of the file."""
    chunks, at = [], offset
    pages = library.load("pages").pages_for(int64(encoded.rows))
    for (name, column), size in zip(columns.items(), encoded.sizes, strict=True):
        counted = {1: (I32, DATA_PAGE), 2: (I32, DELTA), 3: (I32, pages)}
        described = {
            1: (I32, TYPES[column.dtype]),
            2: (LIST, (I32, [RLE, DELTA])),
            3: (LIST, (BINARY, [name.encode()])),
            4: (I32, 0),  # not compressed
            5: (I64, encoded.rows),
            6: (I64, size),
            7: (I64, size),
            9: (I64, at),
            13: (LIST, (STRUCT, [counted])),
        }
        chunks.append({2: (I64, 0), 3: (STRUCT, described)})
        at += size
    size = at - offset
    return {
        1: (LIST, (STRUCT, chunks)),
        2: (I64, size),
        3: (I64, encoded.rows),
        5: (I64, offset),
        6: (I64, size),
    }


def _footer(columns, rows, groups, metadata):
    import pyarrow as pa

    schema = [{3: (I32, REQUIRED), 4: (BINARY, b"schema"), 5: (I32, len(columns))}]
    for name, column in columns.items():
        schema.append({1: (I32, TYPES[column.dtype]), 3: (I32, REQUIRED), 4: (BINARY, name.encode())})
    pairs = [{1: (BINARY, key.encode()), 2: (BINARY, text.encode())} for key, text in metadata.items()]
    ascending = {1: (STRUCT, {})}
    return thrift.encode(
        {
            1: (I32, 2),  # the version of the format
            2: (LIST, (STRUCT, schema)),
            3: (I64, rows),
            4: (LIST, (STRUCT, groups)),
            5: (LIST, (STRUCT, pairs)),
            6: (BINARY, f"parquet-cpp-arrow version {pa.__version__}".encode()),
            7: (LIST, (STRUCT, [ascending] * len(columns))),
        }
    )
