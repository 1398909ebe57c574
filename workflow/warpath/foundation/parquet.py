"""Read the workflow's own Parquet files into NumPy arrays, without pandas, and write them in threads.

`pyarrow.parquet.read_table` and `to_numpy` both import pandas, which takes a quarter of a second in every run job.
Reading row groups one by one and converting through DLPack avoids it.

A pyarrow writer uses one thread. So each thread encodes row groups, each as a file of its own in memory; these are put
one after the other, with one footer in place of theirs. The file is the one that pyarrow would write.
"""

import collections
import contextlib
import itertools
import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from warpath.foundation import processor, thrift
from warpath.foundation.errors import Damaged, UserError

MAGIC = b"PAR1"
METADATA = b"warpath"

# Numbers of fields: of the footer, of a row group, and of a column in it.
NUM_ROWS, ROW_GROUPS = 3, 4
COLUMNS, GROUP_OFFSET = 1, 5
COLUMN_ABOUT, DATA_OFFSET = 3, 9

DTYPES = {"int32": np.int32, "int64": np.int64, "float": np.float32, "double": np.float64}


@contextlib.contextmanager
def reading(path, kind):
    """Turn errors while the file at `path` is read into a UserError; unusable content means that it is damaged.

    `kind` names what the file should be ("a prepared graph").
    """
    import pyarrow as pa

    try:
        yield
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; run the step that writes it first") from None
    except (OSError, pa.ArrowException, KeyError, ValueError, TypeError) as error:
        if getattr(error, "errno", None):  # a permission or a missing file system: the content may be right
            raise UserError(f"{path}: cannot be read ({error.strerror})") from error
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise Damaged(path, f"damaged, or not {kind} ({reason})") from error


def metadata(path):
    """Read the workflow's metadata from the file's footer."""
    import pyarrow.parquet as pq

    return json.loads(pq.read_metadata(path).metadata[METADATA])


def columns(path):
    """Read every column of numbers into one array each; threads share the row groups, page checksums are verified."""
    import pyarrow.parquet as pq

    footer = pq.read_metadata(path)
    schema = footer.schema.to_arrow_schema()
    types = {field.name: str(field.type) for field in schema if str(field.type) != "string"}
    arrays = {name: np.empty(footer.num_rows, DTYPES[type_]) for name, type_ in types.items()}
    sizes = [footer.row_group(group).num_rows for group in range(footer.num_row_groups)]
    begins = [0, *itertools.accumulate(sizes)]

    def fill(first):
        file = pq.ParquetFile(path, metadata=footer, page_checksum_verification=True, memory_map=True)
        for group in range(first, len(sizes), threads):
            table = file.read_row_group(group, columns=list(arrays), use_threads=False)
            for name, array in arrays.items():
                _copy(table[name].chunks, array[begins[group] : begins[group + 1]])

    threads = max(1, min(processor.cores(), len(sizes)))
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(fill, range(threads)))
    return arrays


def write(path, table, rows, options, metadata):
    """Write row groups of `rows` rows; `metadata()` is called once they are encoded. `options` are pyarrow's."""
    starts = range(0, max(1, len(table)), rows)
    groups, end = [], len(MAGIC)
    with open(path, "wb") as file, ThreadPoolExecutor(processor.cores()) as pool:
        file.write(MAGIC)
        for data in _ahead(pool, lambda start: _encoded(table.slice(start, rows), table.schema, options), starts):
            body, footer = _parted(data)
            groups += (_moved(group, end - len(MAGIC)) for group in footer[ROW_GROUPS][1][1])
            file.write(body)
            end += len(body)
        _, footer = _parted(_encoded(None, table.schema, options, metadata()))
        footer[ROW_GROUPS] = thrift.LIST, (thrift.STRUCT, groups)
        footer[NUM_ROWS] = thrift.I64, len(table)
        encoded = thrift.encode(footer)
        file.write(encoded + len(encoded).to_bytes(4, "little") + MAGIC)


def _ahead(pool, work, items):
    """Yield the results in order, with as many items under way as there are threads, and as many more waiting."""
    under_way = collections.deque()
    for item in items:
        if len(under_way) == 2 * processor.cores():
            yield under_way.popleft().result()
        under_way.append(pool.submit(work, item))
    while under_way:
        yield under_way.popleft().result()


def _encoded(table, schema, options, metadata=None):
    """Return a Parquet file of one row group, or of none without a table."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, schema, **options) as writer:
        if table is not None:
            writer.write_table(table, row_group_size=max(1, len(table)))
        if metadata:
            writer.add_key_value_metadata(metadata)
    return memoryview(sink.getvalue())


def _parted(data):
    """Return what is between the beginning of a file and its footer, and the footer."""
    end = len(data) - len(MAGIC) - 4
    begin = end - int.from_bytes(data[end : end + 4], "little")
    return data[len(MAGIC) : begin], thrift.decode(data[begin:end])


def _moved(group, distance):
    """Return the footer's row group with its bytes so much further on."""

    def moved(fields, place):
        return fields | {place: (thrift.I64, fields[place][1] + distance)}

    columns = [
        column | {COLUMN_ABOUT: (thrift.STRUCT, moved(column[COLUMN_ABOUT][1], DATA_OFFSET))}
        for column in group[COLUMNS][1][1]
    ]
    return moved(group, GROUP_OFFSET) | {COLUMNS: (thrift.LIST, (thrift.STRUCT, columns))}


def texts(path, name):
    """Read a column of text as a list; None if there is no such column."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        return file.read([name])[name].to_pylist() if name in file.schema_arrow.names else None


def _copy(chunks, array):
    position = 0
    for chunk in chunks:
        array[position : position + len(chunk)] = np.from_dlpack(chunk)
        position += len(chunk)
