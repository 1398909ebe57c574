"""Lists of edges in Parquet, Arrow or Feather: columns by name."""

import contextlib
import io

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from warpath.base import processor
from warpath.base.errors import UserError
from warpath.base.text import reason
from warpath.graphs.readers import columns, packed

VALUE = 16  # bytes, read and copied


def read(name, path, opened, use, given=None):
    try:
        file = pa.memory_map(str(path)) if opened.plain else io.BytesIO(packed.content(path, opened.file))
        names, table = (_parquet if name == "parquet" else _arrow)(path, file)
        roles = columns.match(path, names, given if isinstance(given, dict) else None)
        chosen = {role: names[place] for role, place in roles.items() if role != "weight" or use.used}
        table = table(chosen)
        source, target = _ends(*(table[chosen[end]] for end in ("source", "target")))
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if getattr(error, "errno", None):
            raise
        raise UserError(f"{path}: damaged ({reason(error)})") from None
    weight = _values(table[chosen["weight"]]) if "weight" in chosen else None
    return columns.edges(path, source, target, weight, use, notes=[columns.described(names, roles)])


def _parquet(path, file):
    schema = pq.read_schema(file)

    def read(chosen):
        ends = {chosen["source"], chosen["target"]}
        texts = [name for name in ends if columns.is_text(schema.field(name).type)]
        stored = pq.ParquetFile(file, read_dictionary=texts)  # a text that many rows have is not repeated
        rows = stored.metadata.num_rows
        processor.require_memory(rows * VALUE * len(chosen), f"{path}: {rows:,} rows of {len(chosen)} columns")
        return stored.read(list({*chosen.values()}))

    return schema.names, read


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
    return table.column_names, lambda chosen: table.select(list({*chosen.values()}))


def _values(column):
    """A column of values rather than of a dictionary of them."""
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _ends(*both):
    """Both columns of vertices; numbers where both are, because beside names 07 is another vertex than 7."""
    found = [_ids(column) for column in both]
    named = {pa.types.is_dictionary(column.type) or columns.is_text(column.type) for column in found}
    return found if len(named) == 1 else [_values(column) for column in both]


def _ids(column):
    """A column of values, or a dictionary of texts that are not all numbers."""
    if not (pa.types.is_dictionary(column.type) and columns.is_text(column.type.value_type)):
        return _values(column)
    column.validate(full=True)  # damaged places in the dictionary would be followed otherwise
    chunks = column.chunks
    for shorten in (lambda chunk: chunk, _used):
        chunks = [shorten(chunk) for chunk in chunks]
        with contextlib.suppress(pa.ArrowInvalid):
            numbers = [chunk.dictionary.cast(pa.int64()).take(chunk.indices) for chunk in chunks]
            return pa.chunked_array(numbers, pa.int64())
    return pa.chunked_array(chunks, column.type)


def _used(chunk):
    """A chunk whose dictionary has only what its rows use."""
    used = chunk.indices.unique().drop_null()
    return pa.DictionaryArray.from_arrays(
        pc.index_in(chunk.indices, value_set=used).cast(chunk.type.index_type), chunk.dictionary.take(used)
    )
