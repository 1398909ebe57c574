"""Files that threads write are those that pyarrow writes, byte by byte."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from warpath.foundation import parquet, processor, thrift

ROWS = 1000
OPTIONS = {"compression": "none", "use_dictionary": False, "write_statistics": False, "write_page_checksum": True}
OPTIONS |= {"column_encoding": {"target": "DELTA_BINARY_PACKED"}, "store_schema": False}
METADATA = {"warpath": json.dumps({"name": "g"})}


def table_of(rows):
    random = np.random.default_rng(1)
    schema = pa.schema([("target", pa.int32()), ("x", pa.float64()), ("name", pa.string())])
    columns = random.integers(0, 1 << 30, rows, dtype=np.int32), random.random(rows), [f"n{i}" for i in range(rows)]
    return pa.table([pa.array(column) for column in columns], schema=schema)


@pytest.mark.parametrize("rows", [0, 1, ROWS, ROWS + 1, 20 * ROWS + 7])
@pytest.mark.parametrize("cores", [1, 3])
def test_threads_write_the_file_that_pyarrow_writes(rows, cores, tmp_path, monkeypatch):
    monkeypatch.setattr(processor, "cores", lambda: cores)
    table = table_of(rows)
    with pq.ParquetWriter(tmp_path / "expected", table.schema, **OPTIONS) as writer:
        writer.write_table(table, row_group_size=ROWS)
        writer.add_key_value_metadata(METADATA)
    parquet.write(tmp_path / "written", table, ROWS, OPTIONS, lambda: METADATA)
    assert (tmp_path / "written").read_bytes() == (tmp_path / "expected").read_bytes()


def test_metadata_are_asked_for_when_all_is_encoded(tmp_path):
    def metadata():
        assert (tmp_path / "written").stat().st_size > 0
        return METADATA

    parquet.write(tmp_path / "written", table_of(600 * ROWS), ROWS, OPTIONS, metadata)
    assert parquet.metadata(tmp_path / "written") == {"name": "g"}


@pytest.mark.parametrize(
    "fields",
    [
        {1: (thrift.TRUE, True), 2: (thrift.FALSE, False), 40: (thrift.I64, -(2**63)), 41: (thrift.I32, 2**31 - 1)},
        {
            1: (thrift.LIST, (thrift.I32, list(range(-20, 20)))),
            2: (thrift.BINARY, b"x" * 300),
            300: (thrift.STRUCT, {}),
        },
        {7: (thrift.DOUBLE, b"12345678"), 8: (thrift.BYTE, b"1"), 9: (thrift.LIST, (thrift.TRUE, [b"\1", b"\2"]))},
    ],
)
def test_what_is_encoded_decodes(fields):
    assert thrift.decode(thrift.encode(fields)) == fields
