"""Columns of a Parquet file of ours as NumPy arrays, or one line that says why not.

`pyarrow.parquet.read_table` and `to_numpy` both import pandas, a quarter of a second that a run job cannot spare. Row
groups read one by one, and DLPack, do without.
"""

import contextlib
import itertools
import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from warpath.foundation import processor
from warpath.foundation.errors import Damaged, UserError

METADATA = b"warpath"
DTYPES = {"int32": np.int32, "int64": np.int64, "float": np.float32, "double": np.float64}


@contextlib.contextmanager
def believed(path, kind):
    """Around whatever relies on the content of the file at `path`, which ought to be `kind`."""
    import pyarrow as pa

    try:
        yield
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; the step that makes it comes first") from None
    except (OSError, pa.ArrowException, KeyError, ValueError, TypeError) as error:
        if getattr(error, "errno", None):  # not the content but the way to it: a permission, a file system that is gone
            raise UserError(f"{path}: cannot be read ({error.strerror})") from error
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise Damaged(path, f"damaged, or not {kind} ({reason})") from error


def metadata(path):
    """What the file says about itself, without reading it."""
    import pyarrow.parquet as pq

    return json.loads(pq.read_metadata(path).metadata[METADATA])


def columns(path):
    """Each column as one array, filled by threads from the file's row groups; checksums of pages are verified."""
    import pyarrow.parquet as pq

    described = pq.read_metadata(path)
    schema = described.schema.to_arrow_schema()
    arrays = {field.name: np.empty(described.num_rows, DTYPES[str(field.type)]) for field in schema}
    sizes = [described.row_group(group).num_rows for group in range(described.num_row_groups)]
    begins = [0, *itertools.accumulate(sizes)]

    def fill(first):
        file = pq.ParquetFile(path, metadata=described, page_checksum_verification=True, memory_map=True)
        for group in range(first, len(sizes), threads):
            table = file.read_row_group(group, use_threads=False)
            for name, array in arrays.items():
                _copy(table[name].chunks, array[begins[group] : begins[group + 1]])

    threads = max(1, min(processor.cores(), len(sizes)))
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(fill, range(threads)))
    return arrays


def _copy(chunks, array):
    at = 0
    for chunk in chunks:
        array[at : at + len(chunk)] = np.from_dlpack(chunk)
        at += len(chunk)
