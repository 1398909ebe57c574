"""Lists of edges in Parquet, Arrow or Feather: columns by name."""

import io

import pyarrow as pa
import pyarrow.parquet as pq

from warpath.base import processor
from warpath.graphs.readers import columns, packed

VALUE = 16  # bytes, read and copied


def read(name, path, opened, use, given=None):
    file = pa.memory_map(str(path)) if opened.plain else io.BytesIO(packed.content(path, opened.file))
    names, load = (_parquet if name == "parquet" else _arrow)(path, file)
    return columns.by_name(path, names, given, use, load)


def _parquet(path, file):
    schema = pq.read_schema(file)

    def load(names):
        texts = [name for name in names if columns.is_text(schema.field(name).type)]
        stored = pq.ParquetFile(file, read_dictionary=texts)  # a text that many rows have is not repeated
        rows = stored.metadata.num_rows
        processor.require_memory(rows * VALUE * len(names), f"{path}: {rows:,} rows of {len(names)} columns")
        table = stored.read(names)
        table.validate(full=True)  # damaged places in a dictionary would be followed otherwise
        return table

    return schema.names, load


def _arrow(path, file):
    try:
        reader = pa.ipc.open_file(file)
        batches = map(reader.get_batch, range(reader.num_record_batches))
    except pa.ArrowInvalid:
        file.seek(0)
        reader = batches = pa.ipc.open_stream(file)
    read = []
    for batch in batches:
        batch.validate(full=True)  # damaged offsets of text would be followed otherwise
        read.append(batch)
        processor.require_memory(batch.nbytes, f"{path}: more than {sum(map(len, read)):,} rows")
    table = pa.Table.from_batches(read, reader.schema)
    return table.column_names, table.select
