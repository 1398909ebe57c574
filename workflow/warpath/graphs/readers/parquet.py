"""Lists of edges in Parquet: columns by name."""

import io

import pyarrow as pa
import pyarrow.parquet as pq

from warpath.base import processor
from warpath.graphs.readers import columns, packed

VALUE = 16  # bytes, read and copied


def read(name, path, opened, use, given=None):
    file = pa.memory_map(str(path)) if opened.plain else io.BytesIO(packed.content(path, opened.file))
    schema = pq.read_schema(file)

    def load(names):
        texts = [name for name in names if columns.is_text(schema.field(name).type)]
        stored = pq.ParquetFile(file, read_dictionary=texts)  # a text that many rows have is not repeated
        rows = stored.metadata.num_rows
        processor.require_memory(rows * VALUE * len(names), f"{path}: {rows:,} rows of {len(names)} columns")
        table = stored.read(names)
        table.validate(full=True)  # damaged places in a dictionary would be followed otherwise
        return table

    return columns.by_name(path, schema.names, given, use, load)
