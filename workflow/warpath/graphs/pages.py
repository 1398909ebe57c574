"""Write and read the columns of Parquet files, a page for each column and group of rows, with all cores.

Arrow encodes on one thread and copies what it decodes, which takes longer than sorting a graph. Files are plain
Parquet: integers as DELTA_BINARY_PACKED (native/delta.cpp), everything else as PLAIN, with checksums of pages.
"""

import ctypes
import os
import threading
import zlib
from collections import deque
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from warpath.foundation import parquet, processor
from warpath.foundation.files import atomic
from warpath.graphs import library, thrift
from warpath.graphs.library import int64, pointer
from warpath.graphs.thrift import BINARY, I32, I64, LIST, STRUCT, struct

MAGIC = b"PAR1"
PLAIN, RLE, DELTA = 0, 3, 5  # encodings
TYPES = {np.dtype(np.int32): 1, np.dtype(np.int64): 2, np.dtype(np.float32): 4, np.dtype(np.float64): 5}
TEXT = 6  # the type of bytes
UTF8 = 0  # its converted type
READ_BEYOND = 16  # bytes that native/delta.cpp may read behind a page

try:
    from isal.isal_zlib import crc32
except ImportError:  # no wheel for this platform
    crc32 = zlib.crc32


def write(path, columns, metadata, rows_per_group):
    """Write a Parquet file; `metadata()`, text by key, is called once the columns are encoded."""
    rows = len(next(iter(columns.values())))
    groups = []
    with atomic(path) as temporary, open(temporary, "wb") as file:
        file.write(MAGIC)
        for begin, chunks in _encoded(columns, rows, rows_per_group):
            groups.append(_group(columns, file.tell(), min(rows_per_group, rows - begin), map(len, chunks)))
            for chunk in chunks:
                file.write(chunk)
        footer = _footer(columns, rows, groups, metadata())
        file.write(footer + len(footer).to_bytes(4, "little") + MAGIC)


def _encoded(columns, rows, rows_per_group):
    """Yield the first row and the encoded columns of each group, in order; few are ahead of the disk."""
    scratch, waiting = threading.local(), deque()

    def encode(begin):
        return begin, [_page(column[begin : begin + rows_per_group], scratch) for column in columns.values()]

    with ThreadPoolExecutor(processor.cores()) as pool:
        for begin in range(0, rows, rows_per_group):
            waiting.append(pool.submit(encode, begin))
            if len(waiting) > 2 * processor.cores():
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _page(values, scratch):
    encoding = DELTA if values.dtype.kind == "i" else PLAIN
    content = _delta(values, scratch) if encoding == DELTA else _plain(values)
    checksum = crc32(content)
    counts = struct((1, I32, len(values)), (2, I32, encoding), (3, I32, RLE), (4, I32, RLE))
    sizes = (2, I32, len(content)), (3, I32, len(content))
    header = struct((1, I32, 0), *sizes, (4, I32, checksum - (checksum >> 31 << 32)), (5, STRUCT, counts))
    return header + content


def _delta(values, scratch):
    values = np.ascontiguousarray(values)
    room = (len(values) + 128) * values.itemsize * 9 // 8
    if getattr(scratch, "room", 0) < room:
        scratch.room, scratch.bytes = room, np.empty(room, np.uint8)
    encode = library.load("delta").encode_delta
    encode.restype = ctypes.c_int64
    size = encode(pointer(values), int64(len(values)), values.itemsize, pointer(scratch.bytes))
    return scratch.bytes[:size].tobytes()


def _plain(values):
    if values.dtype != object:
        return values.tobytes()
    texts = (text.encode() for text in values.tolist())
    return b"".join(part for text in texts for part in (len(text).to_bytes(4, "little"), text))


def _group(columns, offset, rows, sizes):
    chunks, total = [], 0
    for (name, column), size in zip(columns.items(), sizes, strict=True):
        encodings = [RLE, DELTA if column.dtype.kind == "i" else PLAIN]
        described = struct(
            (1, I32, TYPES.get(column.dtype, TEXT)), (2, LIST, (I32, encodings)), (3, LIST, (BINARY, [name.encode()])),
            (4, I32, 0), (5, I64, rows), (6, I64, size), (7, I64, size), (9, I64, offset + total),
        )  # fmt: skip
        chunks.append(struct((2, I64, 0), (3, STRUCT, described)))
        total += size
    return struct((1, LIST, (STRUCT, chunks)), (2, I64, total), (3, I64, rows))


