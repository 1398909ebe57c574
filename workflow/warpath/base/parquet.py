"""Read the workflow's own Parquet files into NumPy arrays, without pandas.

`pyarrow.parquet.read_table` and `to_numpy` both import pandas, which takes a quarter of a second in every run job.
Reading row groups one by one and converting through DLPack avoids it.
"""

import contextlib
import itertools
import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from warpath.base import processor
from warpath.base.errors import Damaged, UserError

METADATA = b"warpath"
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


def columns(path, empty=np.empty):
    """Read every column of numbers into one array each; threads share the row groups, page checksums are verified.

    `empty(count, dtype)` returns the memory of an array.
    """
    import pyarrow.parquet as pq

    footer = pq.read_metadata(path)
    schema = footer.schema.to_arrow_schema()
    types = {field.name: str(field.type) for field in schema if str(field.type) != "string"}
    arrays = {name: empty(footer.num_rows, DTYPES[type_]) for name, type_ in types.items()}
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
