"""Files that the workflow writes are Parquet for Arrow, too, and those of Arrow are read."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from warpath.foundation import parquet
from warpath.foundation.errors import UserError
from warpath.graphs import library, pages
from warpath.graphs.library import int64, pointer

DELTA = "DELTA_BINARY_PACKED"


def columns(rows):
    """Numbers of every width, ends of ranges, fractions and text."""
    draw = np.random.default_rng(rows)
    wide = [draw.integers(-(2**bits), 2**bits, rows, dtype=np.int64) for bits in range(63)]
    narrow = [column.astype(np.int32) for column in wide[:31]]
    ends = [draw.choice([np.iinfo(kind).min, np.iinfo(kind).max], rows).astype(kind) for kind in (np.int32, np.int64)]
    fractions = [draw.random(rows).astype(kind) for kind in (np.float32, np.float64)]
    numbers = {f"c{place}": column for place, column in enumerate(wide + narrow + ends + fractions)}
    return numbers | {"name": np.array(["", "a", "é", "x" * 300], object)[draw.integers(0, 4, rows)]}


def require_same(read, written):
    for name, column in written.items():
        assert read[name].dtype == column.dtype
        np.testing.assert_array_equal(read[name], column)


@pytest.mark.parametrize("rows", [0, 1, 2, 33, 129, 700])
def test_arrow_reads_what_is_written(tmp_path, rows):
    written = columns(rows)
    pages.write(tmp_path / "t", written, lambda: {"key": "é"}, rows_per_group=256)
    table = pq.read_table(tmp_path / "t", page_checksum_verification=True)
    assert table.schema.metadata[b"key"].decode() == "é"
    assert table["name"].to_pylist() == written.pop("name").tolist()
    require_same({name: table[name].to_numpy() for name in written}, written)
    require_same(pages.columns(tmp_path / "t"), written)


@pytest.mark.parametrize("options", [
    {"column_encoding": {"a": DELTA, "b": DELTA, "c": "PLAIN"}, "use_dictionary": False, "write_page_checksum": True},
    {"column_encoding": "PLAIN", "use_dictionary": False, "data_page_size": 1000},
    {"compression": "zstd"},
], ids=["as earlier versions wrote", "plain", "packed"])  # fmt: skip
def test_what_arrow_writes_is_read(tmp_path, options):
    written = {"a": np.arange(5000, dtype=np.int64) ** 3, "b": np.arange(5000, dtype=np.int32) % 7, "c": np.ones(5000)}
    schema = pa.schema([pa.field(name, pa.from_numpy_dtype(column.dtype), False) for name, column in written.items()])
    options = {"compression": "none", "row_group_size": 999} | options
    pq.write_table(pa.table(list(written.values()), schema=schema), tmp_path / "t", **options)
    require_same(pages.columns(tmp_path / "t"), written)


def test_a_changed_byte_is_noticed_or_changes_nothing(tmp_path):
    numbers, noticed = np.arange(1000) ** 2, 0
    pages.write(tmp_path / "t", {"a": numbers}, dict, rows_per_group=256)
    whole = (tmp_path / "t").read_bytes()
    for place in range(4, 400, 3):
        (tmp_path / "t").write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        try:
            with parquet.reading(tmp_path / "t", "a table"):
                np.testing.assert_array_equal(pages.columns(tmp_path / "t")["a"], numbers)
        except UserError as error:
            assert "damaged, or not a table" in str(error)
            noticed += 1
    assert noticed > 120


def test_no_bytes_make_the_decoder_read_or_write_beyond_its_room():
    draw, decode = np.random.default_rng(1), library.load("delta").decode_delta
    for size, kind in ((4, np.int32), (8, np.int64)):
        for _ in range(500):
            length, count = draw.integers(0, 200), int(draw.integers(0, 300))
            content = np.append(draw.integers(0, 256, length), np.zeros(16)).astype(np.uint8)
            content[:3] = 128, 1, 4  # the usual block
            numbers = np.full(count + 8, 7, kind)
            decode(pointer(content), int64(length), size, pointer(numbers), int64(count))
            assert (numbers[count:] == 7).all()
