"""Lists of edges in Parquet, Arrow or Feather: columns by name."""

import io

from warpath.foundation.errors import UserError
from warpath.foundation.text import escaped
from warpath.graphs.readers import columns


def read(name, path, opened, use, given=None):
    import pyarrow as pa

    try:
        file = pa.memory_map(str(path)) if opened.plain else io.BytesIO(opened.file.read())
        names, table = _parquet(file) if name == "parquet" else _arrow(file)
        roles = columns.match(path, names, given if isinstance(given, dict) else None)
        chosen = {role: names[place] for role, place in roles.items() if role != "weight" or use.used}
        table = table(list(dict.fromkeys(chosen.values())))
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        if getattr(error, "errno", None):
            raise
        raise UserError(f"{path}: damaged ({escaped(str(error).partition(chr(10))[0])})") from None
    source, target, weight = (_plain(table[chosen[role]]) if role in chosen else None for role in columns.NAMES)
    return columns.edges(path, source, target, weight, use, notes=[columns.described(names, roles)])


def _parquet(file):
    import pyarrow.parquet as pq

    stored = pq.ParquetFile(file)
    return stored.schema_arrow.names, lambda chosen: stored.read(chosen)


def _arrow(file):
    import pyarrow as pa

    try:
        table = pa.ipc.open_file(file).read_all()
    except pa.ArrowInvalid:
        file.seek(0)
        table = pa.ipc.open_stream(file).read_all()
    table.validate(full=True)  # damaged offsets of text would be followed otherwise
    return table.column_names, table.select


def _plain(column):
    """A column of values rather than of a dictionary of them."""
    import pyarrow as pa

    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
