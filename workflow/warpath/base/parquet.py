"""The workflow's own Parquet files: NumPy arrays as columns.

Pandas, which `read_table` and `to_numpy` import, would take a quarter of a second in every run job. Reading row groups
one by one and converting through DLPack avoids it.
"""

import contextlib
import itertools
import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from warpath.base import processor
from warpath.base.errors import Damaged, UserError
from warpath.base.files import atomic
from warpath.base.text import reason

METADATA = b"warpath"
DTYPES = {"int32": np.int32, "int64": np.int64, "float": np.float32, "double": np.float64}
ROWS_PER_GROUP = 1 << 20


@contextlib.contextmanager
def reading(path, kind):
    """Turn errors of reading `path` into a UserError: unusable content is damaged, or not of this `kind`."""
    import pyarrow as pa

    try:
        yield
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; run the step that writes it first") from None
    except (OSError, pa.ArrowException, KeyError, ValueError, TypeError) as error:
        if getattr(error, "errno", None):  # a permission or a missing file system: the content may be right
            raise UserError(f"{path}: cannot be read ({error.strerror})") from error
        raise Damaged(path, f"damaged, or not {kind} ({reason(error)})") from error


def metadata(path):
    """Read the workflow's metadata from the footer."""
    import pyarrow.parquet as pq

    return json.loads(pq.read_metadata(path).metadata[METADATA])


def columns(path):
    """Read every column of numbers into one array each; threads share the row groups, page checksums are verified."""
    import pyarrow.parquet as pq

    footer = pq.read_metadata(path)
    sizes = (footer.row_group(group).num_rows for group in range(footer.num_row_groups))
    begins = list(itertools.accumulate(sizes, initial=0))
    types = {field.name: str(field.type) for field in footer.schema.to_arrow_schema() if str(field.type) != "string"}
    arrays = {name: np.empty(begins[-1], DTYPES[type_]) for name, type_ in types.items()}

    def fill(group):
        file = pq.ParquetFile(path, metadata=footer, page_checksum_verification=True, memory_map=True)
        table = file.read_row_group(group, columns=list(arrays), use_threads=False)
        for column, array in arrays.items():
            chunks = map(np.from_dlpack, table[column].chunks)
            np.concatenate([*chunks], out=array[begins[group] : begins[group + 1]])

    with ThreadPoolExecutor(processor.cores()) as pool:
        list(pool.map(fill, range(footer.num_row_groups)))
    return arrays


def texts(path, name):
    """Read a column of text as a list; None if there is no such column."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path, page_checksum_verification=True) as file:
        return file.read([name])[name].to_pylist() if name in file.schema_arrow.names else None


def write(path, columns, metadata):
    """Write arrays by name, encoded as docs/graphs.md explains; `metadata()` is called once they are."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {name: _arrow(column) for name, column in columns.items()}
    schema = pa.schema([pa.field(name, column.type, nullable=False) for name, column in columns.items()])
    delta = {name: "DELTA_BINARY_PACKED" for name, column in columns.items() if pa.types.is_integer(column.type)}
    options = {"compression": "none", "use_dictionary": False, "column_encoding": delta, "write_statistics": False}
    options |= {"write_page_checksum": True, "store_schema": False}  # Arrow's schema would hide the metadata
    with atomic(path) as temporary, pq.ParquetWriter(temporary, schema, **options) as writer:
        writer.write_table(pa.table(list(columns.values()), schema=schema), ROWS_PER_GROUP)
        writer.add_key_value_metadata({METADATA: json.dumps(metadata())})


def _arrow(array):
    """An Arrow array over the same memory. Arrow's own conversion imports pandas: slower than writing most graphs."""
    import pyarrow as pa

    if array.dtype == object:
        return pa.array(array.tolist(), pa.string())
    array = np.ascontiguousarray(array)
    return pa.Array.from_buffers(pa.from_numpy_dtype(array.dtype), len(array), [None, pa.py_buffer(array)])