def _footer(columns, rows, groups, metadata):
    schema = [struct((4, BINARY, b"schema"), (5, I32, len(columns)))]
    for name, column in columns.items():
        text = UTF8 if column.dtype == object else None
        type_ = TYPES.get(column.dtype, TEXT)
        schema.append(struct((1, I32, type_), (3, I32, 0), (4, BINARY, name.encode()), (6, I32, text)))
    pairs = [struct((1, BINARY, key.encode()), (2, BINARY, text.encode())) for key, text in metadata.items()]
    return struct((1, I32, 2), (2, LIST, (STRUCT, schema)), (3, I64, rows), (4, LIST, (STRUCT, groups)),
                  (5, LIST, (STRUCT, pairs)), (6, BINARY, b"warpath"))  # fmt: skip


def columns(path):
    """Read every column of numbers into an array; checksums are verified, and threads share the groups of rows."""
    import pyarrow.parquet as pq

    footer = pq.read_metadata(path)
    fields = [field for field in footer.schema.to_arrow_schema() if str(field.type) != "string"]
    if not _plain_pages(footer):
        return parquet.columns(path)
    arrays = {field.name: np.empty(footer.num_rows, parquet.DTYPES[str(field.type)]) for field in fields}
    sizes = [footer.row_group(group).num_rows for group in range(footer.num_row_groups)]
    begins = np.cumsum([0, *sizes]).tolist()

    def fill(first):
        with open(path, "rb", buffering=0) as file:
            buffer = bytearray()
            for group in range(first, len(sizes), threads):
                for place, array in _chunks(footer.row_group(group), arrays):
                    buffer = _read(file, place, buffer)
                    _decode(buffer, place[1], array[begins[group] : begins[group + 1]])

    threads = max(1, min(processor.cores(), len(sizes)))
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(fill, range(threads)))
    return arrays


def _plain_pages(footer):
    """Whether pages are as this module writes them, and as Arrow does with the same options."""
    group = footer.row_group(0) if footer.num_row_groups else None
    chunks = [group.column(number) for number in range(footer.num_columns)] if group else []
    return all(
        chunk.compression == "UNCOMPRESSED"
        and not chunk.has_dictionary_page
        and set(chunk.encodings) <= {"PLAIN", "RLE", "DELTA_BINARY_PACKED"}
        and footer.schema.column(number).max_definition_level == 0
        for number, chunk in enumerate(chunks)
    )


def _chunks(group, arrays):
    """Yield where the columns of a group of rows are, (offset, bytes), each with its array."""
    for number in range(group.num_columns):
        chunk = group.column(number)
        if chunk.path_in_schema in arrays:
            yield (chunk.data_page_offset, chunk.total_compressed_size), arrays[chunk.path_in_schema]


def _read(file, place, buffer):
    """Return a buffer that begins with the bytes at that place."""
    offset, size = place
    if len(buffer) < size + READ_BEYOND:
        buffer = bytearray(size + READ_BEYOND)
    with memoryview(buffer) as view:
        done = 0
        while done < size and (count := os.preadv(file.fileno(), [view[done:size]], offset + done)):
            done += count
    if done < size:
        raise ValueError(f"{size - done:,} bytes are missing")
    return buffer


def _decode(buffer, size, array):
    """Decode the pages of a column in a group of rows."""
    decode, row, at = library.load("delta").decode_delta, 0, 0
    content = np.frombuffer(buffer, np.uint8)
    while row < len(array):
        try:
            header, at = thrift.read_struct(buffer, at)
        except (IndexError, RecursionError):
            raise ValueError("the header of a page is cut off") from None
        kind, length, (count, encoding) = header[1], header[3], (header[5][1], header[5][2])
        if kind or not 0 <= length <= size - at or not 0 < count <= len(array) - row:
            raise ValueError("the header of a page does not fit the file")
        page, numbers = content[at : at + length], array[row : row + count]
        if 4 in header and crc32(page) != header[4] & 0xFFFFFFFF:
            raise ValueError("a page does not have its checksum")
        if encoding == PLAIN:
            numbers[:] = page.view(array.dtype)
        elif encoding != DELTA or not decode(
            pointer(page), int64(length), array.itemsize, pointer(numbers), int64(count)
        ):
            raise ValueError("a page is not encoded as the file says")
        row, at = row + count, at + length
    return array
